import type { AppState } from '../../../../preload/contract/models.ts';
import { announced, firstStart, heldSessions, production, signedIn, staging } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import type { Sights } from '../scene.ts';

const submit = () => page.locator('button[type=submit]');
const signedOutWith = (notice: Extract<AppState['session'], { step: 'signed-out' }>['notice']) =>
  ({ session: { step: 'signed-out', ...(notice && { notice }) } }) as const;

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const openSettings = async () => {
  await page.locator('[data-room=settings]').click();
  await page.locator('[data-section=storage] li').first().waitFor();
};
const inSection = (name: string) => page.locator(`[data-section=${name}]`);
const openPin = async () => {
  await openSettings();
  await inSection('lock').getByRole('button').first().click();
};

/** What a person may come to see of the lock, of the settings and of what is stored. */
export const sights: Sights = {
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
  'a newer version that is ready': {
    state: { updates: { state: 'ready', update: announced, problem: 'not-installed' } },
    act: openSettings,
  },
  'a newer version that is being downloaded': {
    state: { updates: { state: 'downloading', update: announced, percent: 40 } },
    act: openSettings,
  },
  'the limits of calls and what is stored': {
    act: async () => {
      await openSettings();
      await page.locator('input[name=count]').fill('0');
      await inSection('calls').locator('button[type=submit]').click();
      await page.locator('input[name=count][aria-invalid=true]').waitFor();
      await inSection('storage').getByRole('button').first().click();
      await inSection('storage').locator('section[tabindex]').waitFor();
    },
  },
  'a search in the settings that finds nothing': {
    act: async () => {
      await openSettings();
      await page.getByRole('searchbox').fill('xyz');
      await page.locator('[data-section]').first().waitFor({ state: 'detached' });
    },
  },
  'the licences of all parts': {
    act: async () => {
      await openSettings();
      await inSection('about').getByRole('button').click();
      await inSection('about').locator('summary').first().click();
    },
  },
  'the lock and the sessions': { state: { ...several, vault: { state: 'locked' } }, act: openSettings },
  'the PIN when it is to be changed': {
    state: { pin: true },
    act: async () => {
      await openPin();
      await page.locator('input[name=next]').fill('123');
      await page.locator('input[name=current]').fill('1234');
      await inSection('lock').locator('button[type=submit]').click();
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
  'a keyring that was not asked yet': {
    state: { vault: { state: 'not-asked' } },
    act: async () => {
      await openSettings();
      await inSection('storage').scrollIntoViewIfNeeded();
    },
  },
};
