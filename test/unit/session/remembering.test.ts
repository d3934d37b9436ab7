import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { WindowState } from '../../../preload/contract/models.ts';
import type { Ports } from '../../../main/ports.ts';
import { Config, createStoredServer } from '../../../main/account/config/config.ts';
import { createConfigStore } from '../../../main/account/config/config-store.ts';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import type { Protection } from '../../../main/account/vault/cipher.ts';
import { proveCrashLogins } from '../../prove/crash-logins.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { fixedSeed } from '../../support/fixed-seeds.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { createHeldCipher } from '../../support/held-cipher.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const at = { path: 'registro' } as const;
const service = 'app.llavero.desktop/foreign';

const user = { id: 7, name: ana.name, email: ana.email };
const withToken: NonNullable<Parameters<typeof startForeignServer>[0]>['override'] = ({ path: called }) => ({
  status: 200,
  body: called.endsWith('/login') ? { token: '7|0123456789abcdef', user } : user,
});

/** Makes the application on a folder with its real files, and tells what is in them when it shows a session. */
async function makeOnDisk(folder: string, baseUrl: string) {
  const config = await openConfig(folder, createFileNotices(), () => expect.unreachable());
  // What is written at last is written before the folder goes.
  onTestFinished(() => config.flushWithBackup());
  const atShow: { sessions: string[]; shown: string | undefined; entries: string[] }[] = [];
  const notify: Ports['notify'] = (name, payload) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An event of this name has a state.
    const state = payload as WindowState;
    if (name !== 'app.changed' || state.locked || state.session.step !== 'signed-in') return;
    const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
    const { sessions, currentSessions } = Config.parse(JSON.parse(read('config.json')));
    const vault = z
      .object({ entries: z.array(z.object({ account: z.string() })) })
      .parse(JSON.parse(read('vault.json')));
    atShow.push({
      sessions: Object.keys(sessions),
      shown: currentSessions['foreign'],
      entries: vault.entries.map(({ account }) => account),
    });
  };
  const main = await makeMain({}, { folder, ports: { config, notify } });
  const server = createStoredServer('foreign', '', baseUrl);
  if (config.get().servers.length === 1)
    config.change({ servers: [...config.get().servers, { ...server, agreed: [new URL(baseUrl).origin] }] });
  config.change({ activeServerId: 'foreign' });
  await config.flushWithBackup();
  return { ...main, atShow };
}

describe('a login that is remembered', () => {
  it('is on the disk with its token before it is shown, and there again whatever ends the application', async () => {
    const foreign = await startForeignServer({ override: withToken });
    const folder = await makeTemporaryFolder();
    const { session, state, atShow, config } = await makeOnDisk(folder, foreign.baseUrl);
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    const { sessionId: id } = state.get().session as { sessionId: string };
    expect(atShow[0]).toEqual({ sessions: [id], shown: id, entries: [`${ana.email} ${id}`] });
    expect(state.get().sessions).toMatchObject([{ id, inMemory: undefined }]);
    await config.flushWithBackup();
    expect(config.persisted().servers.at(-1)?.dialect.learned).toMatchObject({ token: 'token' });

    const next = await makeOnDisk(folder, foreign.baseUrl);
    expect(await next.session.restore()).toMatchObject({ ok: true });
    expect(next.state.get()).toMatchObject({
      session: { step: 'signed-in', sessionId: id, user: { name: ana.name } },
      sessions: [{ account: ana.email }],
    });
  });

  /** Has a log-in wait for two seconds after its profile, by a clock of the test's own. */
  async function twoSecondsLater(profileAnswered: Promise<void>): Promise<void> {
    await profileAnswered;
    // The profile is read and judged in between, which takes turns and no time.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(2000);
  }

  function useOwnClock(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
  }

  it.each(['keyring', 'disk'] as const)(
    'is shown as in memory only where the %s does not answer, and as kept once it does',
    async (what) => {
      useOwnClock();
      const answered = Promise.withResolvers<void>();
      const foreign = await startForeignServer({
        override(call) {
          if (call.path.endsWith('/perfil')) answered.resolve();
          return withToken(call);
        },
      });
      const system = createHeldCipher();
      const gate = Promise.withResolvers<void>();
      let isSlow = false;
      const server = {
        ...createStoredServer('foreign', '', foreign.baseUrl),
        agreed: [new URL(foreign.baseUrl).origin],
      };
      const config = createConfigStore(
        {
          config: Config.parse({ servers: [server], activeServerId: 'foreign' }),
          set: () => (isSlow ? gate.promise : undefined),
        },
        () => expect.unreachable(),
      );
      const { session, state } = await makeMain({}, { cipher: system.cipher, ports: { config } });
      if (what === 'keyring') system.hold();
      else isSlow = true;
      const login = session.logins.login(ana);
      await twoSecondsLater(answered.promise);
      expect(await login).toMatchObject({ ok: true });
      expect(state.get()).toMatchObject({ session: { step: 'signed-in' }, sessions: [{ inMemory: true }] });
      // It is in use meanwhile.
      expect(await session.checkShown()).toMatchObject({ ok: true });
      expect(state.get().session).toMatchObject({ check: { state: 'checked' } });
      system.release();
      gate.resolve();
      await vi.waitFor(() => expect(state.get().sessions[0]?.inMemory).toBeUndefined());
      expect(Object.keys(config.persisted().sessions)).toHaveLength(1);
    },
  );

  // These are a few rounds of `npm run prove -- crash-logins`, which has a hundred, and each write point.
  it('is there again, and no token is of nobody, after kills at any moment', { timeout: 120_000 }, async () => {
    const folder = await makeTemporaryFolder();
    const summary = await proveCrashLogins({ folder, rounds: 2, points: false, seed: fixedSeed });
    expect(summary).toMatchObject({ rounds: 3, orphans: 0, lost: 0, findings: [] });
    expect(summary.shown).toBeGreaterThan(0);
  });

  it('is shown as in memory only where the disk refuses, and as kept once it takes it', async () => {
    const foreign = await startForeignServer({ override: withToken });
    const server = { ...createStoredServer('foreign', '', foreign.baseUrl), agreed: [new URL(foreign.baseUrl).origin] };
    let isFull = true;
    const set = (): void => {
      if (isFull) throw new Error('ENOSPC');
    };
    const config = createConfigStore(
      { config: Config.parse({ servers: [server], activeServerId: 'foreign' }), set },
      () => undefined,
    );
    const { session, state } = await makeMain({}, { ports: { config } });
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    expect(state.get()).toMatchObject({ session: { step: 'signed-in' }, sessions: [{ inMemory: true }] });
    isFull = false;
    config.change({ zoom: 1.5 });
    await config.flush();
    expect(state.get().sessions[0]?.inMemory).toBeUndefined();
  });

  it('is not there where every session is dropped while the keyring is asked', async () => {
    const asked = Promise.withResolvers<void>();
    const foreign = await startForeignServer({
      override(call) {
        if (call.path.endsWith('/perfil')) asked.resolve();
        return withToken(call);
      },
    });
    const system = createHeldCipher();
    const { session, state, vault, config } = await makeMain({ foreign }, { cipher: system.cipher });
    system.hold();
    const login = session.logins.login(ana);
    await asked.promise;
    await session.removeAll();
    system.release();
    expect(await login).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(await vault.findCredentials(service)).toEqual([]);
    expect(config.get()).toMatchObject({ sessions: {}, currentSessions: {} });
    expect(state.get().sessions).toEqual([]);
  });

  it('leaves nothing where its server refuses it while the keyring is still asked', async () => {
    useOwnClock();
    const answered = Promise.withResolvers<void>();
    const foreign = await startForeignServer({
      override(call) {
        if (!call.path.endsWith('/perfil')) return withToken(call);
        answered.resolve();
        return { status: 401, body: { message: 'Unauthenticated.' } };
      },
    });
    const system = createHeldCipher();
    const { session, state, vault, config } = await makeMain({ foreign }, { cipher: system.cipher });
    system.hold();
    const login = session.logins.login(ana);
    await twoSecondsLater(answered.promise);
    expect(await login).toMatchObject({ ok: false, error: { reason: 'fresh-token-refused' } });
    system.release();
    await vi.waitFor(async () => expect(await vault.findCredentials(service)).toEqual([]));
    await vault.settled();
    expect(await vault.findCredentials(service)).toEqual([]);
    expect(config.get()).toMatchObject({ sessions: {}, currentSessions: {} });
    expect(state.get().sessions).toEqual([]);
  });
});

describe('a token that no session has, as a kill leaves it', () => {
  const stray = 'ana@example.test 01234567-89ab-4def-8123-456789abcdef';
  it.each([
    ['goes at the next start, alone', true],
    ['stays where the settings did not come through whole', false],
  ])('%s', async (_what, isComplete) => {
    const foreign = await startForeignServer({ override: withToken });
    const { folder, store, session, vault, sessionStore } = await makeMain({ foreign });
    await session.logins.login(ana);
    await vault.setPassword(service, stray, 'x');
    await vault.setPassword('app.llavero.desktop/gone', stray, 'x');
    await vault.setPassword(service, 'connection header 01234567-89ab-4def-8123-456789abcdef', 'x');
    const own = sessionStore.all()[0]!.vaultAccount;
    const config = createConfigStore({ config: Config.parse(store), set: () => undefined, isComplete }, () =>
      expect.unreachable(),
    );
    const next = await makeMain({}, { folder, ports: { config } });
    await next.session.credentials.removeOrphanedTokens();
    const names = (await next.vault.findCredentials(service)).map(({ account }) => account);
    const kept = [own, 'connection header 01234567-89ab-4def-8123-456789abcdef'];
    expect(names.toSorted()).toEqual((isComplete ? kept : [...kept, stray]).toSorted());
    expect(await next.vault.findCredentials('app.llavero.desktop/gone')).toHaveLength(isComplete ? 0 : 1);
  });

  it('is never the other half of a session: the settings forget first', async () => {
    const foreign = await startForeignServer({ override: withToken });
    const { session, vault, sessionStore, config } = await makeMain({ foreign });
    await session.logins.login(ana);
    const forgetting = session.forget(sessionStore.all()[0]!.id);
    const whileSettingsWait = vault.findCredentials(service);
    expect(config.persisted().sessions).not.toEqual({});
    expect(await whileSettingsWait).toHaveLength(1);
    await forgetting;
    expect(config.persisted().sessions).toEqual({});
    expect(await vault.findCredentials(service)).toEqual([]);
  });
});

describe('a session that is not to be remembered', () => {
  it('is in use, and neither it nor its account is in the configuration or the vault file', async () => {
    const foreign = await startForeignServer();
    const { session, state, store, folder } = await makeMain({ foreign });
    await session.logins.register({ ...ana, ...at, remember: false });
    expect(state.get().session).toMatchObject({ step: 'signed-in' });
    expect(JSON.stringify(store)).not.toContain(ana.email);
    const next = await makeMain({ foreign }, { folder, store });
    await next.session.restore();
    expect(next.state.get()).toMatchObject({ sessions: [], session: { step: 'signed-out' } });
    expect(await next.vault.findCredentials(service)).toEqual([]);
  });
});

describe('when every session is to be forgotten at the end', () => {
  it('those that rest come into memory, and rest again when that is over; one not to be remembered never does', async () => {
    const foreign = await startForeignServer();
    const { session, store, folder, config, vault } = await makeMain({ foreign });
    await session.logins.register({ ...ana, ...at });
    const change = async (clearOnQuit: boolean) => {
      config.change({ settings: { ...config.get().settings, clearOnQuit } });
      await session.credentials.setClearOnQuit(clearOnQuit);
    };
    await change(true);
    expect(JSON.stringify(store)).not.toContain(ana.email);
    session.addAccount();
    await session.logins.login({ ...ana, remember: false });
    session.addAccount();
    await session.logins.login(ana);
    // This is the state after a crash: the end was never reached.
    const crashed = await makeMain({ foreign }, { folder, store: structuredClone(store) });
    expect(crashed.sessionStore.all()).toEqual([]);
    expect(await crashed.vault.findCredentials(service)).toEqual([]);

    await change(false);
    expect(Object.keys(config.get().sessions)).toHaveLength(2);
    expect(await vault.findCredentials(service)).toHaveLength(3);
    const next = await makeMain({ foreign }, { folder, store });
    await next.session.restore();
    expect(next.state.get().session).toMatchObject({ step: 'signed-in' });
    expect(await next.vault.findCredentials(service)).toHaveLength(2);
  });

  it('one that is forgotten while it is moved stays forgotten, with its token', async () => {
    const foreign = await startForeignServer();
    const { session, sessionStore, config, vault } = await makeMain({ foreign });
    await session.logins.register({ ...ana, ...at });
    config.change({ settings: { ...config.get().settings, clearOnQuit: true } });
    const moving = session.credentials.setClearOnQuit(true);
    const forgetting = session.forget(sessionStore.all()[0]!.id);
    await Promise.all([moving, forgetting]);
    expect(sessionStore.all()).toEqual([]);
    expect(await vault.findCredentials(service)).toEqual([]);
  });

  it('what a crash left is dropped at the next start, which then shows the log-in form', async () => {
    const foreign = await startForeignServer();
    const first = await makeMain({ foreign });
    await first.session.logins.register({ ...ana, ...at });
    first.config.change({ settings: { ...first.config.get().settings, clearOnQuit: true } });
    await first.config.flushWithBackup();
    const { session, state } = await makeMain({ foreign }, { folder: first.folder, store: first.store });
    // `start` shows the stored session in the same way.
    session.presenter.showStored();
    expect(state.get().session.step).toBe('restoring');
    await session.credentials.clearPersistedSessions();
    await session.restore();
    expect(state.get()).toMatchObject({ sessions: [], session: { step: 'signed-out' } });
  });

  it('what a locked keyring kept from being moved goes at the next start or end', async () => {
    const foreign = await startForeignServer();
    const first = await makeMain({ foreign });
    await first.session.logins.register({ ...ana, ...at });
    const locked = createFakeCipher({ protection: { protected: false, reason: 'locked' } });
    const { session, config, sessionStore, vault } = await makeMain(
      { foreign },
      { folder: first.folder, store: first.store, cipher: locked },
    );
    config.change({ settings: { ...config.get().settings, clearOnQuit: true } });
    await session.credentials.setClearOnQuit(true);
    expect(sessionStore.all()).toHaveLength(1);
    await session.credentials.clearPersistedSessions();
    expect(sessionStore.all()).toEqual([]);
    expect(await vault.findCredentials(service)).toEqual([]);
  });
});

describe('a keyring that is locked at the start', () => {
  it('keeps the session, says so, and shows it after unlocking; what was logged in meanwhile rests then', async () => {
    const foreign = await startForeignServer();
    const first = await makeMain({ foreign });
    await first.session.logins.register({ ...ana, ...at });
    let protection: Protection = { protected: false, reason: 'locked' };
    const cipher = createFakeCipher({ probe: async () => protection });
    const { session, state, vault, sessionStore, config } = await makeMain(
      { foreign },
      { folder: first.folder, store: first.store, cipher },
    );
    await session.restore();
    expect(state.get()).toMatchObject({
      vault: { state: 'locked' },
      sessions: [{ account: ana.email }],
      session: { step: 'signed-out', notice: { kind: 'vault-locked' } },
    });
    protection = { protected: true, backend: 'fake' };
    await vault.retry();
    await expect.poll(() => state.get().session).toMatchObject({ step: 'signed-in', user: { email: ana.email } });

    protection = { protected: false, reason: 'locked' };
    await vault.retry();
    session.addAccount();
    await session.logins.login(ana);
    const ids = () => Object.keys(config.get().sessions);
    expect(ids()).toHaveLength(1);
    protection = { protected: true, backend: 'fake' };
    await vault.retry();
    await expect.poll(ids).toHaveLength(2);
    expect(sessionStore.current('foreign')?.id).toBe(ids()[1]);
  });
});
