import type { CaseAnswer, NotMeasured, Subject, Question } from '../../../preload/contract/report-cases.ts';
import type { Throttling } from '../../../preload/contract/report.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import {
  isFaultOrPage,
  createStatedOutcome,
  createUnmetDependency,
  findingIf,
  createInconclusiveOutcome,
  type Case,
  type UntestedOutcome,
} from '../case.ts';
import { compareTimes, detectNoise, timesDiffer } from '../compare-times.ts';
import { createRegistrationFields, createPassword, type TestAccount } from '../test-accounts.ts';
import { maxFailedLogins, type TestClient } from '../test-client.ts';
import {
  listResponseFields,
  isEndpointMissing,
  isInputRejected,
  isUnanswered,
  redactMessage,
  timeToFirstByteMs,
  type Observation,
} from '../observation.ts';
import { readRateLimit } from '../rate-limit.ts';
import { isPossibleTestValueRejection } from '../test-values.ts';
import { detectAccountEnumeration, type FailedLogin } from './account-enumeration.ts';
import { logInTwice } from './log-in-twice.ts';

const isAccepted = ({ handling }: Observation): boolean => handling === 'accepted';

/** Response times for each kind of email. */
const samples = 20;
const fewestSamples = 12;

/** The outcome of a refused login to the given account; undefined if the refusal has another reason. */
function refusalOfGiven(client: TestClient, seen: Observation): UntestedOutcome | undefined {
  if (!client.givenAccount || seen.handling !== 'refused' || isEndpointMissing(seen)) return undefined;
  const { status, reading } = seen;
  const { message } = reading.summary;
  return {
    notMeasured: {
      kind: 'account-refused',
      status,
      ...(message !== undefined && { message: redactMessage(message, client.secretRegistry) }),
    },
  };
}

/** The error of an unreadable response, or of a connection that was closed instead of it. */
function unreadOf(seen: Observation): AppError | undefined {
  if (seen.failed?.kind !== 'no-answer') return isFaultOrPage(seen) ? seen.error : undefined;
  const { error } = seen.failed;
  const isClosed = error.kind === 'unexpected' && error.reason === 'connection-lost';
  return isClosed || error.kind === 'not-an-api-answer' || error.kind === 'broken-http' ? error : undefined;
}

/** True if the login or an earlier registration issued a token: the API leaves open which does. */
const givesToken = (client: TestClient, seen: Observation): boolean =>
  [seen, ...client.observationsOf('registration.served')].some(({ reading }) => reading.summary.token !== undefined);

const rightLogin = (client: TestClient): Observation | undefined =>
  client.observationsOf('login.right-credentials').findLast((seen) => isAccepted(seen));

/** True for a success without a token, where a right login issues one. */
const lacksToken = (client: TestClient, seen: Observation): boolean =>
  isAccepted(seen) &&
  seen.reading.summary.token === undefined &&
  rightLogin(client)?.reading.summary.token !== undefined;

/** Each account as often as its logins may still fail, after creating as many accounts as needed and allowed. */
async function roomForFailures(client: TestClient): Promise<TestAccount[]> {
  const turns = (): TestAccount[] =>
    client
      .ownAccounts()
      .flatMap((account) =>
        Array.from({ length: Math.max(0, maxFailedLogins - client.failedLoginsOf(account)) }, () => account),
      );
  // Creates no account if there will be too few samples.
  if (turns().length + maxFailedLogins * client.accountsLeft() < fewestSamples) return [];
  while (turns().length < samples && client.mayRegister()) {
    const path = client.registrationPath();
    const seen = await client.register(path, createRegistrationFields(path, client.newIdentity()));
    if (!isAccepted(seen)) break;
  }
  return turns().slice(0, samples);
}

/** A rate limit that was hit twice would be hit by each of forty logins. */
function throttledAgain(seen: Observation, waited: readonly Throttling[]): NotMeasured {
  const waitedSeconds = waited.reduce((sum, each) => sum + each.waitedSeconds, 0);
  return {
    kind: 'throttled',
    retryAfterSeconds: seen.reading.summary.retryAfterSeconds,
    ...readRateLimit(seen),
    waitedSeconds,
  };
}

const wrong: readonly (readonly [Question, Subject, unknown])[] = [
  ['field-missing', 'email', undefined],
  ['field-missing', 'password', undefined],
  ['field-empty', 'email', ''],
  ['field-empty', 'password', ''],
  ['field-of-other-type', 'email', { address: 'an object' }],
  ['field-of-other-type', 'password', 12_345_678],
  ['email-malformed', 'email', 'llavero.example.test'],
  ['email-without-dot', 'email', 'llavero@example'],
  ['field-too-long', 'email', `llavero-${'e'.repeat(300)}@example.test`],
  ['field-too-long', 'password', `Ll4!${'p'.repeat(5_000)}`],
];

/** Tests the CSRF header missing and wrong: at the login, or at the logout where only sessions are protected. */
async function forgeries(client: TestClient): Promise<CaseAnswer[]> {
  const { csrfPath, description } = client.adapter;
  const [account] = client.accounts();
  if (!description.csrf) return [];
  const answers: CaseAnswer[] = [];
  if (csrfPath !== undefined) {
    const cookie = await client.call({ operation: 'profile', path: csrfPath, method: 'GET' });
    answers.push(client.reply('csrf-cookie', cookie));
  } else if (!account || !client.adapter.features.logout) return [];
  for (const [question, csrf] of [
    ['csrf-header-missing', 'missing'],
    ['csrf-header-wrong', 'wrong'],
  ] as const) {
    const { email, password } = client.newIdentity();
    if (csrfPath !== undefined)
      answers.push(client.reply(question, await client.login(email, password, { csrf }), 'login'));
    else if (account) {
      const token = await client.tokenOf(account);
      const seen = await client.call({ operation: 'logout', token, csrf });
      if (isAccepted(seen)) client.markTokenInvalid(token);
      answers.push(client.reply(question, seen, 'logout'));
    }
  }
  return answers;
}

/**
 * Logs in with an unknown email. If no registration has shown that the server takes its domain, and the domain may be why
 * it is refused, the other reserved one is tried, and used for the whole check if that is refused in another way.
 */
async function logInAsNobody(client: TestClient): Promise<Observation> {
  const attempt = (): Promise<Observation> => {
    const { email, password } = client.newIdentity();
    return client.login(email, password);
  };
  const seen = await attempt();
  const [domain, other] = [client.emailDomain(), client.fallbackDomain()];
  const isKnown = client.createdAccounts().length > 0;
  if (isKnown || other === undefined || !isInputRejected(seen) || !isPossibleTestValueRejection(seen)) return seen;
  client.useDomain(other);
  const again = await attempt();
  if (again.handling === 'refused' && again.status !== seen.status) return again;
  client.useDomain(domain);
  return seen;
}

export const loginCases: readonly Case[] = [
  {
    id: 'login.right-credentials',
    kind: 'stated',
    section: 4,
    lines: [12, 48, 64, 65],
    account: 'any',
    sendsValidRequests: true,
    calls: 2,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('registration.served');
      const logIn = () => client.login(account.email, account.password, { mayFail: true });
      const first = await logIn();
      const seen = isUnanswered(first) || isFaultOrPage(first) ? await logIn() : first;
      const refusal = refusalOfGiven(client, seen);
      if (refusal) return refusal;
      // The API leaves open which states an account has.
      if (seen.error?.kind === 'account-held') return { notMeasured: { kind: 'account-held' } };
      const unread = unreadOf(seen);
      if (seen.failed && !unread) return { notMeasured: seen.failed };
      // An account that was made, or given, and gets no session breaks the rule, however that is said.
      const passed = isAccepted(seen) && givesToken(client, seen);
      const error = unread ?? (passed ? undefined : seen.error);
      const isWordless =
        error?.kind === 'not-an-api-answer' || error?.kind === 'broken-http' || error?.kind === 'unexpected';
      const answer: CaseAnswer = isWordless
        ? { question: 'login-sent', subject: 'login', value: { kind: 'unread', error } }
        : client.reply('login-sent', seen, 'login');
      return { passed, answers: [answer] };
    },
  },
  {
    id: 'login.wrong-password',
    kind: 'stated',
    section: 5,
    lines: [65],
    needs: ['login.right-credentials'],
    calls: 1,
    async run(client) {
      const [account] = client.accountsForFailedLogins();
      if (!account) return createUnmetDependency('registration.served');
      const seen = await client.login(account.email, createPassword());
      const answers = [client.reply('wrong-password', seen, 'login')];
      if (lacksToken(client, seen)) return createInconclusiveOutcome(seen);
      return createStatedOutcome(seen, seen.handling === 'refused', {
        answers,
        findings: findingIf(isAccepted(seen), 'wrong-password-accepted', [seen], answers),
      });
    },
  },
  {
    id: 'login.unknown-email',
    kind: 'stated',
    section: 5,
    lines: [65],
    calls: 2,
    async run(client) {
      const seen = await logInAsNobody(client);
      // Only where somebody can log in, another refusal than 401 is one of this email.
      const isShut = seen.handling === 'refused' && seen.status !== 401 && !rightLogin(client);
      if (isShut || lacksToken(client, seen)) return createInconclusiveOutcome(seen);
      return createStatedOutcome(seen, seen.handling === 'refused', {
        answers: [client.reply('unknown-email', seen, 'login')],
      });
    },
  },
  {
    id: 'login.answer',
    kind: 'observed',
    section: 4,
    lines: [29, 56],
    needs: ['login.right-credentials'],
    calls: 0,
    run(client) {
      const seen = client.observationsOf('login.right-credentials').at(-1);
      if (!seen) return createUnmetDependency('login.right-credentials');
      return {
        answers: [
          { question: 'success-status', subject: 'login', value: { kind: 'status', status: seen.status } },
          {
            question: 'success-fields',
            subject: 'login',
            value: { kind: 'fields', fields: listResponseFields(seen, client.secretRegistry) },
          },
        ],
      };
    },
  },
  {
    id: 'login.two-tokens',
    kind: 'observed',
    section: 3,
    lines: [38, 59],
    needs: ['token.source'],
    sendsValidRequests: true,
    calls: 5,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('registration.served');
      const [one, other] = await logInTwice(client, account);
      if (one === undefined || other === undefined) return { notMeasured: { kind: 'unstable' } };
      const older = await client.call({ operation: 'profile', token: one });
      // Where no token gets a profile, the refusal of the first one says nothing.
      const works = isAccepted(older) || isAccepted(await client.call({ operation: 'profile', token: other }));
      if (works && older.handling === 'refused') client.keepOnlyNewestToken(other);
      return {
        answers: [
          { question: 'two-logins-two-tokens', value: { kind: 'flag', yes: one !== other } },
          ...(works
            ? [{ question: 'first-token-after-second-login', value: { kind: 'flag', yes: isAccepted(older) } } as const]
            : []),
        ],
      };
    },
  },
  {
    id: 'login.email-spelling',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['login.right-credentials'],
    // Where another spelling is another email, each try is a failed login.
    account: 'own',
    calls: 3,
    async run(client) {
      // One that is in capitals says nothing of them.
      const account = client.ownAccounts().findLast(({ email: own }) => own !== own.toUpperCase());
      if (!account) return createUnmetDependency('registration.served');
      const { email, password } = account;
      const inCapitals = await client.login(account.email.toUpperCase(), account.password);
      const withSpaces = await client.login(` ${account.email} `, account.password);
      const answers = [
        client.reply('login-with-other-case', inCapitals),
        client.reply('login-with-spaces', withSpaces),
      ];
      if (!client.adapter.features.byUsername) return { answers };
      const withEmail = await client.login(email, password, { body: { username: email, password } });
      return { answers: [...answers, client.reply('login-with-email', withEmail)] };
    },
  },
  {
    id: 'login.fields',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 2,
    lines: [25, 26, 30, 52],
    needs: ['login.right-credentials'],
    calls: wrong.length + 3,
    async run(client) {
      const answers: CaseAnswer[] = [...(await forgeries(client))];
      for (const [question, field, value] of wrong) {
        if (question === 'field-of-other-type' && client.adapter.encodingOf('login') !== 'json') {
          answers.push({ question, subject: field, value: { kind: 'none', why: 'no-types' } });
          continue;
        }
        // The account is nobody's, so that none is locked.
        const { email, password } = client.newIdentity();
        const sent = { email, password, [field]: value };
        const seen = await client.login(sent.email, sent.password);
        answers.push(client.reply(question, seen, field));
      }
      return { answers };
    },
  },
  {
    id: 'login.refusal',
    kind: 'observed',
    section: 7,
    lines: [56, 75],
    needs: ['login.wrong-password', 'login.unknown-email'],
    calls: 0,
    run: (client) => ({
      answers: [
        ...client.observationsOf('login.wrong-password').map((seen) => client.reply('wrong-password', seen, 'login')),
        ...client.observationsOf('login.unknown-email').map((seen) => client.reply('unknown-email', seen, 'login')),
      ],
    }),
  },
  {
    id: 'login.told-apart-by-answer',
    kind: 'observed',
    section: 7,
    lines: [75],
    needs: ['login.wrong-password', 'login.unknown-email'],
    calls: 4,
    once: true,
    async run(client) {
      const [account, another = account] = client.accountsForFailedLogins();
      if (!account || !another) return createUnmetDependency('registration.served');
      // One of the wrong passwords that may be sent for a given account was sent already.
      const before = account === client.givenAccount ? client.observationsOf('login.wrong-password').slice(-1) : [];
      const known: FailedLogin[] = [];
      const unknown: FailedLogin[] = [];
      // Each is sent twice: what differs between two answers to the same tells nothing.
      for (const [at, { email }] of [account, another].entries()) {
        known.push({ email, seen: before[at] ?? (await client.login(email, createPassword())) });
        const stranger = client.newIdentity();
        unknown.push({ email: stranger.email, seen: await client.login(stranger.email, stranger.password) });
      }
      const differ = detectAccountEnumeration(known, unknown);
      if (differ === 'unstable') return { notMeasured: { kind: 'unstable' } };
      const seen = [...known, ...unknown].map((each) => each.seen);
      const answers: CaseAnswer[] = [
        { question: 'told-apart-by-answer', value: { kind: 'flag', yes: differ } },
        ...known.slice(0, 1).map((each) => client.reply('wrong-password', each.seen, 'login')),
        ...unknown.slice(0, 1).map((each) => client.reply('unknown-email', each.seen, 'login')),
      ];
      return { answers, findings: findingIf(differ, 'unknown-email-by-body', seen, answers) };
    },
  },
  {
    id: 'login.told-apart-by-time',
    kind: 'observed',
    section: 7,
    lines: [75],
    needs: ['login.wrong-password', 'login.unknown-email'],
    account: 'own',
    calls: 2 * samples + 5,
    accounts: 2,
    // It has its own measure of chance.
    once: true,
    async run(client) {
      const turns = await roomForFailures(client);
      if (turns.length < fewestSamples) return { notMeasured: { kind: 'account-limit' } };
      // There are as many failures at each stranger as at each account.
      const strangers = new Map(turns.map(({ email }) => [email, client.newIdentity().email]));
      const before = client.throttlings().length;
      const knownMs: number[] = [];
      const unknownMs: number[] = [];
      const seen: Observation[] = [];
      for (const [turn, { email }] of turns.entries()) {
        const pair = [
          { email, times: knownMs },
          { email: strangers.get(email) ?? email, times: unknownMs },
        ];
        // Either kind is first in turn, so that whatever comes and goes meets both.
        for (const each of turn % 2 === 0 ? pair : pair.toReversed()) {
          const waited = client.throttlings().slice(before);
          const answer = await client.login(each.email, createPassword(), { mayBeThrottled: waited.length > 0 });
          if (answer.handling === 'throttled') return { notMeasured: throttledAgain(answer, waited) };
          // The time of anything else than a refusal tells nothing of who is known.
          if (answer.handling !== 'refused') return { notMeasured: answer.failed ?? { kind: 'unstable' } };
          const ms = timeToFirstByteMs(answer);
          if (ms !== undefined) each.times.push(ms);
          seen.push(answer);
        }
      }
      if (Math.min(knownMs.length, unknownMs.length) < fewestSamples) return { notMeasured: { kind: 'unstable' } };
      const noise = detectNoise(knownMs, unknownMs);
      if (noise) return { notMeasured: noise };
      const times = compareTimes(knownMs, unknownMs);
      const answers: CaseAnswer[] = [{ question: 'told-apart-by-time', value: { kind: 'times', ...times } }];
      return { answers, findings: findingIf(timesDiffer(times), 'unknown-email-by-time', seen, answers) };
    },
  },
];
