import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppState, Language } from '../../../preload/contract/models.ts';
import { ana, firstStart, signedIn, staging } from '../../support/stub-main/states.ts';
import { openStubApp, type StubApp } from '../../support/stub-main/stub-app.ts';

let stub: StubApp;
let page: Page;

beforeAll(async () => {
  stub = await openStubApp();
  page = stub.page;
  // So that no colour is looked at half-way through a transition.
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(() => stub.close());

const submit = () => page.locator('button[type=submit]');
const openRegister = async () => {
  await page.getByRole('link').click();
  await page.getByRole('radio', { name: '/register', exact: true }).check();
};
const typeLogin = async () => {
  await page.locator('input[name=email]').fill('ana@example.test');
  await page.locator('input[name=password]').fill('secret');
};
const signedOutWith = (notice: Extract<AppState['session'], { step: 'signed-out' }>['notice']) =>
  ({ session: { step: 'signed-out', ...(notice && { notice }) } }) as const;

interface Sight {
  state?: Partial<AppState>;
  /** What is done before the look. */
  act?: () => Promise<void>;
}

const sights: Record<string, Sight> = {
  'log in': {},
  'log in with empty fields': { act: () => submit().click() },
  'log in under way': {
    act: async () => {
      await typeLogin();
      await stub.answer('session.login', 'hold');
      await submit().click();
      await page.locator('[aria-busy=true]').first().waitFor();
    },
  },
  'log in refused': {
    act: async () => {
      await typeLogin();
      await stub.fails('session.login', { kind: 'unauthenticated', message: 'No.' });
      await submit().click();
      await page.getByRole('alert').waitFor();
    },
  },
  'log in throttled': {
    act: async () => {
      await typeLogin();
      await stub.fails('session.login', { kind: 'throttled', retryAfterSeconds: 600 });
      await submit().click();
      await page.getByRole('timer').waitFor();
    },
  },
  'log in cancelled': {
    act: async () => {
      await typeLogin();
      await stub.fails('session.login', { kind: 'cancelled' });
      await submit().click();
      await page.locator('[role=status][tabindex]').waitFor();
    },
  },
  'log in after the session ended': { state: signedOutWith({ kind: 'session-ended' }) },
  'log in after a log out': { state: signedOutWith({ kind: 'logged-out' }) },
  'log in after a log out here only': {
    state: signedOutWith({ kind: 'logged-out-here-only', error: { kind: 'offline' } }),
  },
  'log in without a readable vault': { state: signedOutWith({ kind: 'vault-unreadable' }) },
  'create account': { act: openRegister },
  'create account with errors': {
    act: async () => {
      await openRegister();
      await submit().click();
    },
  },
  profile: { state: { session: signedIn } },
  'profile that could not be checked': {
    state: {
      session: { ...signedIn, check: { state: 'unchecked', error: { kind: 'timeout', phase: 'total', seconds: 30 } } },
    },
  },
  'profile while it is restored': { state: { session: { step: 'restoring', user: ana } } },
  'a failed service and tokens in memory only': {
    state: {
      service: { state: 'failed', message: 'listen EACCES' },
      vault: { state: 'memory-only', reason: 'weak-keyring' },
    },
  },
  'everything still starting': { state: { service: { state: 'starting' }, vault: { state: 'asking' } } },
  'the list of servers': {
    state: { servers: [...firstStart.servers, staging] },
    act: async () => {
      await page.getByRole('combobox').press('ArrowDown');
      await page.getByRole('option').first().waitFor();
    },
  },
  'a wrong address': {
    act: async () => {
      await stub.fails('servers.useAddress', { kind: 'invalid-address', problem: 'not-a-url' });
      await page.getByRole('combobox').fill('a b');
      await page.getByRole('combobox').press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  'the settings': {
    act: async () => {
      await page.getByRole('banner').getByRole('button').last().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'the known addresses': {
    state: { servers: [...firstStart.servers, staging] },
    act: async () => {
      await page.getByRole('banner').getByRole('button').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
};

const looks: [Language, 'light' | 'dark'][] = [
  ['en', 'light'],
  ['en', 'dark'],
  ['es', 'light'],
  ['es', 'dark'],
];

describe.each(looks)('in %s, %s', (language, theme) => {
  it.each(Object.entries(sights))('axe finds nothing wrong with %s', async (_name, { state = {}, act }) => {
    await stub.start({ language, settings: { language, theme }, ...state });
    await act?.();
    const { violations } = await new AxeBuilder({ page })
      // Otherwise axe opens a page of its own, which Electron does not allow.
      .setLegacyMode()
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
    expect(found).toEqual([]);
  });
});
