import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractRuns } from '../../../preload/contract/contract-runs.ts';
import type { AppState, Language, LockedState } from '../../../preload/contract/models.ts';
import { comparison, underWay, withReport } from '../../support/stub-main/contract-runs.ts';
import { someCalls, someLogout } from '../../support/stub-main/calls.ts';
import {
  ana,
  demoSession,
  firstStart,
  heldSessions,
  locked,
  misbehaving,
  production,
  report,
  signedIn,
  staging,
  understood,
} from '../../support/stub-main/states.ts';
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
  calls?: typeof someCalls;
  /** What is done before the look. */
  act?: () => Promise<void>;
}

const sights: Record<string, Sight> = {
  'files that could not be used as they were': {
    state: {
      files: [
        { file: 'config.json', problem: 'restored', kept: 'config.json.broken-2026-11-21T10-00-00-000Z' },
        { file: 'config.json', problem: 'not-written' },
        { file: 'vault.json', problem: 'newer' },
        { file: 'exchanges.sqlite', problem: 'set-aside', kept: 'exchanges.sqlite.broken-2026-11-21T10-00-00-000Z' },
      ],
    },
  },
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
  'log in after a log out that the server cannot be told of': {
    state: signedOutWith({
      kind: 'logged-out-no-way-to-tell',
      error: { kind: 'unexpected', reason: 'operation-missing', status: 404 },
    }),
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
  'profile while it is restored': { state: { session: { step: 'restoring', sessionId: 's1', user: ana } } },
  'a failed service and tokens in memory only': {
    state: {
      builtIn: { state: 'failed', message: 'listen EACCES' },
      vault: { state: 'memory-only', reason: 'weak-keyring' },
    },
  },
  'everything still starting': { state: { builtIn: { state: 'starting' }, vault: { state: 'asking' } } },
  'the list of servers': {
    state: { servers: [...firstStart.servers, staging] },
    act: async () => {
      await page.getByRole('combobox').press('ArrowDown');
      await page.getByRole('option').first().waitFor();
    },
  },
  'a wrong address': {
    act: async () => {
      await stub.fails('servers.chooseAddress', { kind: 'invalid-address', problem: 'not-a-url' });
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
  'the menu of servers': {
    state: { servers: [...firstStart.servers, staging] },
    act: async () => {
      await page.getByRole('banner').getByRole('button').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
};

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const manage = async (item: number) => {
  await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('menuitem').nth(item).click();
  await page.getByRole('dialog').waitFor();
};

Object.assign(sights, {
  'log in with other accounts and a logout to be told': { state: several },
  'log in at another address': {
    state: { ...several, ...signedOutWith({ kind: 'other-address', baseUrl: 'https://old.example.test' }) },
  },
  'log in on a production server': {
    state: { ...several, activeServerId: production.id, ...signedOutWith({ kind: 'logged-out-untold' }) },
  },
  'the question for the host': {
    state: { ...several, activeServerId: production.id, session: signedIn },
    act: async () => {
      const asked = { serverId: production.id, host: 'shop.example.test' };
      await stub.fails('sessions.logout', { kind: 'production-not-confirmed', ...asked });
      await submit().click();
      await stub.fails('servers.confirmProduction', { kind: 'wrong-host', host: asked.host });
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the servers': { state: several, act: () => manage(0) },
  'a server that is edited': {
    state: several,
    act: async () => {
      await manage(0);
      await page.getByRole('listitem').nth(2).getByRole('button').nth(4).click();
      await page.locator('select').first().waitFor();
      await stub.answer('servers.test', { ok: true, value: report });
      await page.getByRole('dialog').locator('button[aria-busy]').first().click();
      await page.getByText('nginx').waitFor();
    },
  },
  'a server that is about to be deleted': {
    state: several,
    act: async () => {
      await manage(0);
      await page.getByRole('listitem').nth(2).getByRole('button').nth(5).click();
      await page.getByRole('listitem').first().waitFor({ state: 'detached' });
    },
  },
  'an import that was refused': {
    state: several,
    act: async () => {
      await manage(0);
      const error = { kind: 'import-refused', reason: 'wrong-content', detail: 'servers.2.address' } as const;
      await stub.fails('servers.importFile', error);
      await page.getByRole('dialog').getByRole('button').nth(-2).click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the sessions': { state: several, act: () => manage(1) },
  'the accounts of the profile': {
    state: { ...several, session: signedIn },
    act: async () => {
      await page.getByRole('main').getByRole('button').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'what was understood': {
    state: { ...several, session: { ...signedIn, understood } },
    act: async () => {
      await page.locator('summary').click();
      await page.getByText('datos.access_token').waitFor();
    },
  },
} satisfies Record<string, Sight>);

const openCalls = async () => {
  await page.keyboard.press('Control+e');
  await page.locator('#calls output').filter({ hasText: /\d/ }).waitFor();
};
const openCall = async (text: string) => {
  await openCalls();
  await page.locator('[role=option]').filter({ hasText: text }).click();
  await page.locator('article h4, article [role=status]').first().waitFor();
};
const replayAsItWas = async () => {
  await page.locator('article button').first().click();
  await page.getByRole('menuitem').first().click();
};
const recorded = { state: several, calls: someCalls };

Object.assign(sights, {
  'no calls yet': { state: several, act: openCalls },
  'the calls': {
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls input').first().press('ArrowDown');
      await page.locator('[aria-activedescendant]').waitFor();
    },
  },
  'a search of the calls that finds nothing': {
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls input').first().fill('nothing has this');
      await page.locator('#calls [role=listbox]').waitFor({ state: 'detached' });
    },
  },
  'a call of JSON with secrets': { ...recorded, act: () => openCall('/auth/login') },
  'the ways to copy a call': {
    ...recorded,
    act: async () => {
      await openCall('/auth/login');
      await page.locator('article button').nth(1).click();
      await page.getByRole('menu').waitFor();
    },
  },
  'the ways to replay a call': {
    ...recorded,
    act: async () => {
      await openCall('/auth/login');
      await page.locator('article button').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'a replay beside its original': {
    ...recorded,
    act: async () => {
      const [login, failed] = [someCalls[0]!.recorded!, someCalls[1]!.recorded!];
      const call = { ...login, response: failed.response!, replayOf: { id: login.id } };
      await openCall('/auth/login');
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'sent', call } });
      await replayAsItWas();
      await page.locator('#comparison-heading').waitFor();
    },
  },
  'a replay that was not answered': {
    ...recorded,
    act: async () => {
      const [login, failed] = [someCalls[0]!.recorded!, someCalls[3]!.recorded!];
      const { response: _response, ...request } = login;
      const call = { ...request, failure: failed.failure!, replayOf: { id: login.id } };
      await openCall('/auth/login');
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'sent', call } });
      await replayAsItWas();
      await page.locator('#comparison-heading').waitFor();
    },
  },
  'the question for secrets that are gone': {
    ...recorded,
    act: async () => {
      await openCall('/auth/login');
      const missing = [
        { secret: 'token', id: 's1' },
        { secret: 'password', id: 'p1' },
      ] as const;
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'secrets-missing', missing: [...missing] } });
      await replayAsItWas();
      await page.getByRole('dialog').waitFor();
    },
  },
  'the question before a session is ended at the server': {
    ...recorded,
    calls: [someLogout],
    act: async () => {
      await openCall('/salir');
      await replayAsItWas();
      await page.getByRole('dialog').waitFor();
    },
  },
  'a call of a page': { ...recorded, act: () => openCall('502') },
  'a call of a picture': { ...recorded, act: () => openCall('?token=') },
  'a call that failed': { ...recorded, act: () => openCall('/registro') },
  'a call of a redirect': { ...recorded, act: () => openCall('302') },
  'a call with long lines': { ...recorded, act: () => openCall('422') },
  'a call that is not kept any more': { ...recorded, act: () => openCall('/gone') },
  'the question before calls are cleared': {
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls button').nth(1).click();
      await page.getByRole('dialog').waitFor();
    },
  },
} satisfies Record<string, Sight>);

const openBuiltInServer = async (tab: number) => {
  await page.keyboard.press('Control+b');
  await page.getByRole('tab').nth(tab).click();
  await page.getByRole('tabpanel').getByRole('button').first().waitFor();
};
const builtInServer = { state: { ...several, behaviour: misbehaving } };
const panelButton = (index: number) => page.getByRole('tabpanel').getByRole('button').nth(index);

Object.assign(sights, {
  'log in with the demo offered from elsewhere': {
    state: { servers: several.servers, activeServerId: staging.id },
  },
  'a demo that could not be started': {
    act: async () => {
      await stub.fails('demo.start', { kind: 'demo-taken', email: 'demo@llavero.invalid' });
      await page.locator('[aria-describedby=try-offline-help]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the profile of the demo, at a service that misbehaves': {
    state: { session: signedIn, sessions: [demoSession], behaviour: misbehaving },
  },
  'the behaviour of the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(0);
      await page.locator('select').nth(2).selectOption('latency');
      await page.locator('input[name=least]').fill('x');
      await page.locator('section form button[type=submit]').first().click();
      await page.locator('input[name=least][aria-invalid=true]').waitFor();
    },
  },
  'a behaviour that was refused': {
    act: async () => {
      await openBuiltInServer(0);
      await stub.fails('builtIn.behave', { kind: 'built-in-stopped', message: 'EACCES' });
      await page.getByRole('tabpanel').getByRole('checkbox').first().click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the accounts of the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(1);
      await page.getByRole('table').waitFor();
    },
  },
  'the sessions of the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(2);
      await panelButton(1).click();
      await page.locator('section').getByText('?').waitFor();
    },
  },
  'the requests to the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(3);
      await page.getByRole('table').waitFor();
    },
  },
  'no requests to the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(3);
      await panelButton(0).click();
      await page.getByRole('table').waitFor({ state: 'detached' });
    },
  },
  'the data of the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(4);
      await panelButton(2).click();
      await page.getByRole('listitem').first().waitFor();
      await panelButton(0).click();
      await page.locator('section').getByText('500').first().waitFor();
    },
  },
} satisfies Record<string, Sight>);

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
const lock = async (part: Partial<LockedState> = {}) => {
  const { language, settings } = await page.evaluate(async () => {
    const answer = await window.api.app.state(undefined);
    if (!answer.ok) throw new Error(answer.error.kind);
    return answer.value;
  });
  await stub.send({ ...locked, language, settings, ...part });
  await page.locator('main form').waitFor();
  await page.getByRole('combobox').waitFor({ state: 'detached' });
};

Object.assign(sights, {
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
    act: () => lock({ files: [{ file: 'lock.json', problem: 'unreadable' }] }),
  },
  'a locked window': { state: { ...several, session: signedIn }, act: () => lock({ pin: false, cause: 'by-hand' }) },
  'a wrong PIN': {
    state: { ...several, session: signedIn },
    act: async () => {
      await lock();
      await stub.fails('lock.unlock', { kind: 'wrong-pin', triesLeft: 4 });
      await page.locator('main input').fill('0000');
      await submit().click();
      await page.getByRole('alert').waitFor();
    },
  },
} satisfies Record<string, Sight>);

const openContractRun = async (runs: ContractRuns) => {
  await stub.runs(runs);
  await page.keyboard.press('Control+t');
  await page.getByRole('dialog').locator('select, progress, dl').first().waitFor();
};
const ofStaging = { ...recorded, state: { ...several, activeServerId: staging.id } };

Object.assign(sights, {
  'a contract run that is chosen': {
    ...ofStaging,
    act: async () => {
      await openContractRun({ reports: [] });
      await page.locator('select').first().selectOption(production.id);
      await stub.fails('contractRun.start', { kind: 'run-refused', problem: 'production' });
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.locator('[role=alert][tabindex]').waitFor();
    },
  },
  'a contract run under way': {
    ...ofStaging,
    act: async () => {
      const waitingUntil = '2026-11-21T10:11:12.000Z';
      await openContractRun({
        reports: [],
        underWay: { ...underWay, next: 'built-in', progress: { ...underWay.progress, waitingUntil } },
      });
      await stub.step({ underWay });
      await page.locator('header [data-dot=true]').waitFor();
    },
  },
  'a contract report with everything unfolded': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      for (const each of await page.getByRole('dialog').locator('summary').all()) await each.click();
      await page.getByRole('dialog').locator('ul button[aria-expanded]').first().click();
      await page.getByRole('dialog').locator('h4 + div').first().waitFor();
    },
  },
  'the ways to export a contract report': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      await page.getByRole('dialog').locator('button[aria-haspopup=menu]').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'a comparison of contract reports': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      await stub.answer('contractRun.compareFile', { ok: true, value: { comparison } });
      await page.getByRole('dialog').locator('button[aria-haspopup=menu]').nth(1).click();
      await page.getByRole('menuitem').first().click();
      await page.getByRole('table').first().waitFor();
    },
  },
} satisfies Record<string, Sight>);

/** What is wrong with a text is wrong in every theme, and a colour in every language: each is met in one of the pairs. */
const looks: [Language, 'light' | 'dark'][] = [
  ['en', 'light'],
  ['es', 'dark'],
];

describe.each(looks)('in %s, %s', (language, theme) => {
  it.each(Object.entries(sights))('axe finds nothing wrong with %s', async (_name, { state = {}, calls = [], act }) => {
    const settings = { ...firstStart.settings, ...state.settings, language, theme };
    await stub.start({ ...state, language, settings }, calls);
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
