import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionSettings } from '../../../preload/contract/connection.ts';
import { Report, type RunProgress } from '../../../preload/contract/report.ts';
import { cases } from '../../../main/check/cases/all.ts';
import { planRun } from '../../../main/check/plan.ts';
import { defaultArgon2Cost } from '../../../main/service/domain/passwords.ts';
import { makeCertificate } from '../../support/certificates.ts';
import {
  answersOf,
  caseOf,
  createCheck,
  notMeasured,
  outcomesOf,
  secretsIn,
  unaskedByDefault,
} from '../support/run-check.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';

const openLines = readFileSync(path.resolve(import.meta.dirname, '../../../main/check/interface.md'), 'utf8')
  .split('\n')
  .flatMap((text, at) => (text.includes('not shown') ? [at + 1] : []));

const everything = { offset: 0, limit: 100 };
const withLimits = { isEmpty: true, rateLimit: 'on' } as const;

describe('a run against the built-in server', () => {
  it('passes every stated case, answers every open line and finds nothing unsafe, within its plan', async () => {
    const { service } = await startBuiltInServer({ keepRequests: 1000 }, { ...withLimits, argon2: defaultArgon2Cost });
    const { start, plan, wire } = createCheck(service.baseUrl);
    const report = await start();

    expect(notMeasured(report)).toEqual(unaskedByDefault);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    // The form of a token is a note where nobody chose the API type.
    expect(outcomesOf(report, 'passed')).toHaveLength(9);
    const answered = report.cases.filter((each) => each.outcome === 'answered' && each.answers.length > 0);
    expect(openLines.filter((line) => !answered.some((each) => each.lines.includes(line)))).toEqual([]);
    expect(report.findings).toEqual([]);
    expect(report.ended).toEqual({ kind: 'complete' });

    // The service itself counted this, and still holds it.
    expect(wire.length).toBeLessThanOrEqual(plan.calls);
    const most = new Map(cases.map(({ id, calls }) => [id, calls]));
    // Those about a token show the call of the login that returned it.
    const ofLogin = new Set(caseOf(report, 'login.right-credentials').calls);
    const own = (calls: readonly string[]) => calls.filter((call) => !ofLogin.has(call)).length;
    const isMore = ({ id, calls }: Report['cases'][number]) =>
      (id === 'login.right-credentials' ? calls.length : own(calls)) > most.get(id)!;
    expect(report.cases.filter(isMore)).toEqual([]);
    expect([report.calls, service.faultInjection!.requests().length]).toEqual([wire.length, wire.length]);
    const { rows } = await service.data!.accounts(everything);
    expect(rows.map(({ email }) => email).toSorted()).toEqual(report.accounts.map(({ email }) => email).toSorted());
    expect(rows.length).toBeLessThanOrEqual(plan.accounts);
    expect(rows.filter(({ email }) => !/^llavero-[0-9a-f]{16}@example(?:\.test)?$/.test(email))).toEqual([]);
    expect((await service.data!.sessions(everything)).rows).toEqual([]);
  });

  it('holds no secret in its report nor in what it tells on the way, and is what the contract says', async () => {
    const { service } = await startBuiltInServer(
      { defects: ['password-echoed', 'password-hash-in-profile'] },
      withLimits,
    );
    const told: RunProgress[] = [];
    const { start, wire } = createCheck(service.baseUrl, { onProgress: (progress) => void told.push(progress) });
    const report = await start();

    const secrets = secretsIn(wire);
    expect(secrets.length).toBeGreaterThan(60);
    const text = JSON.stringify(report) + JSON.stringify(told);
    const found = secrets.filter((secret) => text.includes(secret) || text.includes(secret.split('|').at(-1)!));
    expect(found).toEqual([]);
    expect(Report.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([
      ['password-echoed', 'high'],
      ['password-hash-shown', 'high'],
    ]);
    expect(report.findings[0]!.script).toContain('$PASSWORD');
    expect(report.findings[1]!.script).toContain('$TOKEN');
    const known = new Set(report.evidence.map(({ id }) => id));
    const named = [...report.cases, ...report.findings].flatMap(({ calls }) => calls);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it('tells of every result as it comes, and of the time left until it is over', async () => {
    const { service } = await startBuiltInServer({ keepRequests: 1000 }, withLimits);
    const told: RunProgress[] = [];
    const { start, plan } = createCheck(service.baseUrl, { onProgress: (progress) => void told.push(progress) });
    const report = await start();

    const results = told.flatMap(({ result }) => result ?? []);
    expect(results.map(({ id }) => id).toSorted()).toEqual(plan.cases.toSorted());
    expect(results).toHaveLength(report.cases.length);
    const left = told.map(({ secondsLeft }) => secondsLeft);
    expect(left[0]).toBeGreaterThan(0);
    expect(left.at(-1)).toBe(0);
    expect(told.map(({ callsMade }) => callsMade)).toEqual(
      told.map(({ callsMade }) => callsMade).toSorted((a, b) => a - b),
    );
  });

  it('sees the version of TLS and the end of the certificate', async () => {
    const authority = makeCertificate({ commonName: 'Llavero test authority', isAuthority: true });
    const wanted = { commonName: 'service', names: ['127.0.0.1'], validDays: [-60, 5] as const };
    const { cert, key } = makeCertificate({ ...wanted, signedBy: authority });
    const tls = { cert: Buffer.from(cert), key: Buffer.from(key) };
    const { service } = await startBuiltInServer({}, { ...withLimits, tls });
    const connection = ConnectionSettings.parse({ authority: { pem: authority.cert }, proxy: { mode: 'none' } });
    const report = await createCheck(service.baseUrl, { connection }).start();

    expect(answersOf(report)).toMatchObject({
      'transport.encryption encryption': { choice: 'https' },
      'transport.encryption tls-version': { text: ['TLSv1.3'] },
      'transport.encryption certificate-ends': { date: new X509Certificate(cert).validToDate.toISOString() },
    });
    expect(report.findings.map(({ id }) => id)).toEqual(['certificate-ends-soon']);
  });

  it('takes under a minute at five calls a second, as it says before', () => {
    expect(planRun().seconds).toBeLessThan(60);
    expect(planRun({ callsPerSecond: 10 }).seconds).toBe(Math.ceil(planRun().calls / 10));
    expect(planRun({}, false, undefined, 150).seconds).toBe(planRun().seconds);
    expect(planRun({}, false, undefined, 1200).seconds).toBe(Math.ceil(planRun().calls * 1.2));
    expect(planRun({ callsPerSecond: 20 }, false, undefined, 150).seconds).toBe(Math.ceil(planRun().calls * 0.15));
    expect(planRun({ throttling: true }).calls).toBeGreaterThan(planRun().calls);
  });

  it('finds the limit on guesses and how long to wait, when asked to', async () => {
    const { service } = await startBuiltInServer({ keepRequests: 1000 }, withLimits);
    const report = await createCheck(service.baseUrl, { options: { throttling: true } }).start();

    const answers = answersOf(report);
    expect(answers['limits.throttling failures-before-throttling']).toEqual({ kind: 'count', count: 5 });
    expect(answers['limits.throttling throttling-wait']).toMatchObject({ kind: 'seconds' });
    expect(report.findings).toEqual([]);
  });

  it('says that guessing is not slowed down where nothing slows it', async () => {
    const { service } = await startBuiltInServer({ keepRequests: 1000 }, { isEmpty: true, rateLimit: 'off' });
    const options = { throttling: true, only: ['limits.throttling'] } as const;
    const report = await createCheck(service.baseUrl, { options: { ...options, only: [...options.only] } }).start();

    expect(report.findings.map(({ id }) => id)).toEqual(['guessing-not-throttled']);
    expect(report.cases.map(({ id }) => id)).toEqual([
      'registration.served',
      'login.right-credentials',
      'login.wrong-password',
      'limits.throttling',
    ]);
  });

  it.each(['registro', 'register'] as const)('looks at %s alone when told to', async (variant) => {
    const { service, behaviour } = await startBuiltInServer({ keepRequests: 1000 }, withLimits);
    const report = await createCheck(service.baseUrl, { options: { variant } }).start();

    const other = variant === 'registro' ? 'register' : 'registro';
    expect(behaviour.requests().filter((each) => each.route?.endsWith(`/${other}`))).toEqual([]);
    expect(outcomesOf(report, 'not-measured')).toEqual(
      expect.arrayContaining(['registration.both-paths: not-asked', `registration.cpassword-at-${other}: not-asked`]),
    );
    expect(notMeasured(report)).toHaveLength(2 + unaskedByDefault.length);
    expect(report.findings).toEqual([]);
  });

  it('runs one case again, with the accounts it has and the result in the place of the old one', async () => {
    const { service, behaviour } = await startBuiltInServer({ defects: ['token-outlives-logout'] }, withLimits);
    const { start, rerunCase, wire } = createCheck(service.baseUrl);
    const first = await start();
    expect(first.findings.map(({ id }) => id)).toEqual(['token-outlives-logout']);

    behaviour.set({ defects: [] });
    const before = wire.length;
    await rerunCase('logout.served');
    const report = await rerunCase('logout.same-token-afterwards');
    expect(report.findings).toEqual([]);
    expect(report.accounts).toEqual(first.accounts);
    expect(report.cases).toHaveLength(first.cases.length);
    expect(wire.length - before).toBeLessThan(12);
    expect(caseOf(report, 'logout.same-token-afterwards')).toMatchObject({ outcome: 'answered' });
  });

  it('keeps what was known when one more run is cancelled at once', async () => {
    const { service } = await startBuiltInServer({}, withLimits);
    const { start, rerunCase } = createCheck(service.baseUrl);
    const first = await start();
    const report = await rerunCase('login.refusal', AbortSignal.abort());
    expect(report.cases).toEqual(first.cases);
    expect(report).toMatchObject({ ended: { kind: 'cancelled' }, calls: first.calls });
  });

  it('sends nothing to a production server', async () => {
    const { service, behaviour } = await startBuiltInServer({ keepRequests: 1000 }, withLimits);
    const server = { id: 'one', name: 'Live', production: true };
    const { start, rerunCase } = createCheck(service.baseUrl, { server });
    for (const report of [await start(), await rerunCase('login.refusal')]) {
      expect(report).toMatchObject({ ended: { kind: 'production' }, calls: 0, findings: [], serverName: 'Live' });
    }
    expect(behaviour.requests()).toEqual([]);
  });
});
