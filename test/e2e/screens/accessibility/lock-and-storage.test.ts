import type { AppState } from '../../../../preload/contract/models.ts';
import { firstStart, heldSessions, production, signedIn, staging } from '../../../support/stub-main/states.ts';
import { axeFindsNothingWrong, type Sight } from '../../../support/stub-main/sights.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();

const submit = () => page.locator('button[type=submit]');
const signedOutWith = (notice: Extract<AppState['session'], { step: 'signed-out' }>['notice']) =>
  ({ session: { step: 'signed-out', ...(notice && { notice }) } }) as const;

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const openSecurity = async () => {
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('dialog').waitFor();
};
const openStorage = async () => {
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem').nth(1).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
};
const sights: Record<string, Sight> = {
  'a locked keyring': { state: { vault: { state: 'locked' }, ...signedOutWith({ kind: 'vault-locked' }) } },
  'a keyring that has changed': {
    state: {
      vault: { state: 'protected', backend: 'gnome_libsecret', unreadable: 2, before: ['kwallet5', 'dpapi'] },
      ...signedOutWith({ kind: 'vault-unreadable' }),
    },
  },
  'log in that is not to be remembered': { act: () => page.getByRole('checkbox').uncheck() },
  'sessions that end with the application': { state: { settings: { ...firstStart.settings, clearOnQuit: true } } },
  'dropped sessions': { state: signedOutWith({ kind: 'sessions-dropped' }) },
  'what is stored': {
    act: async () => {
      await openStorage();
      await page.getByRole('dialog').locator('input[name=count]').fill('0');
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('dialog').locator('input[name=count][aria-invalid=true]').waitFor();
      await page.getByRole('dialog').getByRole('button').nth(2).click();
      await page.getByRole('dialog').locator('section[tabindex]').waitFor();
    },
  },
  'the lock and the sessions': { state: { ...several, vault: { state: 'locked' } }, act: openSecurity },
  'the PIN when it is to be changed': {
    state: { pin: true },
    act: async () => {
      await openSecurity();
      await page.locator('input[name=next]').fill('123');
      await page.locator('input[name=current]').fill('1234');
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.locator('input[aria-invalid=true]').waitFor();
    },
  },
  'a locked window whose PIN cannot be read': {
    lock: { files: [{ file: 'lock.json', problem: 'unreadable' }] },
  },
  'a locked window': { state: { ...several, session: signedIn }, lock: { pin: false, cause: 'by-hand' } },
  'a wrong PIN': {
    state: { ...several, session: signedIn },
    lock: {},
    act: async () => {
      await stub.fails('lock.unlock', { kind: 'wrong-pin', triesLeft: 4 });
      await page.locator('main input').fill('0000');
      await submit().click();
      await page.getByRole('alert').waitFor();
    },
  },
};

axeFindsNothingWrong(() => stub, sights);
