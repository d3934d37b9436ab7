import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppState, Server, VaultStatus } from '../../../preload/contract/models.ts';
import { layoutShift, nothingMoved } from '../../support/layout-shift.ts';
import { seen } from '../../support/screens.ts';
import {
  ana,
  firstStart,
  heldSessions,
  misbehaving,
  production,
  signedIn,
  staging,
} from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();
beforeAll(() => page.emulateMedia({ reducedMotion: 'no-preference' }));

const expectNothingMoved = async () => expect(await layoutShift(page)).toEqual(nothingMoved);

const submit = () => page.locator('main button[type=submit]');

/** Fills in the log-in form in any language, and sends it. */
async function logIn(): Promise<void> {
  await page.locator('input[name=email]').fill('ana@example.test');
  await page.locator('input[name=password]').fill('a long password');
  await submit().click();
}

const locked: VaultStatus = { state: 'locked' };
const changed: VaultStatus = { state: 'protected', backend: 'kwallet6', unreadable: 2, before: ['gnome_libsecret'] };

const manyServers: Server[] = [
  ...firstStart.servers,
  staging,
  production,
  ...Array.from({ length: 30 }, (_, number): Server => ({
    ...staging,
    id: `server-${number}`,
    name: `Server ${number}`,
    colour: 'teal',
    pins: number % 2 === 0 ? [] : production.pins,
    baseUrl: `http${number % 2 === 0 ? '' : 's'}://server-${number}.example.test`,
  })),
];

const sizes = [
  { width: 1200, height: 800 },
  { width: 480, height: 640 },
];
const places = sizes.flatMap(({ width, height }) =>
  (['en', 'es'] as const).map((language) => ({ width, height, language })),
);

describe.each(places)('nothing moves in a window of $width × $height in $language', ({ width, height, language }) => {
  const start = (state: Partial<AppState> = {}) => stub.start({ language, ...state });
  beforeEach(() => page.setViewportSize({ width, height }));

  it('when a login is under way and fails', async () => {
    await start();
    await stub.answer('session.login', 'hold');
    await logIn();
    await seen(page.locator('main output button, main button:not([type=submit])').first());
    await stub.release('session.login', { ok: false, error: { kind: 'unauthenticated', message: 'Wrong.' } });
    await seen(page.getByRole('alert'));
    await expectNothingMoved();
  });

  it('when a field is empty, and when the server refuses what it holds', async () => {
    await start();
    await submit().click();
    await seen(page.locator('[aria-invalid=true]').first());
    await stub.fails('session.login', { kind: 'validation', fields: { email: ['No such account.'] }, form: [] });
    await logIn();
    await seen(page.getByText('No such account.'));
    await expectNothingMoved();
  });

  it('when the store of the tokens and the built-in server are known later', async () => {
    await start({ vault: { state: 'asking' }, builtIn: { state: 'starting' } });
    await stub.change({ builtIn: { state: 'running', baseUrl: 'http://127.0.0.1:43127' } });
    for (const vault of [{ state: 'not-asked' }, { state: 'asking' }, locked, changed] as const) {
      await stub.change({ vault });
      await expectNothingMoved();
    }
    await stub.change({ vault: locked, session: { step: 'signed-out', notice: { kind: 'vault-locked' } } });
    await stub.change({ vault: changed, sessions: heldSessions, session: { step: 'signed-out' } });
    await expectNothingMoved();
  });

  it('when a warning arrives late, above another one', async () => {
    await start({ servers: [staging], activeServerId: staging.id });
    await stub.change({ builtIn: { state: 'failed', message: 'The port is taken.' } });
    await seen(page.getByRole('contentinfo').getByText('The port is taken.').first());
    await expectNothingMoved();
  });

  it('when the built-in server begins to misbehave', async () => {
    await start();
    await stub.change({ behaviour: misbehaving });
    await expectNothingMoved();
  });

  it('when a person switches between many servers', async () => {
    await start({ servers: manyServers });
    for (const activeServerId of ['staging', 'production', 'server-7', 'server-29', 'server-0', 'built-in']) {
      await stub.change({ activeServerId });
      await expectNothingMoved();
    }
  });

  it('when an address is refused', async () => {
    await start();
    await stub.fails('servers.chooseAddress', { kind: 'invalid-address', problem: 'not-a-url' });
    await page.locator('header [aria-haspopup=listbox]').click();
    const address = page.locator('input[inputmode=url]');
    await address.fill('a b c');
    await address.press('Enter');
    await seen(page.getByRole('alert'));
    await expectNothingMoved();
  });

  it('when a kept session is checked, and when it cannot be', async () => {
    await start({
      sessions: heldSessions,
      session: { step: 'restoring', sessionId: 's1', user: { ...ana, rest: [] } },
    });
    await stub.change({ session: signedIn });
    await stub.answer('sessions.check', 'hold');
    await page.locator('main output ~ div button[aria-busy]').click();
    const check = { state: 'unchecked', error: { kind: 'offline' } } as const;
    await stub.release('sessions.check', {
      ok: true,
      value: {
        ...firstStart,
        language,
        revision: 90,
        sessions: heldSessions,
        session: { ...signedIn, check },
      },
    });
    await seen(page.getByRole('alert'));
    await expectNothingMoved();
  });
});

it('a press that began before the store of the tokens was known is not lost', async () => {
  await page.setViewportSize({ width: 1000, height: 880 });
  await stub.start({ vault: { state: 'asking' }, builtIn: { state: 'starting' } });
  const box = await page.getByRole('link', { name: 'Create account', exact: true }).boundingBox();
  await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
  await page.mouse.down();
  await stub.change({
    vault: { state: 'memory-only', reason: 'no-keyring' },
    builtIn: { state: 'running', baseUrl: 'http://127.0.0.1:43127' },
  });
  await seen(page.getByText(/Memory only/).first());
  await page.mouse.up();
  await seen(page.getByRole('heading', { name: 'Create account', exact: true }));
});
