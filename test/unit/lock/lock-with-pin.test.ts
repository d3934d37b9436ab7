import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { createHeldCipher } from '../../support/held-cipher.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeSignedIn } from '../../support/signed-in.ts';

describe('a PIN', () => {
  it('is asked for at the next start; without it nothing of the session is told or read', async () => {
    const { lock, folder, store, foreign, token } = await makeSignedIn();
    await lock.setPin('a longer PIN', undefined);
    // This is the next run of the application on the same files.
    const next = await makeMain({ foreign }, { folder, store });
    expect(next.state.shown()).toMatchObject({ locked: true, cause: 'start', pin: true, triesLeft: 5 });
    const { id } = next.sessionStore.all()[0]!;
    expect(await next.session.tokenOf(id)).toBeUndefined();
    await next.session.restore();
    expect(next.sessionStore.all()).toHaveLength(1);
    await next.lock.unlock('a longer PIN');
    expect(await next.session.tokenOf(id)).toBe(token);
    await expect.poll(() => next.state.get().session.step).toBe('signed-in');
  });

  it('that is given at the start asks no keyring when there is no session', async () => {
    const { lock, folder, store, foreign, session, sessionStore } = await makeSignedIn();
    await session.forget(sessionStore.all()[0]!.id);
    await lock.setPin('1234', undefined);
    const next = await makeMain({ foreign }, { folder, store });
    await next.lock.unlock('1234');
    await expect.poll(() => next.state.get().vault).toMatchObject({ state: 'not-asked' });
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
    expect(await next.session.tokenOf(next.sessionStore.all()[0]!.id)).toBe(token);
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
    expect(await third.session.tokenOf(third.sessionStore.all()[0]!.id)).toBe(token);
  });

  it('whose file is of another version starts locked, says so, and opens nothing', async () => {
    const { folder, store, foreign } = await makeSignedIn();
    await writeFile(path.join(folder, 'lock.json'), '{"version":2}');
    const notices: FileNotice[] = [];
    const next = await makeMain({ foreign }, { folder, store, notices });
    expect(next.state.shown()).toMatchObject({ locked: true, pin: true });
    expect(notices).toEqual([{ file: 'lock.json', problem: 'other-version' }]);
    expect(await next.lock.unlock('1234')).toEqual({
      ok: false,
      error: { kind: 'file-failed', code: 'other-version' },
    });
    expect(await next.session.tokenOf(next.sessionStore.all()[0]!.id)).toBeUndefined();
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
        expect(vault.isPinClosed()).toBe(true);
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
    const { openPinFile } = await import('../../../main/account/lock/pin.ts');
    const pin = await openPinFile(path.join(folder, 'lock.json'), { memoryKiB: 64, passes: 1 });
    await pin.create('1234');
    const next = await makeMain({ foreign }, { folder, store });
    await next.lock.unlock('1234');
    expect(await next.session.tokenOf(next.sessionStore.all()[0]!.id)).toBe(token);
    const { entries } = JSON.parse(await readFile(path.join(folder, 'vault.json'), 'utf8'));
    expect(entries).toMatchObject([{ pin: true }]);
  });
});
