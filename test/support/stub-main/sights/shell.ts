import { page } from '../opened-stub.ts';
import type { Sight } from './show-sight.ts';
import { firstStart, heldSessions, misbehaving, production, signedIn, staging } from '../states.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions, session: signedIn };
const open = (keys: string) => async () => {
  await page.keyboard.press(keys);
  await page.getByRole('dialog').waitFor();
};

/** What a person may come to see around the rooms. */
export const sights: Record<string, Sight> = {
  'the Simple face': { state: { ...several, settings: { ...firstStart.settings, workbench: false } } },
  'the palette': { state: several, act: open('Control+k') },
  'the sheet of keys': { state: several, act: open('Control+/') },
  'the menu of the account': {
    state: several,
    act: async () => {
      await page.getByRole('banner').getByRole('button').last().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'the warnings of the status bar, of which one is open': {
    state: { ...several, behaviour: misbehaving, activeServerId: production.id, vault: { state: 'locked' } },
    act: async () => {
      await page.getByRole('contentinfo').getByRole('button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
};
