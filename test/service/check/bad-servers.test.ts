import { describe, expect, it, onTestFinished } from 'vitest';
import { Report, type RunOptions, type RunProgress } from '../../../preload/contract/report.ts';
import { isAboutAccount } from '../../../main/check/case-applicability.ts';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { badAnswers, brokenHttp } from '../../support/bad-answers.ts';
import { answer, startRecordingServer, type RecordedRequest, type Respond } from '../../support/recording-server.ts';
import { formatPlainText } from '../../../main/check/reports/document.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { caseOf, createCheck, outcomesOf, standingClock } from '../support/run-check.ts';
import { bearerOf, isPath, smallServer } from '../support/small-server.ts';

/** The limits are small, so that no test waits for the usual ones. */
const limits = { connectSeconds: 2, firstByteSeconds: 0.1, totalSeconds: 0.3, bodyBytes: 100_000 };

/** For servers that answer everything, also on a busy machine. */
const unhurried = { ...limits, firstByteSeconds: 20, totalSeconds: 30 };

async function runAgainst(
  respond: Respond,
  more: Parameters<typeof createCheck>[1] & { options?: Partial<RunOptions> } = {},
) {
  const server = await startRecordingServer(respond);
  onTestFinished(server.close);
  const run = createCheck(server.origin, { limits, ...more });
  return { server, ...run };
}

/** Makes a server that is right but for some answers. */
const instead = (override: (request: RecordedRequest) => string | undefined): Respond => smallServer({ override });

describe('a run ends with a report at a server that', () => {
  it.each(Object.entries(badAnswers))('answers with %s', async (_name, respond) => {
    const { start, plan } = await runAgainst(respond);
    const report = await start();

    expect(Report.parse(report)).toEqual(report);
    expect(outcomesOf(report, 'passed')).toEqual([]);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(report.findings).toEqual([]);
    expect(report.cases.map(({ id }) => id)).toEqual(plan.cases);
    // Nobody knows what it made, if anything.
    expect(report.accounts.every(({ state }) => state === 'unsure')).toBe(true);
  });

  it.each(Object.entries(brokenHttp))('breaks HTTP/1.1 with %s, which is said and found', async (_name, respond) => {
    const report = await (await runAgainst(respond)).start();

    expect(report.ended).toEqual({ kind: 'complete' });
    expect(caseOf(report, 'registration.served')).toMatchObject({
      reason: { kind: 'no-answer', error: { kind: 'broken-http' } },
    });
    expect(report.findings.map(({ id }) => id)).toEqual(['http-broken']);
    expect(Report.parse(report)).toEqual(report);
  });

  it.each([
    ['notHttp', 'not-http'],
    ['http2', 'http-2'],
  ] as const)('speaks no HTTP/1.1: %s is no server that stopped answering', async (name, problem) => {
    const report = await (await runAgainst(badAnswers[name])).start();

    expect(report.ended).toMatchObject({ kind: 'unreachable', error: { kind: 'broken-http', problem } });
    expect(report.calls).toBe(3);
    const said = formatPlainText(createReportFormatter('en').end(report.ended), () => '');
    expect(said).toMatch(/^Llavero cannot read what responds there; the rest is not tested: a response /);
  });

  it('refuses connections: nothing is tried for long', async () => {
    const server = await startRecordingServer(() => undefined);
    await server.close();
    const report = await createCheck(server.origin, { limits }).start();

    expect(report.ended).toMatchObject({ kind: 'unreachable', error: { kind: 'refused' } });
    expect(report.calls).toBe(3);
    expect(report.accounts).toEqual([]);
    const reasons = new Set(report.cases.map((each) => each.outcome === 'not-measured' && each.reason.kind));
    expect(reasons).toEqual(new Set(['no-answer', 'needs', 'run-ended', 'not-asked']));
  });

  it.each([
    ['redirects for ever', () => answer(302, '', { Location: '/somewhere/else' })],
    [
      'answers a page to everything',
      () => answer(200, '<html><title>Welcome</title></html>', { 'Content-Type': 'text/html' }),
    ],
    ['answers rubbish', () => answer(200, '{"data": [[[')],
    ['is out of order', () => answer(503, { message: 'Down.' })],
  ])('%s, which breaks no sentence of the interface', async (_name, respond) => {
    const report = await (await runAgainst(respond)).start();

    expect(report.ended).toEqual({ kind: 'complete' });
    expect([outcomesOf(report, 'passed'), outcomesOf(report, 'failed')]).toEqual([[], []]);
    expect(caseOf(report, 'registration.served')).toMatchObject({ reason: { kind: 'unreadable' } });
    expect(caseOf(report, 'login.answer')).toMatchObject({ reason: { kind: 'needs' } });
    expect(report.findings.filter(({ id }) => id !== 'server-fault-on-input')).toEqual([]);
  });

  it('says 404 to everything, which does', async () => {
    const report = await (await runAgainst(() => answer(404, { message: 'Nothing is here.' }))).start();
    expect(outcomesOf(report, 'failed')).toEqual(['registration.served']);
    expect(report.accounts).toEqual([]);
  });

  it('says yes to everything: what it lets through is found, and no more than eight accounts are made', async () => {
    const { start, plan, server } = await runAgainst(({ target }) =>
      target.startsWith('/api/v1/')
        ? answer(200, { token: `1|${crypto.randomUUID()}`, user: { email: 'a@example.test' } })
        : answer(404),
    );
    const report = await start();
    const registrations = server.requests.filter((each) => isPath(each, 'registro') || isPath(each, 'register'));

    expect(registrations).toHaveLength(8);
    expect(outcomesOf(report, 'failed')).toEqual(['login.wrong-password', 'login.unknown-email', 'token.required']);
    expect(report.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'wrong-password-accepted',
        'profile-without-token',
        'token-outlives-logout',
        'cpassword-ignored',
      ]),
    );
    expect(server.requests.length).toBeLessThanOrEqual(2 * plan.calls);
  });

  it('hangs in the middle: what was known before is kept, and the rest is not said', async () => {
    let count = 0;
    const { start, server } = await runAgainst((request, socket) =>
      ++count > 20 ? badAnswers.hanging() : small(request, socket),
    );
    const small = smallServer();
    const report = await start();

    expect(caseOf(report, 'registration.served').outcome).toBe('passed');
    expect(report.ended).toMatchObject({ kind: 'unreachable', error: { kind: 'timeout' } });
    expect(server.requests).toHaveLength(23);
    // The default API has no calls about accounts to ask about.
    expect(report.cases).toHaveLength(CaseId.options.filter((id) => !isAboutAccount(id)).length);
  });

  it('says nothing to the first call to each path: all is measured at the second', async () => {
    const met = new Set<string>();
    const right = smallServer();
    const silentAtFirst: Respond = (request, socket) => {
      if (met.has(request.target)) return right(request, socket);
      met.add(request.target);
      return badAnswers.hanging();
    };
    const { start } = await runAgainst(silentAtFirst, {
      options: { variant: 'registro', only: ['login.answer', 'logout.answer'] },
    });
    const report = await start();
    const unmeasured = outcomesOf(report, 'not-measured').filter((each) => !each.endsWith('not-asked'));
    expect([unmeasured, outcomesOf(report, 'failed')]).toEqual([[], []]);
  });

  it('says more than anybody reads: 4 KiB of it are kept, and how much it was', async () => {
    const large = answer(404, { message: 'm'.repeat(50_000) });
    const report = await (await runAgainst(() => large)).start();

    const { body } = report.evidence[0]!.response!;
    expect(body.bytes).toBeGreaterThan(50_000);
    expect(JSON.stringify(report.evidence[0]).length).toBeLessThan(10_000);
    expect(JSON.stringify(caseOf(report, 'registration.served')).length).toBeLessThan(3_000);
  });

  it('changes its mind between calls: it is not blamed for it', async () => {
    let asked = 0;
    const report = await (
      await runAgainst(
        instead((request) => {
          if (!isPath(request, 'perfil') || bearerOf(request) !== undefined) return undefined;
          return ++asked % 2 === 1 ? answer(200, { id: 1, email: 'somebody@example.test' }) : undefined;
        }),
        { options: { only: ['token.required'] } },
      )
    ).start();
    expect(caseOf(report, 'token.required')).toMatchObject({ outcome: 'not-measured', reason: { kind: 'unstable' } });
    expect(report.findings).toEqual([]);
  });
});

describe('a run against a server that throttles', () => {
  it('waits as long as it is told, and goes on where it was', async () => {
    let refusals = 0;
    const clock = standingClock();
    const told: RunProgress[] = [];
    const report = await (
      await runAgainst(
        instead((request) =>
          isPath(request, 'login') && refusals++ < 1
            ? answer(429, { message: 'Too many attempts.' }, { 'Retry-After': '42' })
            : undefined,
        ),
        {
          limits: unhurried,
          clock,
          onProgress: (progress) => void told.push(progress),
          options: { only: ['login.right-credentials'] },
        },
      )
    ).start();

    expect(caseOf(report, 'login.right-credentials').outcome).toBe('passed');
    expect(clock.slept).toContain(42_000);
    expect(told.filter(({ waitingUntil }) => waitingUntil !== undefined)).toHaveLength(1);
  });

  it.each([
    ['longer than a minute', { 'Retry-After': '61' }, 61],
    ['without saying how long', {}, undefined],
  ])('does not wait %s: it says what could not be measured, and goes on', async (_name, headers, seconds) => {
    const clock = standingClock();
    const report = await (
      await runAgainst(
        instead((request) =>
          isPath(request, 'login') ? answer(429, { message: 'Too many attempts.' }, headers) : undefined,
        ),
        { limits: unhurried, clock },
      )
    ).start();

    const reason = { kind: 'throttled', ...(seconds !== undefined && { retryAfterSeconds: seconds }) };
    expect(caseOf(report, 'login.right-credentials')).toMatchObject({ outcome: 'not-measured', reason });
    expect(caseOf(report, 'token.required').outcome).toBe('passed');
    expect(Math.max(...clock.slept)).toBeLessThan(1000);
    expect(report.ended).toEqual({ kind: 'complete' });
  });

  it('begins calls evenly, no more a second than it may', async () => {
    const clock = standingClock();
    const { start, server } = await runAgainst(smallServer(), {
      limits: unhurried,
      clock,
      options: { callsPerSecond: 5 },
    });
    await start();
    // The time of this clock passes only while the run keeps its pace.
    expect(clock.now()).toBeCloseTo((server.requests.length - 1) * 200);
  });
});

describe('a run that is to end early', () => {
  it('is cancelled in the middle of a call, says so, and ends its tokens', async () => {
    const stop = new AbortController();
    const { start, server } = await runAgainst(
      instead((request) => {
        if (request.target.startsWith('/api/v2/')) stop.abort();
        return undefined;
      }),
      { signal: stop.signal },
    );
    const report = await start();

    expect(report.ended).toEqual({ kind: 'cancelled' });
    expect(caseOf(report, 'login.right-credentials').outcome).toBe('passed');
    expect(caseOf(report, 'functions.others')).toMatchObject({ reason: { kind: 'run-ended' } });
    expect(caseOf(report, 'headers.of-answers').outcome).toBe('answered');
    const afterwards = server.requests.slice(
      server.requests.findIndex(({ target }) => target.startsWith('/api/v2/')) + 1,
    );
    expect(afterwards.length).toBeGreaterThan(3);
    expect(afterwards.filter((each) => !isPath(each, 'salir'))).toEqual([]);
  });

  it('sends nothing when it was cancelled before', async () => {
    const { start, server } = await runAgainst(smallServer(), { signal: AbortSignal.abort() });
    expect((await start()).ended).toEqual({ kind: 'cancelled' });
    expect(server.requests).toEqual([]);
  });

  it('ends at the first failure when told to', async () => {
    const { start } = await runAgainst(
      instead((request) =>
        request.target.startsWith('/api/v2/') ? answer(200, { token: `9|${'a'.repeat(40)}` }) : undefined,
      ),
      { options: { bail: true } },
    );
    const report = await start();
    expect(report.ended).toEqual({ kind: 'bail', caseId: 'versioning.only-v1' });
    expect(outcomesOf(report, 'failed')).toEqual(['versioning.only-v1']);
    expect(caseOf(report, 'functions.others')).toMatchObject({ reason: { kind: 'run-ended' } });
  });
});
