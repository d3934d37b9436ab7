import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { handleRequest } from '../../../main/window/ipc/handle-request.ts';
import { contract } from '../../../preload/contract/contract.ts';
import { ok } from '../../../preload/contract/result.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { anaRegistration, makeSignedIn } from '../../support/signed-in.ts';

const at = { path: 'registro' } as const;

const noKeyring = { protected: false, reason: 'no-keyring' } as const;

describe('a lock', () => {
  it('ends a replay and a look at an address that are under way', async () => {
    let isSilent = false;
    const foreign = await startForeignServer({ override: () => (isSilent ? 'no answer' : undefined) });
    const main = await makeMain({ foreign });
    await main.session.logins.register({ ...anaRegistration, ...at });
    const page = main.calls.list({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false }, 0);
    const { id } = (page.ok && page.value.calls.find((each) => each.path.endsWith('/perfil'))) || { id: '' };
    isSilent = true;
    const before = foreign.calls.length;
    const replayed = main.replay.replay(id, undefined);
    const looked = main.servers.drafts.test({ address: foreign.baseUrl });
    while (foreign.calls.length < before + 2) await nextTurn();
    main.lock.lock('by-hand');
    const cancelled = { kind: 'cancelled' };
    expect(await replayed).toMatchObject({ value: { outcome: 'sent', call: { failure: cancelled } } });
    expect(await looked).toMatchObject({ ok: true, value: { reached: false, error: cancelled } });
  });
});

describe('a locked window', () => {
  it('is told nothing of accounts, servers or sessions, and the state before it is not told again', async () => {
    const { lock, told, state, session, config } = await makeSignedIn();
    told.length = 0;
    lock.lock('by-hand');
    expect(state.shown()).toMatchObject({ locked: true, cause: 'by-hand' });
    // Main does its work meanwhile.
    await nextTurn();
    session.addAccount();
    await nextTurn();
    config.change({ lastEmails: { foreign: anaRegistration.email } });
    session.presenter.showStored();
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
        'screenReader',
        'settings',
        'triesLeft',
        'version',
      ]);
      expect(JSON.stringify(each)).not.toMatch(/ana|Prueba|foreign|127\.0\.0/i);
    }
    expect((await lock.unlock(undefined)).ok).toBe(true);
    expect(told.at(-1)).toMatchObject({ locked: false, sessions: [{ account: anaRegistration.email }] });
  });

  it('is refused every method but a few, and the answer of one that was under way', async () => {
    const served = Object.entries(contract).flatMap(([group, methods]) =>
      Object.entries(methods).flatMap(([name, { whileLocked }]) => (whileLocked ? [`${group}.${name}`] : [])),
    );
    expect(served).toEqual([
      'app.state',
      'app.painted',
      'lock.now',
      'lock.unlock',
      'lock.resetForgottenPin',
      'settings.change',
    ]);
    let locked = true;
    let called = 0;
    const ask = (input: unknown) =>
      handleRequest(
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
    const answering = handleRequest(
      contract.vault.retry,
      async () => {
        await underWay.promise;
        return ok('the earlier state');
      },
      undefined,
      String,
      () => locked,
    );
    locked = true;
    underWay.resolve();
    expect(await answering).toEqual({ ok: false, error: { kind: 'locked' } });
    const allowed = await handleRequest(
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
    await session.logins.register({ ...anaRegistration, ...at });
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
    const { lock, tokenNow, token, vault, secretRegistry } = await makeSignedIn(options);
    expect((await lock.setPin('1234', undefined)).ok).toBe(true);
    expect(await tokenNow()).toBe(token);
    lock.lock('by-hand');
    expect(await tokenNow()).toBeUndefined();
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    // The call that was cut off is recorded first.
    await nextTurn();
    expect(secretRegistry.isRegistered(token)).toBe(false);
    expect(secretRegistry.find(token)).toEqual([]);
    expect(inspect([vault, secretRegistry], { depth: 9, showHidden: true })).not.toContain(token);
    await expect(vault.setPassword('s', 'a', 'new')).rejects.toThrow('closed');
    expect(await lock.unlock('9999')).toEqual({ ok: false, error: { kind: 'wrong-pin', triesLeft: 4 } });
    expect(await tokenNow()).toBeUndefined();
    expect(await lock.unlock('1234')).toMatchObject({ ok: true });
    expect(await tokenNow()).toBe(token);
  });

  it('five wrong ones drop the sessions here, and the application opens without them', async () => {
    const { lock, state, vault, sessionStore, config, folder, told } = await makeSignedIn(options);
    await lock.setPin('1234', undefined);
    lock.lock('sleep');
    const aside = ['vault.json.broken-1', 'vault.json.last-good.broken-1', 'lock.json.broken-1'];
    for (const name of aside) await writeFile(path.join(folder, name), 'damaged');
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
    expect(sessionStore.all()).toEqual([]);
    expect(config.get().sessions).toEqual({});
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    const file = await readFile(path.join(folder, 'vault.json'), 'utf8').catch(() => '{"entries":[]}');
    expect(JSON.parse(file).entries).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.includes('broken'))).toEqual([]);
    expect(state.isLocked()).toBe(false);
  });
});
