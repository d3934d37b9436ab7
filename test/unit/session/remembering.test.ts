import ElectronStore from 'electron-store';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainServer } from '../../../main/account/config/config.ts';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { lastGoodOf } from '../../../main/files/kept-file.ts';
import type { Protection } from '../../../main/account/vault/cipher.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const at = { path: 'registro' } as const;
const service = 'app.llavero.desktop/foreign';

describe('a login that is remembered', () => {
  it.each([
    ['ends', false],
    ['is locked and ends', true],
  ])(
    'is one write, after the profile is shown, and there again when the application %s at once',
    async (_how, locks) => {
      // However long the login takes here, it is done before half a second has passed.
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
      const user = { id: 7, name: ana.name, email: ana.email };
      const foreign = await startForeignServer({
        override: ({ path: called }) => ({
          status: 200,
          body: called.endsWith('/login') ? { token: '7|0123456789abcdef', user } : user,
        }),
      });
      const folder = await makeTemporaryFolder();
      const run = async () => {
        const config = await openConfig(folder, createFileNotices(), () => expect.unreachable());
        return makeMain({}, { folder, ports: { config } });
      };
      const { config, session, state, lock, application } = await run();
      const server = plainServer('foreign', '', foreign.baseUrl);
      config.change({ servers: [...config.get().servers, server], activeServerId: server.id });
      await config.save();
      const set = vi.spyOn(ElectronStore.prototype, 'set');
      expect(await session.login(ana)).toMatchObject({ ok: true });
      expect(state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
      await nextTurn();
      // Other tests of this worker may still have a write to do.
      const writes = () =>
        set.mock.contexts.filter((store) => store instanceof ElectronStore && path.dirname(store.path) === folder);
      expect(writes()).toEqual([]);
      if (locks) lock.lock('by-hand');
      await application.close();
      expect(writes()).toHaveLength(1);
      const file = path.join(folder, 'config.json');
      expect(await readFile(lastGoodOf(file), 'utf8')).toBe(await readFile(file, 'utf8'));
      expect(config.get().servers.at(-1)?.dialect.learned).toMatchObject({ token: 'token' });

      const next = await run();
      expect(await next.session.restore()).toMatchObject({ ok: true });
      expect(next.state.get()).toMatchObject({
        session: { step: 'signed-in', user: { name: ana.name } },
        sessions: [{ account: ana.email }],
      });
    },
  );
});

describe('a session that is not to be remembered', () => {
  it('is in use, and neither it nor its account is in the configuration or the vault file', async () => {
    const foreign = await startForeignServer();
    const { session, state, store, folder } = await makeMain({ foreign });
    await session.register({ ...ana, ...at, remember: false });
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
    await session.register({ ...ana, ...at });
    const change = async (clearOnQuit: boolean) => {
      config.change({ settings: { ...config.get().settings, clearOnQuit } });
      await session.setClearOnQuit(clearOnQuit);
    };
    await change(true);
    expect(JSON.stringify(store)).not.toContain(ana.email);
    session.addAccount();
    await session.login({ ...ana, remember: false });
    session.addAccount();
    await session.login(ana);
    // This is the state after a crash: the end was never reached.
    const crashed = await makeMain({ foreign }, { folder, store: structuredClone(store) });
    expect(crashed.held.all()).toEqual([]);
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
    const { session, held, config, vault } = await makeMain({ foreign });
    await session.register({ ...ana, ...at });
    config.change({ settings: { ...config.get().settings, clearOnQuit: true } });
    const moving = session.setClearOnQuit(true);
    const forgetting = session.forget(held.all()[0]!.id);
    await Promise.all([moving, forgetting]);
    expect(held.all()).toEqual([]);
    expect(await vault.findCredentials(service)).toEqual([]);
  });

  it('what a crash left is dropped at the next start, which then shows the log-in form', async () => {
    const foreign = await startForeignServer();
    const first = await makeMain({ foreign });
    await first.session.register({ ...ana, ...at });
    first.config.change({ settings: { ...first.config.get().settings, clearOnQuit: true } });
    await first.config.save();
    const { session, state } = await makeMain({ foreign }, { folder: first.folder, store: first.store });
    // `start` shows the stored session in the same way.
    session.showStored();
    expect(state.get().session.step).toBe('restoring');
    await session.clearKept();
    await session.restore();
    expect(state.get()).toMatchObject({ sessions: [], session: { step: 'signed-out' } });
  });

  it('what a locked keyring kept from being moved goes at the next start or end', async () => {
    const foreign = await startForeignServer();
    const first = await makeMain({ foreign });
    await first.session.register({ ...ana, ...at });
    const locked = createFakeCipher({ protection: { protected: false, reason: 'locked' } });
    const { session, config, held, vault } = await makeMain(
      { foreign },
      { folder: first.folder, store: first.store, cipher: locked },
    );
    config.change({ settings: { ...config.get().settings, clearOnQuit: true } });
    await session.setClearOnQuit(true);
    expect(held.all()).toHaveLength(1);
    await session.clearKept();
    expect(held.all()).toEqual([]);
    expect(await vault.findCredentials(service)).toEqual([]);
  });
});

describe('a keyring that is locked at the start', () => {
  it('keeps the session, says so, and shows it after unlocking; what was logged in meanwhile rests then', async () => {
    const foreign = await startForeignServer();
    const first = await makeMain({ foreign });
    await first.session.register({ ...ana, ...at });
    let protection: Protection = { protected: false, reason: 'locked' };
    const cipher = createFakeCipher({ probe: async () => protection });
    const { session, state, vault, held, config } = await makeMain(
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
    await session.login(ana);
    const ids = () => Object.keys(config.get().sessions);
    expect(ids()).toHaveLength(1);
    protection = { protected: true, backend: 'fake' };
    await vault.retry();
    await expect.poll(ids).toHaveLength(2);
    expect(held.current('foreign')?.id).toBe(ids()[1]);
  });
});
