import type { CaseAnswer, Choice } from '../../../preload/contract/report-cases.ts';
import type { HttpProblem } from '../../../preload/contract/result.ts';
import { header } from '../../client/reading/headers.ts';
import { truncateRedacted } from '../../client/recording/redacted-text.ts';
import { redactText } from '../../client/secrets/secret-registry.ts';
import { createUnmetDependency, findingIf, createInconclusiveOutcome, type Case } from '../case.ts';
import { severityOfPlainHttp } from './plain-http.ts';
import { unknownHeader } from '../test-values.ts';
import { createRegistrationFields } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';
import { isEndpointMissing, timeToFirstByteMs, type Observation } from '../observation.ts';

/** Headers that a report shows, in this order. */
const telling = [
  'www-authenticate',
  'retry-after',
  'allow',
  'cache-control',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'server',
  'x-powered-by',
  'strict-transport-security',
  'x-content-type-options',
];

const rateHeaders = /^(?:x-)?rate-?limit|^retry-after$/i;
const mostValues = 3;
const longestValue = 200;

/** No server allows this origin by name, since nobody serves it. */
const foreignOrigin = 'https://llavero.example';

/** What a browser sends before a login from another origin (Fetch Standard, CORS-preflight fetch). */
const preflightHeaders: [string, string][] = [
  ['Origin', foreignOrigin],
  ['Access-Control-Request-Method', 'POST'],
  ['Access-Control-Request-Headers', `authorization,content-type,${unknownHeader}`],
];

const soonDays = 14;
const dayMs = 86_400_000;

/**
 * True if guesses are limited without a 429: the last responses differ from the first ones, as for a locked account or a
 * captcha, or each takes a second longer.
 */
function isHindered(guesses: readonly Observation[]): boolean {
  const saying = ({ status, reading }: Observation): string =>
    `${status} ${reading.summary.message?.replaceAll(/\d+/g, '#') ?? ''}`;
  const [first, last] = [guesses.slice(0, 3), guesses.slice(-3)];
  const slowest = Math.max(...first.map((each) => timeToFirstByteMs(each) ?? 0));
  return (
    last.every((each) => first.every((other) => saying(other) !== saying(each))) ||
    last.every((each) => (timeToFirstByteMs(each) ?? 0) > slowest + 1_000)
  );
}

/** Milliseconds before the end: a certificate for six days is renewed two days before it, one for ninety a month before. */
function soonMs(from: string | undefined, to: string): number {
  const third = (Date.parse(to) - Date.parse(from ?? '')) / 3;
  return Number.isNaN(third) ? soonDays * dayMs : Math.min(soonDays * dayMs, third);
}

const bodySizes = [8 * 1024, 64 * 1024, 1024 * 1024] as const;
/** NIST SP 800-63B allows a hundred failures in a row. */
const guesses = 30;

const isAccepted = ({ handling }: Observation): boolean => handling === 'accepted';

const answered = (client: TestClient): readonly Observation[] =>
  client.observations().filter(({ status }) => status > 0);

/** These break RFC 9112. Others are limits of ours, or not HTTP/1.1 at all. */
const forbidden: ReadonlySet<HttpProblem> = new Set(['length', 'line-ends', 'chunks', 'other']);

const breaksHttp = ({ failed }: Observation): boolean =>
  failed?.kind === 'no-answer' && failed.error.kind === 'broken-http' && forbidden.has(failed.error.problem);

const namesOf = ({ call }: Observation): string[] =>
  (call?.response?.rawHeaders ?? []).map(([name]) => name.toLowerCase());

const headerSeen = (client: TestClient, pattern: RegExp): boolean =>
  answered(client).some((seen) => namesOf(seen).some((name) => pattern.test(name)));

function corsOf(seen: Observation): Choice {
  const allowed = header(seen.headers, 'access-control-allow-origin');
  if (allowed === undefined) return 'none';
  return allowed === '*' ? 'any-origin' : allowed === foreignOrigin ? 'echoes-origin' : 'other-origin';
}

const otherVersion = (path: string, version: number): string => path.replace('/v1/', `/v${version}/`);

/** Headers, versions, the connection and limits. */
export const serverCases: readonly Case[] = [
  {
    id: 'headers.of-answers',
    kind: 'observed',
    section: 7,
    lines: [75, 79],
    calls: 0,
    when: 'at-end',
    run(client) {
      const all = answered(client);
      const broken = client.observations().filter(breaksHttp).slice(0, 1);
      const raisedByForm = findingIf(broken.length > 0, 'http-broken', broken);
      if (all.length === 0) return { ...createUnmetDependency('registration.served'), findings: raisedByForm };
      const headers = telling.flatMap((name) => {
        const values = new Set(all.map((seen) => header(seen.headers, name)).filter((value) => value !== undefined));
        return [...values]
          .slice(0, mostValues)
          .map((value): [string, ReturnType<typeof redactText>] => [
            name,
            truncateRedacted(redactText(value, client.secretRegistry), longestValue),
          ]);
      });
      const givers = all.filter(({ reading }) => reading.summary.token !== undefined);
      // What is posted may be stored only with an age of its own (RFC 9110, 9.3.3).
      const cacheable = givers.filter((seen) => {
        const control = header(seen.headers, 'cache-control') ?? '';
        return /max-age=[1-9]|s-maxage=[1-9]/i.test(control) && !/no-store/i.test(control);
      });
      const named = all.filter((seen) =>
        ['server', 'x-powered-by'].some((name) => /\d\.\d/.test(header(seen.headers, name) ?? '')),
      );
      const answers: CaseAnswer[] = [{ question: 'headers-sent', value: { kind: 'headers', headers } }];
      return {
        answers,
        findings: [
          ...raisedByForm,
          ...findingIf(cacheable.length > 0, 'token-cacheable', cacheable.slice(0, 1)),
          ...findingIf(named.length > 0, 'software-version-shown', named.slice(0, 1), answers),
        ],
      };
    },
  },
  {
    id: 'headers.cors',
    kind: 'observed',
    section: 5,
    lines: [67],
    calls: 2,
    async run(client) {
      const seen = await client.call({ operation: 'profile', headers: [['Origin', foreignOrigin]] });
      // It is asked as no log-in, before which a cookie against forged requests would be asked for.
      const path = client.adapter.path('login');
      await client.call({ operation: 'profile', path, method: 'OPTIONS', headers: preflightHeaders, mayFail: true });
      const choice = corsOf(seen);
      const withCredentials = header(seen.headers, 'access-control-allow-credentials') === 'true';
      const answers: CaseAnswer[] = [{ question: 'cors', value: { kind: 'choice', choice } }];
      const isOpen = choice === 'echoes-origin' && withCredentials;
      return { answers, findings: findingIf(isOpen, 'any-origin-with-credentials', [seen], answers) };
    },
  },
  {
    id: 'versioning.only-v1',
    kind: 'stated',
    section: 9,
    lines: [42, 83],
    needs: ['login.right-credentials'],
    calls: 1,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('registration.served');
      const seen = await client.login(account.email, account.password, {
        path: otherVersion(client.adapter.path('login'), 2),
      });
      const isLogin = seen.reading.summary.token !== undefined;
      // 401 and 403 may be what every path gets, and a page what stands at every address.
      if (!isLogin && !isEndpointMissing(seen)) return createInconclusiveOutcome(seen);
      return { passed: !isLogin, answers: [client.reply('unknown-version', seen, 'login')] };
    },
  },
  {
    id: 'versioning.unknown-version',
    kind: 'observed',
    section: 9,
    lines: [84],
    calls: 1,
    async run(client) {
      const seen = await client.call({ operation: 'profile', path: otherVersion(client.adapter.path('profile'), 999) });
      return { answers: [client.reply('unknown-version', seen, 'profile')] };
    },
  },
  {
    id: 'versioning.deprecation',
    kind: 'observed',
    section: 9,
    lines: [84],
    calls: 0,
    when: 'at-end',
    run(client) {
      if (answered(client).length === 0) return createUnmetDependency('registration.served');
      // The headers are those of RFC 9745 and RFC 8594.
      const yes = headerSeen(client, /^(?:deprecation|sunset)$/);
      return { answers: [{ question: 'deprecation-seen', value: { kind: 'flag', yes } }] };
    },
  },
  {
    id: 'transport.encryption',
    kind: 'observed',
    section: 1,
    lines: [5],
    calls: 0,
    when: 'at-end',
    run(client) {
      const [seen] = answered(client);
      if (!seen) return createUnmetDependency('registration.served');
      const { protocol, hostname } = new URL(client.baseUrl);
      const isPlain = protocol === 'http:';
      const plainHttp = isPlain ? severityOfPlainHttp(hostname) : undefined;
      const { security } = seen.call ?? {};
      const ends = security?.certificate?.validTo;
      const answers: CaseAnswer[] = [
        { question: 'encryption', value: { kind: 'choice', choice: isPlain ? 'plain-http' : 'https' } },
      ];
      if (security) answers.push({ question: 'tls-version', value: { kind: 'text', text: [security.protocol] } });
      if (ends !== undefined) answers.push({ question: 'certificate-ends', value: { kind: 'date', date: ends } });
      const endsSoon =
        ends !== undefined && Date.parse(ends) - Date.now() < soonMs(security?.certificate?.validFrom, ends);
      return {
        answers,
        findings: [
          ...(plainHttp ? [{ id: 'plain-http' as const, seen: [seen], details: answers, severity: plainHttp }] : []),
          ...findingIf(/^(?:SSL|TLSv1(?:\.1)?$)/.test(security?.protocol ?? ''), 'old-tls', [seen], answers),
          ...findingIf(endsSoon, 'certificate-ends-soon', [seen], answers),
        ],
      };
    },
  },
  {
    id: 'limits.body-size',
    kind: 'observed',
    section: 8,
    lines: [79],
    needs: ['login.right-credentials'],
    calls: bodySizes.length,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('registration.served');
      const { email, password } = account;
      let accepted: number | undefined;
      let refused: number | undefined;
      let tried = 0;
      for (const bytes of bodySizes) {
        tried += 1;
        const seen = await client.login(email, password, { paddedTo: bytes, mayFail: true });
        const hangsUp = seen.failed?.kind === 'no-answer' && seen.failed.error.kind === 'unexpected';
        if (seen.failed && !hangsUp) return { notMeasured: seen.failed };
        if (!isAccepted(seen)) {
          refused = bytes;
          break;
        }
        accepted = bytes;
      }
      const valueOf = (bytes: number | undefined): CaseAnswer['value'] =>
        bytes === undefined ? { kind: 'none', why: 'none-tried', count: tried } : { kind: 'bytes', bytes };
      return {
        answers: [
          { question: 'largest-body-accepted', value: valueOf(accepted) },
          { question: 'smallest-body-refused', value: valueOf(refused) },
        ],
      };
    },
  },
  {
    id: 'limits.rate-headers',
    kind: 'observed',
    section: 8,
    lines: [79],
    calls: 0,
    when: 'at-end',
    run(client) {
      if (answered(client).length === 0) return createUnmetDependency('registration.served');
      const yes = headerSeen(client, rateHeaders);
      return { answers: [{ question: 'rate-headers-seen', value: { kind: 'flag', yes } }] };
    },
  },
  {
    id: 'limits.throttling',
    kind: 'observed',
    section: 8,
    lines: [79],
    needs: ['login.wrong-password'],
    account: 'own',
    calls: guesses + 1,
    accounts: 1,
    when: 'last',
    once: true,
    onlyWith: 'throttling',
    async run(client) {
      // An account at which nothing failed before is best, so one more is made if it may be.
      const path = client.registrationPath();
      if (client.mayRegister()) await client.register(path, createRegistrationFields(path, client.newIdentity()));
      const [account] = client.ownAccounts().toSorted((a, b) => client.failedLoginsOf(a) - client.failedLoginsOf(b));
      if (!account) return createUnmetDependency('registration.served');
      const seen: Observation[] = [];
      const before = client.failedLoginsOf(account);
      while (seen.length < guesses && seen.at(-1)?.handling !== 'throttled') {
        const guess = await client.login(account.email, `${account.password}-${seen.length}`, { mayBeThrottled: true });
        seen.push(guess);
        if (guess.failed) return { notMeasured: guess.failed };
      }
      const last = seen.at(-1);
      const wasThrottled = last?.handling === 'throttled';
      const wait = wasThrottled ? last.reading.summary.retryAfterSeconds : undefined;
      const neverThrottled = { kind: 'none', why: 'not-throttled', count: before + seen.length } as const;
      const answers: CaseAnswer[] = [
        {
          question: 'failures-before-throttling',
          value: wasThrottled ? { kind: 'count', count: before + seen.length - 1 } : neverThrottled,
        },
        {
          question: 'throttling-wait',
          value: !wasThrottled
            ? neverThrottled
            : wait === undefined
              ? { kind: 'none' }
              : { kind: 'seconds', seconds: wait },
        },
      ];
      const isFree = !wasThrottled && !isHindered(seen);
      return { answers, findings: findingIf(isFree, 'guessing-not-throttled', seen.slice(-3), answers) };
    },
  },
];
