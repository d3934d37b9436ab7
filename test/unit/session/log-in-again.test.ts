import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const password = 'correct horse battery';
const ana = { name: 'Ana', email: 'ana@example.test', password, cpassword: '' };
const bea = { name: 'Bea', email: 'bea@example.test', password, cpassword: '' };
const again = { serverId: 'foreign', email: ana.email, password };
const logout = '/app/api/v1/auth/salir';

/** Makes main with Ana and then Bea at a server. Of Ana's four minutes one is left, and Bea's session lasts an hour. */
async function makeTwo() {
  const foreign = await startForeignServer({});
  const clock = { at: new Date('2026-11-21T10:00:00Z') };
  const other = await startForeignServer({});
  const main = await makeMain({ foreign, other }, { ports: { now: () => clock.at } });
  for (const person of [ana, bea]) {
    main.session.addAccount();
    await main.session.logins.register({ ...person, path: 'registro' });
  }
  const idOf = (account: string): string => main.sessionStore.all().find((each) => each.account === account)?.id ?? '';
  function endsAt(account: string, at: string): void {
    const stored = main.sessionStore.find(idOf(account))!;
    main.sessionStore.change({ put: [{ session: { ...stored, end: { at, by: 'expires_at', in: 'answer' } } }] });
  }
  clock.at = new Date('2026-11-21T10:03:00Z');
  endsAt(ana.email, '2026-11-21T10:04:00.000Z');
  endsAt(bea.email, '2026-11-21T11:00:00.000Z');
  return { ...main, foreign, idOf, clock, endsAt };
}

const listed = ({ state }: Pick<Awaited<ReturnType<typeof makeTwo>>, 'state'>) =>
  state.get().sessions.map(({ account, expiryState, state: held }) => [account, expiryState, held]);

describe('logging in again before a session ends', () => {
  it('puts the new session in the place of the one that ends, and leaves the screen and the others as they are', async () => {
    const main = await makeTwo();
    expect(listed(main)).toEqual([
      [ana.email, 'soon', 'usable'],
      [bea.email, undefined, 'usable'],
    ]);
    const [before, shown] = [main.idOf(ana.email), main.state.get().session];
    expect(await main.session.logins.logInAgain(again)).toMatchObject({ ok: true });
    expect(listed(main)).toEqual([
      [bea.email, undefined, 'usable'],
      [ana.email, undefined, 'usable'],
    ]);
    expect(main.idOf(ana.email)).not.toBe(before);
    expect(main.state.get().session).toEqual(shown);
    expect(await main.vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(2);
    // A server may end all sessions of the account with the old one, or have given the same token again.
    expect(main.foreign.calls.some(({ path }) => path === logout)).toBe(false);
  });

  it('leaves the session of another account that ends too', async () => {
    const main = await makeTwo();
    main.endsAt(bea.email, '2026-11-21T10:04:00.000Z');
    const before = main.idOf(bea.email);
    await main.session.logins.logInAgain(again);
    expect(main.idOf(bea.email)).toBe(before);
    expect(listed(main)).toEqual([
      [bea.email, 'soon', 'usable'],
      [ana.email, undefined, 'usable'],
    ]);
  });

  it('shows the new session where the old one was on the screen, whichever server is looked at', async () => {
    const main = await makeTwo();
    await main.servers.chooseSession({ id: main.idOf(ana.email) });
    await main.session.restored();
    await main.session.logins.logInAgain(again);
    const anas = main.idOf(ana.email);
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', sessionId: anas });
    await main.servers.choose({ id: 'other' });
    main.endsAt(ana.email, '2026-11-21T10:01:00.000Z');
    await main.session.logins.logInAgain(again);
    expect(main.state.get()).toMatchObject({ activeServerId: 'other', session: { step: 'signed-out' } });
    await main.servers.choose({ id: 'foreign' });
    await main.session.restored();
    expect(main.state.get().session).toMatchObject({ sessionId: main.idOf(ana.email) });
  });

  it('keeps the old session when the password is wrong', async () => {
    const main = await makeTwo();
    const before = listed(main);
    expect(await main.session.logins.logInAgain({ ...again, password: 'wrong' })).toMatchObject({ ok: false });
    expect(listed(main)).toEqual(before);
  });

  it('begins a session where the old one had ended already, on the screen too', async () => {
    const main = await makeTwo();
    await main.servers.chooseSession({ id: main.idOf(ana.email) });
    await main.session.restored();
    main.foreign.tokens.clear();
    await main.session.checkShown();
    expect(main.state.get().session).toMatchObject({ notice: { kind: 'session-ended' } });
    await main.session.logins.logInAgain(again);
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', user: { email: ana.email } });
  });

  it('keeps a session whose end is far beside the new one', async () => {
    const main = await makeTwo();
    await main.session.logins.logInAgain({ ...again, email: bea.email });
    expect(listed(main).filter(([account]) => account === bea.email)).toHaveLength(2);
  });
});
