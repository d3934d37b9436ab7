import { expect, it, onTestFinished } from 'vitest';
import type { NotMeasured } from '../../../preload/contract/report-cases.ts';
import { formatPlainText } from '../../../main/check/reports/document.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import type { FindingId, RunOptions } from '../../../preload/contract/report.ts';
import { createRun } from '../../../main/check/run.ts';
import type { TransportCall } from '../../../main/client/call.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { answer, startRecordingServer, type RecordedRequest } from '../../support/recording-server.ts';
import { answersOf, caseOf, outcomesOf, standingClock } from '../support/run-check.ts';
import { isPath, smallServer } from '../support/small-server.ts';

const header = ({ headers }: RecordedRequest, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const certificate = { subject: '', issuer: '', names: [], validFrom: '', validTo: tomorrow, sha256: '' };

type Flaw = {
  rules?: Parameters<typeof smallServer>[0];
  /** The call as the run sees it. A transport says what no server here can do. */
  seen?: (call: TransportCall) => TransportCall;
  host?: string;
  options?: Partial<RunOptions>;
};

let attemptsLeft = 100;

/** A server whose refusals of a login take as many milliseconds as this says, by whether the email is known. */
function timed(msOf: (isKnown: boolean, at: number) => number, refuse = (_isKnown: boolean, _at: number) => 401): Flaw {
  let lastKnown = false;
  let at = 0;
  const seen = (call: TransportCall): TransportCall =>
    call.request.url.endsWith('/login') && call.response?.status !== 200
      ? { ...call, timings: { ...call.timings, connectMs: 0, firstByteMs: msOf(lastKnown, at++) } }
      : call;
  const refusal = (isKnown: boolean): [number, string] => [refuse((lastKnown = isKnown), at), 'Wrong.'];
  return { rules: { refusal }, seen, options: { only: ['login.told-apart-by-time'] } };
}

/** From 0 to 1, and each time another one. */
const chance = (at: number): number => (at * 0.618_034) % 1;

const flaws: readonly (readonly [FindingId, Flaw])[] = [
  [
    'unknown-email-by-body',
    { rules: { refusal: (isKnown) => [401, isKnown ? `Wrong, ${--attemptsLeft} attempts left.` : 'Not found.'] } },
  ],
  ['unknown-email-by-time', timed((isKnown, at) => (isKnown ? 45 : 5) + 20 * chance(at))],
  ['unknown-email-by-time', timed((isKnown, at) => (isKnown ? 5 : 45) + (at % 15 === 0 ? 900 : 0))],
  ['unknown-email-by-body', { rules: { refusal: (isKnown) => [isKnown ? 401 : 404, String(Math.random())] } }],
  ['unknown-email-by-body', { rules: { refusal: (isKnown) => [401, isKnown ? 'Error 1001.' : 'Error 1002.'] } }],
  ['weak-password-accepted', { rules: { isWeak: () => false } }],
  ['email-registered-twice', { rules: { takesTwice: true } }],
  ['password-cut', { rules: { looksAt: (password) => password.slice(0, 72) } }],
  ['profile-of-another', { rules: { shownTo: (email, all) => all[0] ?? email } }],
  [
    'server-fault-on-input',
    {
      rules: {
        override: ({ body }) =>
          body.startsWith('{') && body.includes('"an object"') ? answer(500, { message: 'Server Error' }) : undefined,
      },
    },
  ],
  [
    'server-fault-on-refusal',
    { rules: { refusal: (isKnown) => [isKnown ? 500 : 401, isKnown ? 'Server Error' : 'Wrong.'] } },
  ],
  [
    'server-fault-on-refusal',
    {
      rules: {
        override: (() => {
          const known = new Set<unknown>();
          return (request) => {
            const { email } = isPath(request, 'register') ? (JSON.parse(request.body) as { email?: unknown }) : {};
            if (email !== undefined && known.has(email)) return answer(500, { message: 'Server Error' });
            known.add(email);
            return undefined;
          };
        })(),
      },
    },
  ],
  [
    'server-fault-on-refusal',
    {
      rules: {
        override: (request) =>
          isPath(request, 'login') && request.body.endsWith('}') && !request.body.includes('"password"')
            ? answer(500, { message: 'Server Error' })
            : undefined,
      },
    },
  ],
  [
    'stack-traces',
    {
      rules: {
        override: ({ body }) =>
          body === '[]' ? answer(400, { detail: 'Traceback (most recent call last):\n  …' }) : undefined,
      },
    },
  ],
  [
    'debug-page',
    {
      rules: {
        override: ({ target }) =>
          target.includes('unknown')
            ? answer(404, '<p>You’re seeing this error because you have <code>DEBUG = True</code> in …</p>', {
                'Content-Type': 'text/html',
              })
            : undefined,
      },
    },
  ],
  [
    'any-origin-with-credentials',
    {
      rules: {
        headers: (request) => ({
          'Access-Control-Allow-Origin': header(request, 'origin') ?? 'none',
          'Access-Control-Allow-Credentials': 'true',
        }),
      },
    },
  ],
  ['token-cacheable', { rules: { headers: () => ({ 'Cache-Control': 'public, max-age=60' }) } }],
  ['software-version-shown', { rules: { headers: () => ({ Server: 'nginx/1.18.0' }) } }],
  ['plain-http', { host: 'server.example.test' }],
  ['old-tls', { seen: (call) => ({ ...call, security: { protocol: 'TLSv1.1', pinned: false } }) }],
  [
    'certificate-ends-soon',
    { seen: (call) => ({ ...call, security: { protocol: 'TLSv1.3', pinned: false, certificate } }) },
  ],
  [
    'profile-without-token',
    {
      rules: {
        override: (request) =>
          isPath(request, 'perfil') && header(request, 'authorization') === undefined
            ? answer(200, { id: 1, email: 'somebody@example.test' })
            : undefined,
      },
    },
  ],
];

async function runWith({ rules, seen = (call) => call, host, options = {} }: Flaw) {
  const server = await startRecordingServer(smallServer(rules));
  onTestFinished(server.close);
  const transport = createTransport({
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  onTestFinished(() => transport.close());
  const run = createRun({
    transport: {
      send: async (...call) => {
        const result = await transport.send(...call);
        return { ...result, call: seen(result.call) };
      },
    },
    baseUrl: host === undefined ? server.origin : `http://${host}:${server.port}`,
    toolVersion: '0.0.0',
    clock: standingClock(),
    options,
  });
  return run.start();
}

it('a run finds nothing at a small server without faults', async () => {
  const report = await runWith({});
  expect(report.findings).toEqual([]);
  expect(outcomesOf(report, 'failed')).toEqual([]);
});

it('a run says nothing of a certificate that was made for six days', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const validTo = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const ofAWeek = { ...certificate, validFrom: yesterday, validTo };
  const seen = (call: TransportCall): TransportCall => ({
    ...call,
    security: { protocol: 'TLSv1.3', pinned: false, certificate: ofAWeek },
  });
  expect((await runWith({ seen })).findings).toEqual([]);
});

it('a run says nothing of a server that answers guesses later and later', async () => {
  let firstByteMs = 1;
  const seen = (call: TransportCall): TransportCall => {
    firstByteMs += call.request.url.endsWith('/login') ? 200 : 0;
    return { ...call, timings: { ...call.timings, firstByteMs } };
  };
  const options: Partial<RunOptions> = { throttling: true, only: ['limits.throttling'] };
  expect((await runWith({ seen, options })).findings).toEqual([]);
  expect((await runWith({ options })).findings.map(({ id }) => id)).toEqual(['guessing-not-throttled']);
});

it.each(flaws)('a run finds %s, and nothing else', async (id, flaw) => {
  const report = await runWith(flaw);
  expect(report.findings.map((each) => each.id)).toEqual([id]);
});

it.each<[what: string, server: Flaw, outcome: string]>([
  ['are as far apart as equal calls', timed((isKnown, at) => (isKnown ? 45 : 5) + 200 * chance(at)), 'noisy'],
  ['are stalled', timed(() => 500), 'answered'],
  [
    'are stalled by a server that is too busy for it',
    timed((isKnown, at) => (isKnown ? Math.max(500, 400 + 600 * chance(at)) : 500)),
    'noisy',
  ],
  ['are all alike and all far apart', timed((_isKnown, at) => 10 + 900 * chance(at)), 'noisy'],
  ['are as slow as a hash on a busy machine', timed((_isKnown, at) => 600 + 400 * chance(at)), 'answered'],
  [
    'are those of a fault, where an email is unknown',
    timed(
      (isKnown) => (isKnown ? 45 : 5),
      (isKnown, at) => (isKnown || at < 20 ? 401 : 503),
    ),
    'unstable',
  ],
])('a run says nothing of times that %s', async (_what, server, outcome) => {
  const report = await runWith(server);
  expect(report.findings).toEqual([]);
  const measured = caseOf(report, 'login.told-apart-by-time');
  expect(measured.outcome === 'not-measured' ? measured.reason.kind : measured.outcome).toBe(outcome);
});

it('a run that was too noisy says so in numbers, in both languages', async () => {
  const report = await runWith(timed((isKnown, at) => (isKnown ? 45 : 5) + 10 * (at % 20)));
  const { reason } = caseOf(report, 'login.told-apart-by-time') as { reason: NotMeasured };
  expect(
    ['en', 'es'].map((language) => formatPlainText(createReportFormatter(language).notMeasured(reason), String)),
  ).toEqual([
    expect.stringMatching(/^too much timing noise: equal requests differed by \d+ ms, and the two kinds by \d+ ms$/),
    expect.stringMatching(
      /^los tiempos variaban demasiado: peticiones iguales difirieron en \d+\sms, y los dos tipos en \d+\sms$/,
    ),
  ]);
});

it('a run says nothing of refusals that differ each time', async () => {
  const refusal = (): [number, string] => [
    401,
    Buffer.from(crypto.getRandomValues(new Uint8Array(12)))
      .toString('base64')
      .replaceAll(/\d/g, 'x'),
  ];
  const report = await runWith({ rules: { refusal } });
  expect(report.findings).toEqual([]);
  expect(outcomesOf(report, 'not-measured')).toContain('login.told-apart-by-answer: unstable');
});

it('a run takes no key in the answer to a registration for a token', async () => {
  const report = await runWith({ rules: { made: () => ({ message: 'Made.', api_key: crypto.randomUUID() }) } });
  expect(report.findings).toEqual([]);
  expect(outcomesOf(report, 'failed')).toEqual([]);
});

it('a run copes with a server that knows one token of an account at a time', async () => {
  const report = await runWith({ rules: { oneToken: true } });
  expect(report.findings).toEqual([]);
  expect(outcomesOf(report, 'failed')).toEqual([]);
  expect(answersOf(report)).toMatchObject({
    'login.two-tokens first-token-after-second-login': { yes: false },
    'logout.other-tokens-afterwards other-token-after-logout': { kind: 'none' },
    'logout.same-token-afterwards profile-after-logout profile': { handling: 'refused' },
  });
});
