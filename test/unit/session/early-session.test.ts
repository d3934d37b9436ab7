import { describe, expect, it, vi } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { createHeldCipher } from '../../support/held-cipher.ts';
import { makeMain } from '../../support/make-main.ts';

type Override = NonNullable<NonNullable<Parameters<typeof startForeignServer>[0]>['override']>;

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery' };

describe('a login whose answer says who the person is', () => {
  const user = { id: 7, name: ana.name, email: ana.email };
  const answeredBy =
    (profile: ReturnType<Override>): Override =>
    ({ path: called }) =>
      called.endsWith('/login')
        ? { status: 200, body: { token: '7|0123456789abcdef', user } }
        : called.endsWith('/perfil')
          ? profile
          : undefined;

  it('shows the session while the profile is still under way, and lets the person log out', async () => {
    const foreign = await startForeignServer({ override: answeredBy('no answer') });
    const { session, state, vault } = await makeMain({ foreign });
    const login = session.login(ana);
    await vi.waitUntil(() => foreign.waiting.size > 0 && state.get().session.step === 'restoring');
    expect(state.get().session).toMatchObject({ step: 'restoring', user: { name: ana.name } });
    const [held] = state.get().sessions;
    expect(held).toMatchObject({ account: ana.email, tokenId: '7', state: 'usable' });
    expect(held?.checkedAt).toBeUndefined();
    expect(await session.logout(held!.id, false)).toMatchObject({ ok: true });
    expect(await login).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'logged-out-untold' } });
    expect(state.get().sessions).toMatchObject([{ state: 'to-revoke' }]);
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('asks for the profile while the system seals the token, and shows nothing before it is sealed, then the profile at once', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = answeredBy({ status: 200, body: user });
    const foreign = await startForeignServer({
      override(call) {
        if (call.path.endsWith('/perfil')) asked.resolve();
        return answer(call);
      },
    });
    const system = createHeldCipher();
    const { session, state, calls, shown } = await makeMain({ foreign }, { cipher: system.cipher });
    system.hold();
    const login = session.login(ana);
    await asked.promise;
    expect(state.get()).toMatchObject({ session: { step: 'signed-out' }, sessions: [] });
    const all = { search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false } as const;
    await expect.poll(() => calls.list(all, 0)).toMatchObject({ value: { calls: [{}, {}] } });
    system.release();
    expect(await login).toMatchObject({ ok: true });
    expect(shown.map((each) => each.session.step)).not.toContain('restoring');
    expect(state.get().session).toMatchObject({ step: 'signed-in', user: { name: ana.name } });
  });

  it('takes the session back, and says why, when the server refuses its token', async () => {
    const foreign = await startForeignServer({ override: answeredBy({ status: 401, body: { message: 'No' } }) });
    const { session, state, vault } = await makeMain({ foreign });
    expect(await session.login(ana)).toMatchObject({ ok: false, error: { reason: 'fresh-token-refused' } });
    expect(state.get()).toMatchObject({
      session: { step: 'signed-out', notice: { kind: 'not-logged-in', error: { reason: 'fresh-token-refused' } } },
      sessions: [],
    });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
  });

  it('shows the session of before again when the server refuses the token of another account', async () => {
    let isRefused = false;
    const foreign = await startForeignServer({
      override: (call) => (isRefused ? answeredBy({ status: 401, body: { message: 'No' } })(call) : undefined),
    });
    const { session, state, held } = await makeMain({ foreign });
    const first = { ...ana, email: 'bea@example.test', cpassword: '', path: 'registro' } as const;
    expect(await session.register(first)).toMatchObject({ ok: true });
    const before = held.current('foreign')?.id;
    isRefused = true;
    session.addAccount();
    expect(await session.login(ana)).toMatchObject({ ok: false, error: { reason: 'fresh-token-refused' } });
    expect(before).toBeDefined();
    expect(held.current('foreign')?.id).toBe(before);
    expect(state.get().sessions).toHaveLength(1);
  });

  it('says that nobody confirmed it when the person cancels the check', async () => {
    const foreign = await startForeignServer({ override: answeredBy('no answer') });
    const { session, state } = await makeMain({ foreign });
    const login = session.login(ana);
    await vi.waitUntil(() => foreign.waiting.size > 0 && state.get().session.step === 'restoring');
    session.cancel();
    expect(await login).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
  });
});
