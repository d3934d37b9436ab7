import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FaultRule } from '../../../preload/contract/local-servers.ts';
import { defectNames, dialectNames, faultKindNames } from '../../../preload/contract/names.ts';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { demoUser } from '../../../main/service/data/demo-user.ts';
import { createSeedUsers } from '../../../main/service/data/seed-users.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const all = { offset: 0, limit: 500 };

/** Starts main with the built-in server on a file of its own. */
async function start() {
  const folder = await makeTemporaryFolder();
  const started = await startExtendedService({
    database: { file: path.join(folder, 'service.sqlite') },
    port: 0,
    argon2: { memoryKiB: 8, passes: 1, lanes: 1 },
    faultInjection: { keepRequests: 100 },
    clock: true,
    clients: 'watched',
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  const elsewhere = { baseUrl: 'http://127.0.0.1:9' };
  const main = await makeMain({ elsewhere }, { service });
  await main.servers.choose({ id: 'built-in' });
  return { ...main, service, folder };
}

const login = ({ session }: Awaited<ReturnType<typeof start>>) =>
  session.logins.login({ email: ana.email, password: ana.password });

describe('how the built-in server behaves', () => {
  it('is part of the state, counts down with each request, and can be turned off', async () => {
    const main = await start();
    expect(main.state.get().behaviour.isOn).toBe(false);
    const faults: FaultRule[] = [{ operation: 'login', kind: '500', amount: { count: 2 } }];
    await main.builtIn.setBehaviour({ dialect: 'spring', defects: ['stack-traces'], faults, seed: 7 });
    const on = { isOn: true, dialect: 'spring', defects: ['stack-traces'], faults, left: [2], seed: 7 };
    expect(main.state.get().behaviour).toEqual(on);

    expect(await login(main)).toMatchObject({ ok: false, error: { kind: 'server-fault' } });
    await expect.poll(() => main.state.get().behaviour).toEqual({ ...on, left: [1] });
    expect(await main.builtIn.requests()).toMatchObject({ value: [{ status: 500, faults: ['500'] }] });
    expect(await main.builtIn.clearRequests()).toEqual({ ok: true, value: [] });

    await main.builtIn.setBehaviour({ faults: [] });
    expect(main.state.get().behaviour).toMatchObject({ isOn: true, dialect: 'spring', left: [] });
    await main.builtIn.setBehaviour({ dialect: null, defects: [] });
    expect(main.state.get().behaviour).toMatchObject({ isOn: false, dialect: null });
  });

  it('never takes a fault that cannot be, and leaves what was there', async () => {
    const main = await start();
    const good: FaultRule = { operation: 'profile', kind: 'expired', amount: { probability: 0.5 } };
    await main.builtIn.setBehaviour({ faults: [good] });
    const impossible: FaultRule[] = [
      { operation: 'login', kind: 'expired', amount: { count: 1 } },
      { operation: 'login', kind: '429', amount: { count: 1 }, parameter: { least: 1, most: 2 } },
      { operation: 'login', kind: 'html', amount: { count: 1 }, parameter: { least: 99, most: 99 } },
      { operation: 'login', kind: '500', amount: { count: 9_999_999 } },
    ];
    for (const fault of impossible) {
      const answer = await main.builtIn.setBehaviour({ faults: [good, fault] });
      expect(answer).toEqual({ ok: false, error: { kind: 'invalid-fault' } });
    }
    expect(main.state.get().behaviour.faults).toEqual([good]);
    await main.builtIn.setBehaviour({ faults: [{ operation: 'login', kind: '429', amount: { count: 1 } }] });
    expect(main.state.get().behaviour.faults).toMatchObject([{ parameter: { least: 30, most: 30 } }]);
  });

  it('offers what the contract knows, and nothing else', async () => {
    const { builtIn } = await start();
    const choices = await builtIn.choices();
    if (!choices.ok) throw new Error('no choices');
    expect(choices.value.dialects).toEqual(dialectNames);
    expect(choices.value.defects).toEqual(defectNames);
    expect(choices.value.faults.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...faultKindNames]));
    expect(choices.value.faults).toHaveLength(faultKindNames.length);
  });
});

describe('what the built-in server holds', () => {
  it('is shown without a token, a password or a hash; a session that is ended is refused', async () => {
    const main = await start();
    await main.session.logins.register({ path: 'registro', ...ana });
    const accounts = await main.builtIn.accounts(all);
    const sessions = await main.builtIn.sessions(all);
    expect(accounts).toMatchObject({ value: { total: 1, rows: [{ name: ana.name, tokens: 1 }] } });
    expect(sessions).toMatchObject({ value: { total: 1, rows: [{ tokenId: 1, email: ana.email }] } });
    const [held] = main.sessionStore.all();
    const token = await main.session.tokenOf(held!.id);
    expect(await main.builtIn.counts()).toEqual({ ok: true, value: { accounts: 1, sessions: 1, requests: 3 } });
    const told = JSON.stringify([accounts, sessions, main.shown, await main.builtIn.requests()]);
    for (const secret of [token!.split('|')[1]!, ana.password, 'argon2']) expect(told).not.toContain(secret);

    expect(await main.builtIn.expire({ id: 1 })).toEqual({ ok: true, value: { done: true } });
    expect(await main.builtIn.revoke({ id: 99 })).toEqual({ ok: true, value: { done: false } });
    await main.session.checkShown();
    expect(main.state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'session-ended' } });
  });

  it('can be replaced and restored; what fails says so and changes nothing', async () => {
    const main = await start();
    await main.session.logins.register({ path: 'registro', ...ana });
    expect(await main.builtIn.undo()).toEqual({ ok: false, error: { kind: 'copy-failed', reason: 'no-copy' } });
    const replaced = await main.builtIn.reset({ set: 'many', seed: 3 });
    expect(replaced).toMatchObject({ value: { accounts: 500, canUndo: true } });
    expect(JSON.stringify(replaced)).not.toContain('password');
    expect(await main.builtIn.undo()).toMatchObject({ value: { accounts: 1, canUndo: false } });

    const broken = await start();
    // A file is where the folder would be.
    writeFileSync(path.join(broken.folder, 'snapshots'), '');
    const failed = { ok: false, error: { kind: 'copy-failed', reason: 'unwritable' } };
    expect(await broken.builtIn.reset({ set: 'three', seed: 1 })).toEqual(failed);
    expect(await broken.builtIn.data()).toMatchObject({ value: { accounts: 0 } });
  });

  it('fails in words while its database cannot be used, and when it did not start', async () => {
    const main = await start();
    const other = new DatabaseSync(path.join(main.folder, 'service.sqlite'));
    onTestFinished(() => other.close());
    other.exec('BEGIN EXCLUSIVE');
    const unavailable = { ok: false, error: { kind: 'database-unavailable', reason: 'locked' } };
    const answers = await Promise.all([main.builtIn.revoke({ id: 1 }), main.demo.start()]);
    expect(answers).toMatchObject([unavailable, unavailable]);
    other.exec('ROLLBACK');
    const { builtIn, demo } = await makeMain({ a: { baseUrl: 'http://127.0.0.1:9' } });
    const stopped = { ok: false, error: { kind: 'built-in-stopped' } };
    expect(await builtIn.accounts(all)).toMatchObject(stopped);
    expect(await demo.start()).toMatchObject(stopped);
  });
});

describe('a seeded account', () => {
  const rowsOf = async ({ builtIn }: Awaited<ReturnType<typeof start>>) => {
    const accounts = await builtIn.accounts(all);
    return accounts.ok ? accounts.value.rows : [];
  };

  it.each(['three', 'awkward'] as const)(
    'of %s is signed in from anywhere, over HTTP, and again, and its password stays here',
    async (set) => {
      const main = await start();
      await main.builtIn.reset({ set, seed: 3 });
      await main.session.logins.register({ path: 'registro', ...ana });
      const passwords = createSeedUsers(set, 3).map(({ password }) => password);
      const seeded = (await rowsOf(main)).filter((row) => row.seeded);
      expect(seeded).toHaveLength(passwords.length);
      for (const { id, name, email } of seeded) {
        await main.servers.choose({ id: 'elsewhere' });
        expect(await main.demo.logInAs({ id })).toMatchObject({ ok: true });
        const { session, activeServerId } = main.state.get();
        expect(activeServerId).toBe('built-in');
        expect(session).toMatchObject({ step: 'signed-in', user: { name, email }, check: { state: 'checked' } });
      }
      const tokens = (await rowsOf(main)).map((row) => row.tokens);
      // The demo person is signed in already, so that no further session is made.
      await main.demo.logInAs({ id: seeded[0]!.id });
      expect(main.state.get().session).toMatchObject({ user: { email: seeded[0]!.email } });
      expect((await rowsOf(main)).map((row) => row.tokens)).toEqual(tokens);

      const told = JSON.stringify([main.told, main.store, await rowsOf(main)]);
      for (const password of passwords) expect(told).not.toContain(password);
      // Nobody typed these addresses.
      expect(main.config.get().lastEmails).toEqual({ 'built-in': ana.email });
    },
  );

  it('is signed in again when the session that is held was ended, also while it is shown', async () => {
    const main = await start();
    await main.builtIn.reset({ set: 'three', seed: 3 });
    const [first] = await rowsOf(main);
    await main.demo.logInAs({ id: first!.id });
    await main.builtIn.revokeAllTokens();
    expect(await main.demo.logInAs({ id: first!.id })).toMatchObject({ ok: true });
    // The token still works.
    await main.session.checkShown();
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', user: { email: first!.email } });
    expect(main.state.get().sessions).toHaveLength(1);
  });

  it('that is not made up, or is gone, is not signed in, and the screen stays', async () => {
    const main = await start();
    await main.session.logins.register({ path: 'registro', ...ana });
    await main.servers.choose({ id: 'elsewhere' });
    for (const id of [1, 99]) {
      expect(await main.demo.logInAs({ id })).toEqual({ ok: false, error: { kind: 'not-seeded' } });
    }
    expect(main.state.get().activeServerId).toBe('elsewhere');
  });

  it('says what went wrong when the service misbehaves', async () => {
    const main = await start();
    await main.builtIn.reset({ set: 'three', seed: 3 });
    const [first] = await rowsOf(main);
    await main.builtIn.setBehaviour({ faults: [{ operation: 'login', kind: '429', amount: { count: 1 } }] });
    expect(await main.demo.logInAs({ id: first!.id })).toMatchObject({ ok: false, error: { kind: 'throttled' } });
    expect(await main.demo.logInAs({ id: first!.id })).toMatchObject({ ok: true });
  });
});

describe('the offline demo', () => {
  it('signs in as a made-up person from anywhere, and again, and keeps the password to itself', async () => {
    const main = await start();
    await main.servers.choose({ id: 'elsewhere' });
    for (const round of [1, 2]) {
      expect(await main.demo.start()).toMatchObject({ ok: true });
      const { session, activeServerId, sessions } = main.state.get();
      expect(activeServerId).toBe('built-in');
      expect(session).toMatchObject({ step: 'signed-in', user: { name: demoUser.name, email: demoUser.email } });
      expect(sessions).toMatchObject([{ isDemo: true }]);
      if (round === 1) await main.session.logOutShown(true);
    }
    // A third start finds the demo person signed in, and makes no further session.
    await main.demo.start();
    expect(main.state.get().sessions).toHaveLength(1);
    expect(JSON.stringify([main.shown, main.store])).not.toContain(demoUser.password);
    await main.session.logOutShown(true);
    expect(main.state.get().session).toMatchObject({ step: 'signed-out', email: undefined });
  });

  it.each([
    ['en', ['Owner', 'Home', 'Spain', 'monthly'], ['Propietaria']],
    ['es', ['Propietaria', 'Casa', 'España', 'mensual'], ['Owner', 'Home', 'Spain', 'monthly', 'dark']],
  ] as const)('shows no secret, and its values in the language of the window: %s', async (language, its, others) => {
    const main = await start();
    main.config.change({ settings: { ...main.config.get().settings, language } });
    expect(await main.demo.start()).toMatchObject({ ok: true });
    const { session } = main.state.get();
    if (session.step !== 'signed-in') throw new Error(session.step);
    const shown = JSON.stringify(session.user);
    expect(shown).not.toContain('"secret"');
    for (const value of its) expect(shown).toContain(`"${value}"`);
    for (const value of others) expect(shown).not.toContain(`"${value}"`);
  });

  it('starts over without touching anybody else', async () => {
    const main = await start();
    await main.session.logins.register({ path: 'registro', ...ana });
    await main.demo.start();
    main.session.addAccount();
    await main.session.logins.login({ email: demoUser.email, password: demoUser.password });
    const before = await main.builtIn.sessions(all);
    expect(before).toMatchObject({ value: { total: 3 } });

    main.shown.length = 0;
    expect(await main.demo.reset()).toMatchObject({ ok: true });
    expect(main.shown.map(({ session }) => session.step)).not.toContain('signed-out');
    expect(main.state.get().session.step).toBe('signed-in');
    const after = await main.builtIn.sessions(all);
    expect(after).toMatchObject({ value: { total: 2, rows: [{ email: ana.email }, { email: demoUser.email }] } });
    expect(main.state.get().sessions.filter(({ isDemo }) => isDemo)).toHaveLength(1);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(main.state.get().session.step).toBe('signed-in');
  });

  it('starts over beside what misbehaves on purpose, which is no part of it', async () => {
    const main = await start();
    await main.builtIn.setBehaviour({ defects: ['stack-traces'] });
    expect(await main.demo.reset()).toMatchObject({ ok: true });
    expect(main.state.get().behaviour.defects).toEqual(['stack-traces']);
  });

  it('leaves an account alone that somebody made at its address', async () => {
    const main = await start();
    await main.session.logins.register({ path: 'registro', ...ana, email: demoUser.email });
    const taken = { ok: false, error: { kind: 'demo-taken', email: demoUser.email } };
    expect(await main.demo.start()).toEqual(taken);
    expect(await main.demo.reset()).toEqual(taken);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', user: { name: ana.name } });
  });

  it('says what went wrong when the service misbehaves, and works once it does no more', async () => {
    const main = await start();
    await main.builtIn.setBehaviour({ faults: [{ operation: 'login', kind: '500', amount: { count: 1 } }] });
    expect(await main.demo.start()).toMatchObject({ ok: false, error: { kind: 'server-fault' } });
    expect(await main.demo.start()).toMatchObject({ ok: true });
  });
});

describe('the clock of the built-in server', () => {
  it('is part of the state, ends a session in a second, and goes back', async () => {
    const main = await start();
    expect(await main.builtIn.moveClock({ to: 'newest-token-end' })).toEqual({
      ok: false,
      error: { kind: 'clock-not-moved', reason: 'no-token' },
    });
    await main.session.logins.register({ path: 'registro', ...ana });
    expect(main.state.get().session.step).toBe('signed-in');
    await main.builtIn.moveClock({ to: 'minute' });
    await main.builtIn.moveClock({ to: 'hour' });
    expect(main.state.get().clockAheadMs).toBe(61 * 60_000);
    await main.builtIn.moveClock({ to: 'newest-token-end' });
    expect(main.state.get().clockAheadMs).toBeGreaterThan(29 * 86_400_000);
    expect(await main.builtIn.reset({ set: 'three', seed: 1 })).toMatchObject({ ok: true, value: { accounts: 3 } });
    expect(await main.builtIn.undo()).toMatchObject({ ok: true, value: { accounts: 1 } });
    await main.session.checkShown();
    expect(main.state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'session-ended' } });
    await main.builtIn.moveClock({ to: 'now' });
    expect(main.state.get().clockAheadMs).toBe(0);
    // The application asked twice, and then no more.
    expect(await main.builtIn.clientReport()).toEqual({ ok: true, value: [] });
  });

  it('is not moved while another program uses the file', async () => {
    const main = await start();
    const other = new DatabaseSync(path.join(main.folder, 'service.sqlite'));
    other.prepare('SELECT count(*) FROM accounts').get();
    const moved = main.builtIn.moveClock({ to: 'hour' });
    expect(await moved).toEqual({ ok: false, error: { kind: 'clock-not-moved', reason: 'shared' } });
    expect(main.state.get().clockAheadMs).toBe(0);
    other.close();
    expect(await main.builtIn.moveClock({ to: 'hour' })).toMatchObject({ ok: true });
  });
});

describe('what clients of the built-in server do wrong', () => {
  it('is said of other programs, and forgotten with the requests', async () => {
    const main = await start();
    await fetch(`${main.service.baseUrl}/api/v1/auth/login?password=sekrit`);
    const report = await main.builtIn.clientReport();
    expect(report).toMatchObject({ ok: true, value: [{ fault: 'password-in-url', count: 1 }] });
    await main.builtIn.clearRequests();
    expect(await main.builtIn.clientReport()).toEqual({ ok: true, value: [] });
  });

  it('is not said of the application, in a life with every kind of failure', async () => {
    const main = await start();
    const { session, builtIn, state } = main;
    const fails = (...faults: FaultRule[]) => builtIn.setBehaviour({ faults });
    await fails({ operation: 'registro', kind: 'reset', amount: { count: 1 } });
    await session.logins.register({ path: 'registro', ...ana });
    expect((await login(main)).ok).toBe(true);
    await fails(
      { operation: 'profile', kind: 'expired', amount: { count: 1 } },
      { operation: 'profile', kind: 'reset', amount: { count: 1 } },
      { operation: 'logout', kind: 'html', amount: { count: 1 } },
    );
    const id = state.get().sessions[0]?.id ?? '';
    await session.check(id);
    await session.check(id);
    await session.logout(id, true);
    await builtIn.setBehaviour({ faults: [] });
    await session.revoke(id);
    await login(main);
    expect(await builtIn.clientReport()).toEqual({ ok: true, value: [] });
    expect(main.service.clients?.requests()).toBeGreaterThan(5);
  });
});
