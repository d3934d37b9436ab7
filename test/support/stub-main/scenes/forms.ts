import type { AppState } from '../../../../preload/contract/models.ts';
import { sentRows } from '../../sent-rows.ts';
import { anaProfile, firstStart, heldSessions, signedIn } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import type { Scene } from '../scene.ts';

const simple = { ...firstStart.settings, workbench: false };
/** Waits for the advice on the password, which a worker gives. */
const judged = () => page.locator('main form i[data-on=true]').first().waitFor();
const submit = () => page.locator('button[type=submit]').first();
const openRegister = async () => {
  await page.locator('main a').click();
  await page.locator('main [aria-haspopup=menu]').click();
  await page.getByRole('menuitemradio', { name: '/register' }).click();
  await page.locator('input[name=cpassword]').waitFor();
};
const typeLogin = async () => {
  await page.locator('input[name=email]').fill('ana@example.test');
  await page.locator('input[name=password]').fill('secret');
};
const signedOutWith = (notice: Extract<AppState['session'], { step: 'signed-out' }>['notice']) =>
  ({ session: { step: 'signed-out', ...(notice && { notice }) } }) as const;

/** What a person may come to see of the forms and of the account. */
export const formScenes: readonly Scene[] = [
  {
    name: 'files that could not be used as they were',
    state: {
      files: [
        { file: 'config.json', problem: 'restored', quarantinedAs: 'config.json.broken-2026-11-21T10-00-00-000Z' },
        { file: 'config.json', problem: 'not-written' },
        { file: 'vault.json', problem: 'unreadable' },
        { file: 'calls.sqlite', problem: 'set-aside', quarantinedAs: 'calls.sqlite.broken-2026-11-21T10-00-00-000Z' },
      ],
    },
  },
  {
    name: 'log in under way',
    act: async () => {
      await typeLogin();
      await stub.answer('session.login', 'hold');
      await submit().click();
      await page.locator('[aria-live=polite]:not(:empty) ~ button').waitFor();
    },
  },
  {
    name: 'log in that was accepted',
    act: async () => {
      await typeLogin();
      await stub.answer('session.login', 'hold');
      await submit().click();
      await stub.change({ session: { step: 'signed-out', accepted: true } });
      await page.locator('[aria-live=polite]:not(:empty) ~ button').waitFor();
    },
  },
  {
    name: 'log in cancelled',
    act: async () => {
      await typeLogin();
      await stub.fails('session.login', { kind: 'cancelled' });
      await submit().click();
      await page.locator('[role=status][tabindex]').waitFor();
    },
  },
  { name: 'log in after a log out', state: signedOutWith({ kind: 'logged-out' }) },
  {
    name: 'log in after a log out here only',
    state: signedOutWith({ kind: 'logged-out-here-only', error: { kind: 'offline' } }),
  },
  {
    name: 'log in after a log out that the server cannot be told of',
    state: signedOutWith({
      kind: 'logged-out-no-way-to-tell',
      error: { kind: 'unexpected', reason: 'operation-missing', status: 404 },
    }),
  },
  { name: 'log in without a readable vault', state: signedOutWith({ kind: 'vault-unreadable' }) },
  { name: 'create account', act: openRegister },
  {
    name: 'create account with errors',
    isScreen: true,
    act: async () => {
      await openRegister();
      await submit().click();
    },
  },
  {
    name: 'create account refused',
    isScreen: true,
    act: async () => {
      await openRegister();
      for (const name of ['name', 'email', 'password', 'cpassword'])
        await page.locator(`input[name=${name}]`).fill('a b c');
      const fields = { email: ['Taken.'], password: ['Too short.', 'Too plain.'] };
      await stub.fails('session.register', { kind: 'validation', message: 'No.', fields, form: ['terms: missing'] });
      await submit().click();
      await page.locator('main [role=alert]').waitFor();
      await judged();
    },
  },
  {
    name: 'create account at a path that is not served',
    act: async () => {
      await page.locator('main a').click();
      for (const name of ['name', 'email', 'password']) await page.locator(`input[name=${name}]`).fill('a b c');
      await stub.fails('session.register', { kind: 'unexpected', reason: 'operation-missing', status: 404 });
      await submit().click();
      await page.getByRole('alert').waitFor();
      await judged();
    },
  },
  { name: 'profile', state: { session: signedIn } },
  {
    name: 'profile with everything in it',
    isScreen: true,
    state: {
      sessions: heldSessions,
      session: {
        ...signedIn,
        user: {
          ...anaProfile,
          rest: [
            ...anaProfile.rest,
            ...sentRows({ preferences: { theme: 'dark', channels: { email: true } }, about: 'long '.repeat(200) }),
          ],
        },
      },
    },
    act: () => page.locator('main dl button[aria-expanded]').first().click(),
  },
  {
    name: 'the first minute with an invalid address',
    state: { settings: { ...simple, welcomed: false } },
    technical: 'main section:nth-of-type(3)',
    act: async () => {
      await stub.fails('servers.test', { kind: 'invalid-address', problem: 'not-a-url' });
      await page.locator('main input').first().fill('a b');
      await submit().click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'profile that could not be checked',
    state: {
      session: { ...signedIn, check: { state: 'unchecked', error: { kind: 'timeout', phase: 'total', seconds: 30 } } },
    },
  },
  {
    name: 'profile while it is restored',
    state: { session: { step: 'restoring', sessionId: 's1', user: anaProfile } },
  },
  { name: 'everything still starting', state: { builtIn: { state: 'starting' }, vault: { state: 'asking' } } },
];
