import type { AppState } from '../../../../preload/contract/models.ts';
import { announced, firstStart, heldSessions, production, signedIn, staging } from '../states.ts';
import { vaults } from './late.ts';
import { page, stub } from '../opened-stub.ts';
import { atWork, go, simple, type Scene } from '../scene.ts';

const submit = () => page.locator('button[type=submit]');
const signedOutWith = (notice: Extract<AppState['session'], { step: 'signed-out' }>['notice']) =>
  ({ session: { step: 'signed-out', ...(notice && { notice }) } }) as const;

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const openSettings = async () => {
  await page.locator('[data-page=settings]').click();
  await page.locator('[data-section=storage] li').first().waitFor();
};
const inSection = (name: string) => page.locator(`[data-section=${name}]`);
const openPin = async () => {
  await openSettings();
  await inSection('lock').getByRole('button').first().click();
};

/** The settings, the lock, and where tokens rest. */
export const scenes: readonly Scene[] = [
  {
    name: 'settings',
    state: atWork,
    asks: ['storage.overview', 'calls.limits', 'app.about'],
    steps: go('settings'),
  },
  {
    name: 'settings-simple',
    state: atWork,
    ...simple,
    steps: [{ key: 'ControlOrMeta+,' }, { wait: '[data-section=storage] button' }],
    thenOpens: '[data-section] button[aria-expanded]',
    thenIn: vaults,
  },
  {
    name: 'settings-updates',
    state: { ...atWork, updates: { state: 'available', update: announced } },
    steps: [...go('settings'), { press: 'main nav button', at: 7 }, { wait: '[data-section=updates] section' }],
  },
  {
    name: 'settings-updates-simple',
    ...simple,
    state: { ...atWork, updates: { state: 'failed', at: '2026-11-22T10:00:00.000Z', problem: 'damaged' } },
    steps: [{ key: 'ControlOrMeta+,' }, { press: 'main nav button', at: 7 }],
  },
  {
    name: 'update-chip',
    ...simple,
    state: { ...atWork, updates: { state: 'available', update: { ...announced, by: 'system' } } },
    steps: [{ press: 'footer [data-tone=info]' }, { wait: '[role=dialog]' }],
  },
  { name: 'locked', state: atWork, lock: {} },
  { name: 'a locked keyring', state: { vault: { state: 'locked' }, ...signedOutWith({ kind: 'vault-locked' }) } },
  {
    name: 'a keyring that has changed',
    state: {
      vault: { state: 'protected', backend: 'gnome_libsecret', unreadable: 2, before: ['kwallet5', 'dpapi'] },
      ...signedOutWith({ kind: 'vault-unreadable' }),
    },
  },
  { name: 'log in that is not to be remembered', act: () => page.getByRole('checkbox').uncheck() },
  {
    name: 'sessions that end with the application',
    state: { settings: { ...firstStart.settings, clearOnQuit: true } },
  },
  { name: 'dropped sessions', state: signedOutWith({ kind: 'sessions-dropped' }) },
  {
    name: 'a newer version that is ready',
    isScreen: true,
    state: { updates: { state: 'ready', update: announced, problem: 'not-installed' } },
    act: openSettings,
  },
  {
    name: 'a newer version that is being downloaded',
    state: { updates: { state: 'downloading', update: announced, percent: 40 } },
    act: openSettings,
  },
  {
    name: 'the limits of calls and what is stored',
    act: async () => {
      await openSettings();
      await page.locator('input[name=count]').fill('0');
      await inSection('calls').locator('button[type=submit]').click();
      await page.locator('input[name=count][aria-invalid=true]').waitFor();
      await inSection('storage').getByRole('button').first().click();
      await inSection('storage').locator('section[tabindex]').waitFor();
    },
  },
  {
    name: 'a search in the settings that finds nothing',
    act: async () => {
      await openSettings();
      await page.getByRole('searchbox').fill('xyz');
      await page.locator('[data-section]').first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'the licences of all parts',
    act: async () => {
      await openSettings();
      await inSection('about').getByRole('button').click();
      await inSection('about').locator('summary').first().click();
    },
  },
  { name: 'the lock and the sessions', state: { ...several, vault: { state: 'locked' } }, act: openSettings },
  {
    name: 'the PIN when it is to be changed',
    isScreen: true,
    state: { pin: true },
    act: async () => {
      await openPin();
      await page.locator('input[name=next]').fill('123');
      await page.locator('input[name=current]').fill('1234');
      await inSection('lock').locator('button[type=submit]').click();
      await page.locator('input[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'a locked window whose PIN cannot be read',
    isScreen: true,
    lock: { files: [{ file: 'lock.json', problem: 'unreadable' }] },
  },
  { name: 'a locked window', state: { ...several, session: signedIn }, lock: { pin: false, cause: 'by-hand' } },
  {
    name: 'a wrong PIN',
    state: { ...several, session: signedIn },
    lock: {},
    act: async () => {
      await stub.fails('lock.unlock', { kind: 'wrong-pin', triesLeft: 4 });
      await page.locator('main input').fill('0000');
      await submit().click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a keyring that was not asked yet',
    state: { vault: { state: 'not-asked' } },
    act: async () => {
      await openSettings();
      await inSection('storage').scrollIntoViewIfNeeded();
    },
  },
];
