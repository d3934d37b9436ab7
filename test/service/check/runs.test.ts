import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Report, RunOptions } from '../../../preload/contract/report.ts';
import { reportForms } from '../../../preload/contract/names.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { publicPasswords } from '../../../main/check/validation-probes.ts';
import { mainWith, refused } from '../support/main-with-runs.ts';

/** The run is as fast as it may be. The pace has tests of its own. */
const options = RunOptions.parse({ callsPerSecond: 100 });
/** The run is slow enough to be ended in the middle. */
const slow = RunOptions.parse({ callsPerSecond: 10 });
const few = RunOptions.parse({ callsPerSecond: 100, only: ['login.right-credentials', 'login.two-tokens'] });

const everyCall = ({ calls }: Awaited<ReturnType<typeof mainWith>>) =>
  calls.findAll({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false });

describe('a run of the application', () => {
  it('goes over the server’s transport, tells how far it is, and leaves a report whose calls are in the drawer', async () => {
    const { service } = await startBuiltInServer(
      { defects: ['token-outlives-logout'] },
      { isEmpty: true, rateLimit: 'on' },
    );
    const main = await mainWith({ one: { baseUrl: service.baseUrl } });
    await main.run('one');

    const report = main.reportOf('one')!;
    expect(report.ended).toEqual({ kind: 'complete' });
    expect(report.serverName).toBe('one');
    expect(report.findings.map(({ id }) => id)).toEqual(['token-outlives-logout']);
    expect(report.accounts.length).toBeLessThanOrEqual(8);
    expect(report.cases.map(({ outcome }) => outcome)).not.toContain('failed');

    const steps = main.steps;
    expect(steps.at(-1)).toEqual({});
    const told = steps.flatMap(({ running }) => running?.results.map(({ id }) => id) ?? []);
    expect(told.toSorted()).toEqual(report.cases.map(({ id }) => id).toSorted());
    // There is at most one in 200 ms, which is far fewer than calls where these do not wait for a busy machine.
    expect(steps.length).toBeLessThan(Math.max(report.calls / 2, report.durationMs / 200 + 3));

    const all = { search: '', outcome: 'all', pinnedOnly: false, serverId: 'one' } as const;
    const recorded = main.calls.findAll({ ...all, checks: 'only' });
    expect(main.calls.list({ ...all, checks: 'without' }, 0)).toMatchObject({ value: { total: 0 } });
    expect(recorded.map(({ id }) => id)).toEqual(report.evidence.map(({ id }) => id));
    const [first] = report.findings[0]!.calls;
    // The same marks stand where secrets were, so that a token has one number in both.
    const { request, understood } = recorded.find(({ id }) => id === first)!;
    expect(understood?.verdict).toBe('ok');
    expect(JSON.stringify(request)).toContain('"secret":"token"');
    expect(main.checks.evidence({ serverId: 'one', id: first! })).toMatchObject({
      ok: true,
      value: { id: first, request },
    });
    expect(await main.checks.copyCommand({ serverId: 'one', id: first! })).toEqual({
      ok: true,
      value: { copied: true },
    });
    expect(main.copied.at(-1)).toMatch(/^curl --globoff /);
  });

  it('lets no password or token of its own into the drawer, a report in any form or the clipboard', async () => {
    const foreign = await startForeignServer({
      // The server says a password where nobody looks for one, in an answer to a call that did not hold it.
      override({ path: where, headers }) {
        const email = foreign.tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '');
        const password = foreign.accounts.get(email ?? '')?.password;
        return where.endsWith('/perfil') && password !== undefined
          ? { status: 200, body: { datos: { usuario: { email, apodo: `Soy ${password}` } } } }
          : undefined;
      },
    });
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'report');
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } }, { file });
    await main.run('foreign');

    const passwords = foreign.calls.flatMap(({ body }) =>
      [...body.matchAll(/"c?password":"([^"]{8,})"/g)].map(([, password]) => password!),
    );
    const secrets = [...new Set([...passwords, ...foreign.issued])].filter((each) => !/^password/i.test(each));
    expect(secrets.length).toBeGreaterThan(5);
    const found = (text: string): string[] => secrets.filter((secret) => text.includes(secret));

    const recorded = everyCall(main);
    // A call that the lock cut off before it arrived is recorded too.
    expect(recorded.length).toBeGreaterThanOrEqual(foreign.calls.length);
    expect(found(JSON.stringify(recorded))).toEqual([]);
    expect(found(JSON.stringify([main.state(), main.steps]))).toEqual([]);
    for (const form of reportForms) {
      expect(await main.checks.exportFile({ serverId: 'foreign', form })).toEqual({
        ok: true,
        value: { exported: true },
      });
      const text = await readFile(file, 'utf8');
      expect(text.length).toBeGreaterThan(1000);
      expect(found(text)).toEqual([]);
    }
    for (const { id } of main.reportOf('foreign')!.evidence) await main.checks.copyCommand({ serverId: 'foreign', id });
    expect(found(main.copied.join('\n'))).toEqual([]);
  });

  it('is refused for production, without an address, and while one is under way, before anything is sent', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ shop: { baseUrl: foreign.baseUrl }, other: { baseUrl: foreign.baseUrl } });
    main.mark('shop', true);
    const start = (serverId: string, compareWith?: string) =>
      main.checks.start({ serverId, options: few, ...(compareWith !== undefined && { compareWith }) });
    expect(await start('shop')).toEqual(refused('production'));
    expect(await start('other', 'shop')).toEqual(refused('production'));
    expect(await start('built-in')).toMatchObject({ error: { kind: 'built-in-stopped' } });
    expect(await start('nobody')).toEqual(refused('no-address'));
    expect(main.checks.rerunCase({ serverId: 'other', caseId: 'login.answer' })).toEqual(refused('no-report'));
    expect(foreign.calls).toEqual([]);

    const end = main.ended();
    expect(await start('other')).toMatchObject({ ok: true });
    expect(await start('other')).toEqual(refused('already-running'));
    await end;
    const calls = foreign.calls.length;
    main.mark('other', true);
    expect(main.checks.rerunCase({ serverId: 'other', caseId: 'login.answer' })).toEqual(refused('production'));
    expect(foreign.calls.length).toBe(calls);
  });

  it('ends, and sends nothing more, when the server becomes production on the way', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ shop: { baseUrl: foreign.baseUrl } });
    const end = main.ended();
    await main.checks.start({ serverId: 'shop', options });
    await main.when(({ running }) => (running?.results.length ?? 0) > 0);
    main.mark('shop', true);
    // A call that was on its way when the server changed may still arrive.
    const sent = foreign.calls.length;
    await end;
    expect(foreign.calls.length).toBeLessThanOrEqual(sent + 1);
    expect(main.reportOf('shop')!.ended).toEqual({ kind: 'cancelled' });
  });

  it('leaves no report of a server that is removed on the way, neither in memory nor in the file', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ gone: { baseUrl: foreign.baseUrl }, other: { baseUrl: foreign.baseUrl } });
    const end = main.ended();
    await main.checks.start({ serverId: 'gone', options: slow });
    await main.when(({ running }) => (running?.results.length ?? 0) > 2);
    const { servers } = main.config.get();
    await main.servers.remove({ id: 'gone' });
    await end;
    // The server comes back under the same id, as it would by an import of what was exported.
    main.config.change({ servers });
    expect(main.reportOf('gone')).toBeUndefined();
    expect(main.state().stored).toEqual([]);
  });

  it('leaves a report deleted that was deleted while one of its cases was measured again', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } });
    await main.run('foreign', few);
    const end = main.ended();
    main.checks.rerunCase({ serverId: 'foreign', caseId: 'login.two-tokens' });
    expect(main.checks.deleteReport({ serverId: 'foreign' })).toMatchObject({ ok: true });
    await end;
    expect(main.reportOf('foreign')).toBeUndefined();
  });

  it('can be cancelled, and one of its cases measured later', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } });
    const end = main.ended();
    await main.checks.start({ serverId: 'foreign', options: slow });
    await main.when(({ running }) => (running?.results.length ?? 0) > 0);
    expect(main.checks.cancel()).toMatchObject({ ok: true, value: { running: { cancelled: true } } });
    await end;
    const report = main.reportOf('foreign')!;
    expect(report.ended).toEqual({ kind: 'cancelled' });
    // The run is no longer logged in anywhere.
    expect([...foreign.tokens.keys()]).toEqual([]);
    const unmeasured = report.cases.find(({ id }) => id === 'login.two-tokens');
    expect(unmeasured).toMatchObject({ outcome: 'not-measured', reason: { kind: 'run-ended' } });

    const endOfAgain = main.ended();
    expect(main.checks.rerunCase({ serverId: 'foreign', caseId: 'login.two-tokens' })).toMatchObject({
      ok: true,
      value: { running: { caseId: 'login.two-tokens' } },
    });
    await endOfAgain;
    const later = main.reportOf('foreign')!;
    expect(later.cases.find(({ id }) => id === 'login.two-tokens')).toMatchObject({ outcome: 'answered' });
    // One case more does not make it whole.
    expect(later.ended).toEqual({ kind: 'cancelled' });
  });

  it('is ended by a lock, which leaves no secret of it in memory, in its report or in the drawer', async () => {
    const said = (email: string | undefined): string => `Soy ${foreign.accounts.get(email ?? '')?.password}`;
    const foreign = await startForeignServer({
      override({ path: where, headers }) {
        const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
        const email = foreign.tokens.get(token);
        if (email === undefined) return undefined;
        if (where.endsWith('/salir')) foreign.tokens.delete(token);
        return { status: 200, body: { datos: { usuario: { email, apodo: said(email) } } } };
      },
    });
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } }, { file });
    await main.checks.start({ serverId: 'foreign', options: slow });
    // The lock cuts off what is on its way, and nobody knows a token whose answer was.
    await main.when(() => foreign.tokens.size > 1 && everyCall(main).length === foreign.calls.length);
    main.lock.lock('by-hand');
    const before = foreign.calls.length;
    // A locked window is told nothing of the run.
    await expect.poll(() => main.state().running).toBeUndefined();
    // The run did log out after the lock, and was answered with a password.
    expect(foreign.calls.slice(before).filter(({ path: where }) => where.endsWith('/salir')).length).toBeGreaterThan(0);
    expect([...foreign.tokens]).toEqual([]);

    const passwords = [...foreign.accounts.values()].map(({ password }) => password);
    // What anybody may know is named in a script.
    const secrets = [...foreign.issued, ...passwords].filter(
      (each) => typeof each === 'string' && !publicPasswords.has(each),
    );
    expect(secrets.length).toBeGreaterThan(2);
    const found = (value: unknown): string[] => secrets.filter((secret) => JSON.stringify(value).includes(secret));
    const recorded = everyCall(main);
    // A call that the lock cut off before it arrived is recorded too.
    expect(recorded.length).toBeGreaterThanOrEqual(foreign.calls.length);
    expect(found([main.state(), main.steps, recorded])).toEqual([]);
    expect(main.reportOf('foreign')!.ended).toEqual({ kind: 'cancelled' });
    await main.lock.unlock(undefined);
    expect(await main.checks.exportFile({ serverId: 'foreign', form: 'json' })).toMatchObject({ ok: true });
    expect(found(await readFile(file, 'utf8'))).toEqual([]);
    // Nobody knows either of them any more.
    expect(secrets.filter((secret) => main.secretRegistry.isRegistered(secret))).toEqual([]);
    await main.lock.unlock(undefined);
    expect(main.checks.rerunCase({ serverId: 'foreign', caseId: 'login.two-tokens' })).toEqual(refused('no-run'));
    expect(main.state().reports).toMatchObject([{ serverId: 'foreign', canRerun: false }]);
  });

  it('keeps what was said of a whole report when one case of it is cancelled', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } });
    await main.run('foreign', few);
    const end = main.ended();
    main.checks.rerunCase({ serverId: 'foreign', caseId: 'login.two-tokens' });
    main.checks.cancel();
    await end;
    expect(main.reportOf('foreign')!.ended).toEqual({ kind: 'complete' });
    expect(main.state().reports).toMatchObject([{ serverId: 'foreign', canRerun: true }]);
    // A lock takes the run from a report that was there before, too.
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(main.checks.rerunCase({ serverId: 'foreign', caseId: 'login.two-tokens' })).toEqual(refused('no-run'));
    expect(main.state().reports).toMatchObject([{ serverId: 'foreign', canRerun: false }]);
    // The next run can be asked again.
    await main.run('foreign', few);
    expect(main.state().reports).toMatchObject([{ serverId: 'foreign', canRerun: true }]);
  });

  it('compares with no report of an earlier run when the first of two is cancelled', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ one: { baseUrl: foreign.baseUrl }, other: { baseUrl: foreign.baseUrl } });
    await main.run('other', few);
    const end = main.ended();
    await main.checks.start({ serverId: 'one', compareWith: 'other', options: slow });
    main.checks.cancel();
    await end;
    expect(main.state().reports.length).toBe(2);
    expect(main.state().compared).toBeUndefined();
  });

  it('leaves nothing behind in the drawer once its server was removed', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ shop: { baseUrl: foreign.baseUrl } });
    const end = main.ended();
    await main.checks.start({ serverId: 'shop', options });
    await main.when(({ running }) => (running?.results.length ?? 0) > 0);
    await main.servers.remove({ id: 'shop' });
    const sent = foreign.calls.length;
    await end;
    expect(foreign.calls.length).toBeLessThanOrEqual(sent + 1);
    expect(everyCall(main)).toEqual([]);
  });

  it('runs two servers one after the other, and says only what differs', async () => {
    const [right, wrong] = await Promise.all([
      startBuiltInServer({}, { isEmpty: true, rateLimit: 'on' }),
      startBuiltInServer({ defects: ['token-outlives-logout'] }, { isEmpty: true, rateLimit: 'on' }),
    ]);
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'report.json');
    const main = await mainWith(
      { right: { baseUrl: right.service.baseUrl }, wrong: { baseUrl: wrong.service.baseUrl } },
      { file },
    );
    await main.run('right', options, 'wrong');
    expect(main.state().compared).toEqual({ before: 'right', after: 'wrong' });
    expect(await main.checks.exportComparison()).toEqual(refused('no-report'));
    const compared = main.checks.compare({ serverId: 'right', otherId: 'wrong' });
    if (!compared.ok) throw new Error(compared.error.kind);
    const { differences, unknown } = compared.value;
    expect(unknown).toEqual([]);
    expect(differences.filter(({ kind }) => kind === 'finding')).toEqual([
      expect.objectContaining({ change: 'new', id: 'token-outlives-logout' }),
    ]);
    expect(new Set(differences.map(({ caseId }) => caseId))).toEqual(
      new Set(['logout.same-token-afterwards', 'logout.twice']),
    );

    expect(await main.checks.exportComparison()).toEqual({ ok: true, value: { exported: true } });
    expect(await readFile(file, 'utf8')).toMatch(/^# [^]*The token still works after logging out/);

    await main.checks.exportFile({ serverId: 'right', form: 'json' });
    expect(Report.parse(JSON.parse(await readFile(file, 'utf8'))).baseUrl).toBe(right.service.baseUrl);
    expect(await main.checks.compareFile({ serverId: 'wrong' })).toMatchObject({
      ok: true,
      value: { comparison: { differences } },
    });
    for (const [text, reason] of [
      ['{', 'not-json'],
      ['{}', 'not-a-report'],
      ['{"schema":"llavero-report","version":4}', 'other-version'],
      ['{"schema":"llavero-report","version":1}', 'not-a-report'],
    ] as const) {
      await writeFile(file, text);
      expect(await main.checks.compareFile({ serverId: 'wrong' })).toMatchObject({
        error: { kind: 'import-refused', reason },
      });
    }
  });
});
