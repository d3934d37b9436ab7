import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { answer } from '../../../main/ipc/answer.ts';
import { contract } from '../../../preload/contract/contract.ts';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { ok } from '../../../preload/contract/result.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain, type MainOptions } from '../../support/make-main.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const at = { path: 'registro' } as const;

const noKeyring = { protected: false, reason: 'no-keyring' } as const;

/** A system store that, once held, gives nothing until it is released. */
function createHeldCipher() {
  const fake = createFakeCipher();
  let asked = Promise.withResolvers<void>();
  let free = Promise.resolve();
  let release = (): void => undefined;
  const waited = async <T>(call: () => Promise<T>): Promise<T> => {
    asked.resolve();
    await free;
    return call();
  };
  return {
    cipher: {
      probe: fake.probe,
      encrypt: (text: string) => waited(() => fake.encrypt(text)),
      decrypt: (sealed: Buffer, backend: string) => waited(() => fake.decrypt(sealed, backend)),
    },
    hold(): void {
      asked = Promise.withResolvers();
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      release = resolve;
    },
    asked: () => asked.promise,
    release: () => release(),
  };
}

/** Ana is logged in on a server. */
async function makeSignedIn(options: MainOptions = {}) {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign }, options);
  await main.session.register({ ...ana, ...at });
  const [token] = [...foreign.issued];
  const tokenNow = () => main.session.tokenOf(main.held.all()[0]?.id ?? '');
  return { ...main, foreign, token: token ?? '', tokenNow };
}

describe('a lock', () => {
  it('ends a replay and a look at an address that are under way', async () => {
    let isSilent = false;
    const foreign = await startForeignServer({ override: () => (isSilent ? 'no answer' : undefined) });
    const main = await makeMain({ foreign });
    await main.session.register({ ...ana, ...at });
    const page = main.calls.list({ search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false }, 0);
    const { id } = (page.ok && page.value.calls.find((each) => each.path.endsWith('/perfil'))) || { id: '' };
    isSilent = true;
    const before = foreign.calls.length;
    const replayed = main.replay.replay(id, undefined);
    const looked = main.servers.test({ address: foreign.baseUrl });
    while (foreign.calls.length < before + 2) await nextTurn();
    main.lock.lock('by-hand');
    const cancelled = { kind: 'cancelled' };
    expect(await replayed).toMatchObject({ value: { outcome: 'sent', call: { failure: cancelled } } });
    expect(await looked).toMatchObject({ ok: true, value: { reached: false, error: cancelled } });
  });
});

describe('locked, the window', () => {
  it('is told nothing of accounts, servers or sessions, and the state before it is not told again', async () => {
    const { lock, told, state, session, config } = await makeSignedIn();
    told.length = 0;
    expect(lock.lock('by-hand')).toMatchObject({ locked: true, cause: 'by-hand' });
    // What goes on in main meanwhile.
    await nextTurn();
    session.addAccount();
    await nextTurn();
    config.change({ lastEmails: { foreign: ana.email } });
    session.showStored();
    await nextTurn();
    expect(told.length).toBeGreaterThan(1);
    for (const each of [...told, state.shown()]) {
      expect(Object.keys(each).toSorted()).toEqual([
        'cause',
        'electron',
        'files',
        'language',
        'locked',
        'pin',
        'revision',
        'settings',
        'triesLeft',
        'version',
      ]);
      expect(JSON.stringify(each)).not.toMatch(/ana|Prueba|foreign|127\.0\.0/i);
    }
    expect((await lock.unlock(undefined)).ok).toBe(true);
    expect(told.at(-1)).toMatchObject({ locked: false, sessions: [{ account: ana.email }] });
  });

  it('is refused every method but a few, and the answer of one that was under way', async () => {
    const served = Object.entries(contract).flatMap(([group, methods]) =>
      Object.entries(methods).flatMap(([name, { whileLocked }]) => (whileLocked ? [`${group}.${name}`] : [])),
    );
    expect(served).toEqual(['app.state', 'app.painted', 'lock.now', 'lock.unlock', 'settings.change']);
    let locked = true;
    let called = 0;
    const ask = (input: unknown) =>
      answer(
        contract.sessions.logout,
        () => ok(++called),
        input,
        String,
        () => locked,
      );
    expect(await ask({ id: 'x', tellServer: true })).toEqual({ ok: false, error: { kind: 'locked' } });
    expect(called).toBe(0);
    const underWay = Promise.withResolvers<void>();
    locked = false;
    const answering = answer(
      contract.vault.retry,
      async () => {
        await underWay.promise;
        return ok('the state of before');
      },
      undefined,
      String,
      () => locked,
    );
    locked = true;
    underWay.resolve();
    expect(await answering).toEqual({ ok: false, error: { kind: 'locked' } });
    const allowed = await answer(
      contract.app.state,
      () => ok('the locked state'),
      undefined,
      String,
      () => locked,
    );
    expect(allowed).toEqual(ok('the locked state'));
  });

  it('loses the call that was under way', async () => {
    let hanging = false;
    const foreign = await startForeignServer({
      override: ({ path: called }) => (hanging && called.endsWith('/perfil') ? 'no answer' : undefined),
    });
    const { session, lock } = await makeMain({ foreign });
    await session.register({ ...ana, ...at });
    hanging = true;
    const checking = session.checkShown();
    await expect.poll(() => foreign.calls.at(-1)?.path).toMatch(/perfil$/);
    lock.lock('idle');
    expect(await checking).toBeDefined();
  });
});

describe('without a PIN', () => {
  it('unlocking asks for none, and the session is checked again', async () => {
    const { lock, foreign, state } = await makeSignedIn();
    lock.lock('idle');
    foreign.calls.length = 0;
    await lock.unlock(undefined);
    await expect.poll(() => state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(foreign.calls.map(({ path: called }) => called)).toEqual(['/app/api/v1/auth/perfil']);
  });
});

describe.each([
  ['with a keyring', undefined],
  ['with tokens in memory only', createFakeCipher({ protection: noKeyring })],
])('with a PIN, %s', (_where, cipher) => {
  const options = cipher ? { cipher } : {};

  it('this process cannot read the token while it is locked, and can once the PIN is given', async () => {
    const { lock, tokenNow, token, vault, references } = await makeSignedIn(options);
    expect((await lock.setPin('1234', undefined)).ok).toBe(true);
    expect(await tokenNow()).toBe(token);
    lock.lock('by-hand');
    expect(await tokenNow()).toBeUndefined();
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    // What was cut off is recorded before.
    await nextTurn();
    expect(references.hide(token)).toBe(token);
    expect(references.within(token)).toEqual([]);
    expect(inspect([vault, references], { depth: 9, showHidden: true })).not.toContain(token);
    await expect(vault.setPassword('s', 'a', 'new')).rejects.toThrow('closed');
    expect(await lock.unlock('9999')).toEqual({ ok: false, error: { kind: 'wrong-pin', triesLeft: 4 } });
    expect(await tokenNow()).toBeUndefined();
    expect(await lock.unlock('1234')).toMatchObject({ ok: true, value: { locked: false } });
    expect(await tokenNow()).toBe(token);
  });

  it('five wrong ones drop the sessions here, and the application opens without them', async () => {
    const { lock, state, vault, held, config, folder, told } = await makeSignedIn(options);
    await lock.setPin('1234', undefined);
    lock.lock('sleep');
    for (const triesLeft of [4, 3, 2, 1]) {
      expect(await lock.unlock('0000')).toEqual({ ok: false, error: { kind: 'wrong-pin', triesLeft } });
      expect(told.at(-1)).toMatchObject({ locked: true, triesLeft });
    }
    expect(await lock.unlock('0000')).toEqual({ ok: false, error: { kind: 'wrong-pin', triesLeft: 0 } });
    expect(told.at(-1)).toMatchObject({
      locked: false,
      pin: false,
      sessions: [],
      session: { step: 'signed-out', notice: { kind: 'sessions-dropped' } },
    });
    expect(held.all()).toEqual([]);
    expect(config.get().sessions).toEqual({});
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    const file = await readFile(path.join(folder, 'vault.json'), 'utf8').catch(() => '{"entries":[]}');
    expect(JSON.parse(file).entries).toEqual([]);
    expect(state.isLocked()).toBe(false);
  });
});

describe('a PIN', () => {
  it('is asked for at the next start; without it nothing of the session is told or read', async () => {
    const { lock, folder, store, foreign, token } = await makeSignedIn();
    await lock.setPin('a longer PIN', undefined);
    // The next run of the application on the same files.
    const next = await makeMain({ foreign }, { folder, store });
    expect(next.state.shown()).toMatchObject({ locked: true, cause: 'start', pin: true, triesLeft: 5 });
    const { id } = next.held.all()[0]!;
    expect(await next.session.tokenOf(id)).toBeUndefined();
    await next.session.restore();
    expect(next.held.all()).toHaveLength(1);
    await next.lock.unlock('a longer PIN');
    expect(await next.session.tokenOf(id)).toBe(token);
    await expect.poll(() => next.state.get().session.step).toBe('signed-in');
  });

  it('given at the start says who protects, also when there is no session', async () => {
    const { lock, folder, store, foreign, session, held } = await makeSignedIn();
    await session.forget(held.all()[0]!.id);
    await lock.setPin('1234', undefined);
    const next = await makeMain({ foreign }, { folder, store });
    await next.lock.unlock('1234');
    await expect.poll(() => next.state.get().vault).toMatchObject({ state: 'protected' });
  });

  it('is changed and removed only with the current one; the tokens stay', async () => {
    const { lock, tokenNow, token, folder, store, foreign, state } = await makeSignedIn();
    await lock.setPin('1234', undefined);
    expect(await lock.setPin('5678', 'wrong')).toMatchObject({ error: { kind: 'wrong-pin', triesLeft: 4 } });
    expect(await lock.setPin('5678', undefined)).toMatchObject({ error: { kind: 'wrong-pin', triesLeft: 3 } });
    expect((await lock.setPin('5678', '1234')).ok).toBe(true);
    lock.lock('by-hand');
    expect(await lock.unlock('1234')).toMatchObject({ ok: false });
    expect(await lock.unlock('5678')).toMatchObject({ ok: true });
    expect(await lock.removePin('1234')).toMatchObject({ ok: false });
    expect((await lock.removePin('5678')).ok).toBe(true);
    expect(state.get().pin).toBe(false);
    expect(await tokenNow()).toBe(token);
    const next = await makeMain({ foreign }, { folder, store });
    expect(next.state.isLocked()).toBe(false);
    expect(await next.session.tokenOf(next.held.all()[0]!.id)).toBe(token);
  });

  it('is not removed while what is under it cannot be read', async () => {
    const { lock, folder, store, foreign, token } = await makeSignedIn();
    await lock.setPin('1234', undefined);
    const locked = createFakeCipher({ protection: { protected: false, reason: 'locked' } });
    const next = await makeMain({ foreign }, { folder, store, cipher: locked });
    await next.lock.unlock('1234');
    expect(await next.lock.removePin('1234')).toEqual({ ok: false, error: { kind: 'token-unreadable' } });
    const third = await makeMain({ foreign }, { folder, store });
    await third.lock.unlock('1234');
    expect(await third.session.tokenOf(third.held.all()[0]!.id)).toBe(token);
  });

  it('whose file is of a newer version starts locked, says so, and opens nothing', async () => {
    const { folder, store, foreign } = await makeSignedIn();
    await writeFile(path.join(folder, 'lock.json'), '{"version":2}');
    const notices: FileNotice[] = [];
    const next = await makeMain({ foreign }, { folder, store, notices });
    expect(next.state.shown()).toMatchObject({ locked: true, pin: true });
    expect(notices).toEqual([{ file: 'lock.json', problem: 'newer' }]);
    expect(await next.lock.unlock('1234')).toEqual({ ok: false, error: { kind: 'file-failed', code: 'newer' } });
    expect(await next.session.tokenOf(next.held.all()[0]!.id)).toBeUndefined();
    expect(await readFile(path.join(folder, 'lock.json'), 'utf8')).toBe('{"version":2}');
  });

  describe.each(['at once', 'when its file is there', 'while the system seals'] as const)(
    'during whose setting the application is locked, %s,',
    (when) => {
      it('leaves nothing readable until it is given', async () => {
        const seals = createHeldCipher();
        const { lock, tokenNow, token, vault, folder, state } = await makeSignedIn({ cipher: seals.cipher });
        seals.hold();
        const setting = lock.setPin('1234', undefined);
        if (when === 'when its file is there') await vi.waitFor(() => access(path.join(folder, 'lock.json')));
        if (when === 'while the system seals') await seals.asked();
        lock.lock('by-hand');
        seals.release();
        expect((await setting).ok).toBe(true);
        expect(state.isLocked()).toBe(true);
        expect(vault.pin.isClosed()).toBe(true);
        expect(await tokenNow()).toBeUndefined();
        expect((await lock.unlock('1234')).ok).toBe(true);
        expect(await tokenNow()).toBe(token);
      });
    },
  );

  it('during whose removal the application is locked stays, with everything under it', async () => {
    const seals = createHeldCipher();
    const { lock, tokenNow, token, folder } = await makeSignedIn({ cipher: seals.cipher });
    await lock.setPin('1234', undefined);
    seals.hold();
    const removing = lock.removePin('1234');
    await seals.asked();
    lock.lock('by-hand');
    seals.release();
    expect((await removing).ok).toBe(false);
    expect(await tokenNow()).toBeUndefined();
    expect(JSON.parse(await readFile(path.join(folder, 'vault.json'), 'utf8')).entries).toMatchObject([{ pin: true }]);
    expect((await lock.unlock('1234')).ok).toBe(true);
    expect(await tokenNow()).toBe(token);
  });

  it.each([
    ['set', undefined],
    ['removed', '1234'],
  ])('%s while a login seals its token loses neither that token nor another', async (_what, before) => {
    const seals = createHeldCipher();
    const { lock, vault, tokenNow, token } = await makeSignedIn({ cipher: seals.cipher });
    if (before !== undefined) await lock.setPin(before, undefined);
    seals.hold();
    const changing = before === undefined ? lock.setPin('1234', undefined) : lock.removePin(before);
    await seals.asked();
    const sealing = vault.setPassword('server', 'ana', 'of a login');
    seals.release();
    expect((await changing).ok).toBe(true);
    await sealing;
    expect(await vault.getPassword('server', 'ana')).toBe('of a login');
    expect(await tokenNow()).toBe(token);
    if (before !== undefined) return;
    lock.lock('by-hand');
    expect(await vault.getPassword('server', 'ana')).toBeNull();
  });

  it('that was being set when the application ended covers everything after the next unlocking', async () => {
    const { folder, store, foreign, token } = await makeSignedIn();
    const { openPin } = await import('../../../main/lock/pin.ts');
    const pin = await openPin(path.join(folder, 'lock.json'), { memoryKiB: 64, passes: 1 });
    await pin.create('1234');
    const next = await makeMain({ foreign }, { folder, store });
    await next.lock.unlock('1234');
    expect(await next.session.tokenOf(next.held.all()[0]!.id)).toBe(token);
    const { entries } = JSON.parse(await readFile(path.join(folder, 'vault.json'), 'utf8'));
    expect(entries).toMatchObject([{ pin: true }]);
  });
});
