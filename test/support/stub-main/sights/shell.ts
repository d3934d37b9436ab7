import { page } from '../opened-stub.ts';
import type { Sights } from '../scene.ts';
import { firstStart, heldSessions, misbehaving, production, signedIn, staging } from '../states.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions, session: signedIn };
/** What a person may come to see around the rooms. */
export const sights: Sights = {
  'the Simple face': { state: { ...several, settings: { ...firstStart.settings, workbench: false } } },
  'the warnings of the status bar, of which one is open': {
    state: { ...several, behaviour: misbehaving, activeServerId: production.id, vault: { state: 'locked' } },
    act: async () => {
      await page.getByRole('contentinfo').getByRole('button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
};
