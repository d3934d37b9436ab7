import { describe, expect, it } from 'vitest';
import type { AppState, Notice } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { startI18n } from '../../../renderer/i18n.ts';
import { sayError } from '../../../renderer/say-error.ts';
import { expectPlainWords, technical } from '../../support/plain-words.ts';
import { seen } from '../../support/screens.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { everyError } from '../../support/stub-main/every-error.ts';
import {
  ana,
  demoSession,
  firstStart,
  heldSessions,
  production,
  signedIn,
  staging,
} from '../../support/stub-main/states.ts';

openForAll();

describe.each(['en', 'es'] as const)('on an owner’s way in %s', (language) => {
  const start = (state: Partial<AppState> = {}) =>
    stub.start({ ...state, language, settings: { ...firstStart.settings, workbench: false, language } });
  const submit = () => page.locator('main button[type=submit]');

  it('the first two doors have no technical word', async () => {
    await stub.start({ language, settings: { ...firstStart.settings, workbench: false, welcomed: false, language } });
    for (const door of [0, 1]) {
      expect((await page.locator('main section').nth(door).innerText()).match(technical[language]) ?? []).toEqual([]);
    }
  });

  it('the forms have none', async () => {
    await start({ sessions: heldSessions });
    await expectPlainWords(page, language);
    await submit().click();
    await expectPlainWords(page, language);
    await page.locator('main a').first().click();
    await submit().click();
    await expectPlainWords(page, language);
  });

  it.each<[string, AppError]>([
    ['a wrong password', { kind: 'unauthenticated' }],
    ['a missing network', { kind: 'offline' }],
    ['a server that does not answer', { kind: 'refused', host: 'accounts.example.test', addresses: ['192.0.2.1:443'] }],
    ['too many tries', { kind: 'throttled', retryAfterSeconds: 40 }],
    ['a server that takes too long', { kind: 'timeout', phase: 'total', seconds: 30 }],
    ['a path that is not served', { kind: 'unexpected', reason: 'operation-missing', status: 404 }],
  ])('%s is said without one', async (_what, error) => {
    await start();
    await page.locator('main a').first().click();
    for (const name of ['name', 'email', 'password']) await page.locator(`input[name=${name}]`).fill('a b c');
    await stub.fails('session.register', error);
    await submit().click();
    await seen(page.getByRole('alert'));
    await expectPlainWords(page, language);
  });

  it('the account has none, whatever the server called its fields', async () => {
    await start({ sessions: heldSessions, session: signedIn });
    await expectPlainWords(page, language);
    await start({
      sessions: [demoSession],
      session: { ...signedIn, user: ana, check: { state: 'unchecked', error: { kind: 'offline' } } },
    });
    await expectPlainWords(page, language);
  });
});

/** Errors of the rooms that the Workbench alone has, and of a form whose fields are about proxies and certificates. */
const ofTheWorkbench: ReadonlySet<AppError['kind']> = new Set([
  'import-refused',
  'invalid-header',
  'run-refused',
  'not-a-command',
  'not-replayable',
  'invalid-connection',
]);

/** What an owner may meet beyond the way to the account: each is looked at in the Simple face. */
describe.each(['en', 'es'] as const)('in the Simple face in %s', (language) => {
  const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
  const start = (state: Partial<AppState> = {}) =>
    stub.start({ ...several, ...state, language, settings: { ...firstStart.settings, workbench: false, language } });
  const openMenu = (of: string) => page.locator(`header [aria-haspopup=${of}]`).click();
  const expectPlain = () => expectPlainWords(page, language);

  it('the menus of the header have no technical word', async () => {
    await start({ session: signedIn });
    await openMenu('menu');
    await seen(page.getByRole('menu'));
    await expectPlain();
    await page.keyboard.press('Escape');
    await openMenu('listbox');
    await seen(page.getByRole('listbox'));
    await expectPlain();
  });

  it('all sessions, with what can be done about each, have none', async () => {
    await start({ session: signedIn });
    await openMenu('menu');
    await page.locator('[role=menuitem]:has([class*=count])').click();
    await seen(page.locator('[data-session]').first());
    await expectPlain();
    const more = page.locator('[data-session] [aria-haspopup=menu]');
    for (let row = 0; row < (await more.count()); row += 1) {
      await more.nth(row).click();
      await seen(page.getByRole('menu'));
      await expectPlain();
      await page.keyboard.press('Escape');
    }
  });

  it('no part of the settings has one, whatever protects the sessions', async () => {
    const vaults: AppState['vault'][] = [
      firstStart.vault,
      { state: 'locked' },
      { state: 'protected', backend: 'gnome_libsecret', unreadable: 2, before: ['kwallet5'] },
      ...(['no-keyring', 'weak-keyring', 'keyring-failed', 'file-unreadable'] as const).map((reason) => ({
        state: 'memory-only' as const,
        reason,
      })),
    ];
    for (const [at, vault] of vaults.entries()) {
      await start({ vault });
      await page.keyboard.press('ControlOrMeta+,');
      await seen(page.locator('[data-section=about]'));
      // The parts are of one page, and a part that is filled later has its text by then.
      await seen(page.locator('[data-section=storage] button').first());
      await expectPlain();
      if (at > 0) continue;
      // A button that was pressed is no longer one of these.
      const folded = page.locator('[data-section] button[aria-expanded=false]');
      for (let left = await folded.count(); left > 0; left -= 1) {
        await folded.first().click();
        await expectPlain();
      }
    }
  });

  it('a dialog asks without one', async () => {
    await start({
      activeServerId: production.id,
      sessions: [{ ...heldSessions[0]!, serverId: production.id, baseUrl: production.baseUrl }],
      session: signedIn,
    });
    await stub.fails('sessions.logout', {
      kind: 'production-not-confirmed',
      serverId: production.id,
      host: 'shop.example.test',
    });
    await page.locator('main h1 ~ button, main button').first().click();
    await seen(page.getByRole('dialog'));
    await expectPlain();
  });

  const notices: Notice[] = [
    { kind: 'session-ended' },
    { kind: 'logged-out' },
    { kind: 'logged-out-here-only', error: { kind: 'offline' } },
    {
      kind: 'logged-out-no-way-to-tell',
      error: { kind: 'unexpected', reason: 'operation-missing', status: 404 },
    },
    { kind: 'logged-out-untold' },
    { kind: 'vault-unreadable' },
    { kind: 'vault-locked' },
    { kind: 'sessions-dropped' },
    { kind: 'other-address', baseUrl: 'https://old.example.test' },
    { kind: 'not-logged-in', error: { kind: 'unexpected', reason: 'fresh-token-refused' } },
    { kind: 'registered-not-logged-in', email: 'ana@example.test', error: { kind: 'throttled', retryAfterSeconds: 7 } },
  ];
  it('no notice has one', async () => {
    const { t } = await startI18n(language);
    await start();
    for (const notice of notices) {
      await stub.change({ session: { step: 'signed-out', notice } });
      await seen(page.getByText(t(`notice.${notice.kind}`, { baseUrl: 'old.example.test' })));
      await expectPlain();
    }
  });

  it('no error that an account may meet has one', async () => {
    const { t } = await startI18n(language);
    const found = everyError
      .filter(({ kind }) => !ofTheWorkbench.has(kind))
      .flatMap((error) =>
        (['login', 'register', 'check', 'logout', 'server'] as const).flatMap((during) => {
          const { says, advice } = sayError(error, during, t, language, true);
          return `${says} ${advice}`.match(technical[language]) ? [`${error.kind}: ${says} ${advice}`] : [];
        }),
      );
    expect(found).toEqual([]);
    // What the window shows of an error is that, without the details.
    await start();
    await page.locator('input[name=email]').fill('a@b.test');
    await page.locator('input[name=password]').fill('a b c');
    await stub.fails('session.login', { kind: 'server-fault', status: 503 });
    await page.locator('main button[type=submit]').click();
    await seen(page.getByRole('alert'));
    await expectPlain();
  });
});
