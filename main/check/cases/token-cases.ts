import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import {
  isFaultOrPage,
  createStatedOutcome,
  createUnmetDependency,
  findingIf,
  createInconclusiveOutcome,
  type Case,
} from '../case.ts';
import { createPassword } from '../test-accounts.ts';
import { invalidRefreshToken } from '../test-values.ts';
import { numberOf } from '../../client/reading/json.ts';
import { sessionSchemes } from '../../interface/security-schemes.ts';
import { readJsonWebToken } from '../../client/reading/json-web-token.ts';
import type { TestClient } from '../test-client.ts';
import { isAccepted, isSentWithoutToken, sortLongBodiesFirst, type Observation } from '../observation.ts';
import { isDefaultInterface } from '../case-applicability.ts';
import { tokenFacts } from './token-facts.ts';
import { estimateTokenEntropy } from './token-entropy.ts';

/** Line 34 of `interface.md`. */
const statedForm = /^\d+\|[^|\s]+$/;

const fewestTokens = 4;
/** OWASP ASVS 7.2.3 requires 128; a finding starts below this. */
const guessableBits = 64;

/** The response that issued the first token: a login's, else a registration's. */
const tokenAnswer = (client: TestClient): Observation | undefined =>
  [...client.observationsOf('login.right-credentials'), ...client.observationsOf('registration.served')].find(
    ({ reading }) => reading.summary.token !== undefined,
  );

type Given = { token: string; seen: Observation };

/** Whether two tokens were issued in one second, by their claims, else by the times of their requests. */
function isSameSecond(one: Given, other: Given): boolean {
  const [mine, others] = [one, other].map(({ token }) => {
    const claims = readJsonWebToken(token)?.claims?.values;
    const moment = numberOf(claims?.get('iat')) ?? numberOf(claims?.get('exp'));
    return moment === undefined ? undefined : Math.floor(moment);
  });
  if (mine !== undefined && others !== undefined) return mine === others;
  const [first, second] = [one, other].map(({ seen }) => Date.parse(seen.call?.startedAt ?? ''));
  return Math.abs((second ?? Number.NaN) - (first ?? Number.NaN)) < 500;
}

const showsUser = ({ reading }: Observation): boolean => reading.summary.user !== undefined;

/** Whether an operation accepts a token. If not, a refusal without one proves nothing. */
async function isServedWithToken(client: TestClient, operation: Observation['operation']): Promise<boolean> {
  const [account] = client.accounts();
  if (!account) return false;
  const { token } = (await client.login(account.email, account.password)).reading.summary;
  if (token === undefined) return false;
  const isServed = isAccepted(await client.call({ operation, token }));
  if (isServed && operation === 'logout') client.markTokenInvalid(token);
  return isServed;
}

/**
 * Refreshes a session of its own: with an invalid refresh token, with none, with the right one, and with that again. At the
 * last, a server may revoke all sessions of the account, which is tested too.
 */
async function renewals(client: TestClient): Promise<CaseAnswer[]> {
  const [account] = client.accounts();
  if (!account) return [];
  const others = client.tokens();
  const { reading } = await client.login(account.email, account.password);
  const { token } = reading.summary;
  const value = token === undefined ? undefined : client.sessions.refreshTokenOf(token);
  if (token === undefined || value === undefined) return [];
  const answers = [
    client.reply('renewal-with-nonsense', await client.renew(account, token, invalidRefreshToken)),
    client.reply('renewal-without-token', await client.renew(account, token, undefined)),
  ];
  const renewed = await client.renew(account, token, value);
  answers.push(client.reply('renewal-sent', renewed));
  if (!isAccepted(renewed)) return answers;
  answers.push(client.reply('renewal-again', await client.renew(account, token, value)));
  const after = await client.tokenOf(account);
  const isOver = (await client.call({ operation: 'profile', token: after })).handling === 'refused';
  // After that, only a new log-in is sure to give a token that works.
  if (isOver) for (const each of new Set([...others, token, ...client.tokens()])) client.markTokenInvalid(each);
  else client.markTokenInvalid(token);
  return answers;
}

export const tokenCases: readonly Case[] = [
  {
    id: 'token.form',
    kind: 'stated',
    section: 2,
    lines: [34],
    needs: ['token.source'],
    calls: 0,
    requiredIfChosen: true,
    run(client) {
      const seen = tokenAnswer(client);
      if (!seen) return createUnmetDependency('token.source');
      client.attributeToCurrentCase(seen);
      const { token = '' } = seen.reading.summary;
      const answers: CaseAnswer[] = [{ question: 'token-form', value: formOf(token) }];
      const passed = statedForm.test(token);
      if (client.isDefaultInterfaceChosen) return { passed, answers };
      // The form is a sentence of interface.md alone.
      return {
        answers,
        findings: findingIf(!passed && isDefaultInterface(client.adapter), 'token-format', [seen], answers),
      };
    },
  },
  {
    id: 'token.source',
    kind: 'observed',
    section: 4,
    lines: [59],
    needs: ['login.right-credentials'],
    calls: 0,
    run(client) {
      const seen = tokenAnswer(client);
      if (seen) client.attributeToCurrentCase(seen);
      const place = seen?.reading.trace.token?.path;
      if (!seen || place === undefined) {
        const error = client.observationsOf('login.right-credentials').at(-1)?.error;
        return error
          ? { notMeasured: { kind: 'unreadable', error } }
          : createUnmetDependency('login.right-credentials');
      }
      return {
        answers: [
          {
            question: 'token-place',
            subject: seen.operation,
            value: { kind: 'text', text: [client.secretRegistry.mask(place).slice(0, 200)] },
          },
          { question: 'token-form', value: formOf(seen.reading.summary.token ?? '') },
        ],
      };
    },
  },
  {
    id: 'token.lifetime',
    kind: 'observed',
    section: 5,
    lines: [66],
    needs: ['token.source'],
    calls: 0,
    run(client) {
      const seen = tokenAnswer(client);
      if (!seen) return createUnmetDependency('token.source');
      client.attributeToCurrentCase(seen);
      const { token = '' } = seen.reading.summary;
      const { startedAt = '', response } = seen.call ?? {};
      return {
        answers: tokenFacts(
          {
            token,
            body: response?.body ?? '',
            end: seen.reading.sessionExpiry,
            dateMs: seen.reading.dateMs,
            startedAt,
          },
          client.secretRegistry,
        ),
      };
    },
  },
  {
    id: 'token.randomness',
    kind: 'observed',
    section: 2,
    lines: [34, 66],
    needs: ['token.source'],
    calls: 0,
    when: 'at-end',
    run(client) {
      const tokens = client.tokens();
      if (tokens.length < fewestTokens) return createUnmetDependency('login.two-tokens');
      const random = estimateTokenEntropy(tokens, client.tokensByAccount());
      const answers: CaseAnswer[] = [{ question: 'token-randomness', value: random }];
      const isGuessable = random.kind === 'bits' && random.bits < guessableBits;
      const givers = client.observations().filter(({ reading }) => reading.summary.token !== undefined);
      return {
        answers,
        findings: findingIf(isGuessable, 'tokens-guessable', sortLongBodiesFirst(givers).slice(-5), answers),
      };
    },
  },
  {
    id: 'token.same-second',
    kind: 'observed',
    section: 5,
    lines: [66],
    needs: ['token.source'],
    calls: 0,
    when: 'at-end',
    run(client) {
      const given = client.observations().flatMap((seen) => {
        const { token } = seen.reading.summary;
        return seen.operation === 'login' && token !== undefined ? [{ token, to: seen.call?.request.body, seen }] : [];
      });
      const pairs = given.flatMap((one, at) =>
        given.slice(at + 1).flatMap((other) => (one.to === other.to && isSameSecond(one, other) ? [[one, other]] : [])),
      );
      const yes = pairs.some(([one, other]) => one?.token === other?.token);
      const value =
        pairs.length === 0 ? ({ kind: 'none', why: 'no-two-at-once' } as const) : ({ kind: 'flag', yes } as const);
      return { answers: [{ question: 'same-token-in-one-second', value }] };
    },
  },
  {
    id: 'token.required',
    kind: 'stated',
    section: 5,
    lines: [49, 50, 63],
    calls: 6,
    async run(client) {
      const profile = await client.call({ operation: 'profile' });
      const both = client.adapter.features.logout ? [profile, await client.call({ operation: 'logout' })] : [profile];
      const answers = both.map((seen) => client.reply('token-missing', seen, seen.operation));
      // That a logout asks for a token is a sentence of interface.md alone: elsewhere, what is ended may be ended again.
      const asked = isDefaultInterface(client.adapter) ? both : [profile];
      const unclear = asked.find(isFaultOrPage) ?? profile;
      // What says that nobody is logged in shows nothing.
      if (isAccepted(profile) && !showsUser(profile)) return createInconclusiveOutcome(profile);
      for (const seen of asked) {
        const isAnything = seen.handling === 'refused' && seen.status !== 401;
        if (isAnything && !(await isServedWithToken(client, seen.operation))) return createInconclusiveOutcome(seen);
      }
      const passed = asked.every(({ handling }) => handling === 'refused');
      return createStatedOutcome(unclear, passed, {
        answers,
        findings: findingIf(isAccepted(profile), 'profile-without-token', [profile], answers),
      });
    },
  },
  {
    id: 'token.missing',
    kind: 'observed',
    section: 5,
    lines: [67],
    calls: 0,
    needs: ['token.required'],
    run: (client) => ({
      answers: client
        .observationsOf('token.required')
        .filter((seen) => seen.operation !== 'login' && isSentWithoutToken(seen))
        .map((seen) => client.reply('token-missing', seen, seen.operation)),
    }),
  },
  {
    id: 'token.invalid',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 5,
    lines: [67],
    calls: 11,
    async run(client) {
      const answers: CaseAnswer[] = [];
      const accepted: Observation[] = [];
      for (const [question, token] of [
        ['token-malformed', 'not-a-token'],
        ['token-foreign', `${Date.now() % 1_000_000}|${createPassword(48).replaceAll(/\W/g, 'x')}`],
      ] as const) {
        for (const operation of ['profile', 'logout'] as const) {
          if (operation === 'logout' && !client.adapter.features.logout) continue;
          const seen = await client.call({ operation, token });
          answers.push(client.reply(question, seen, operation));
          if (operation === 'profile' && isAccepted(seen) && showsUser(seen)) accepted.push(seen);
        }
      }
      if (client.adapter.features.refresh) answers.push(...(await renewals(client)));
      return { answers, findings: findingIf(accepted.length > 0, 'profile-without-token', accepted, answers) };
    },
  },
  {
    id: 'token.scheme-case',
    kind: 'observed',
    section: 5,
    lines: [63, 67],
    needs: ['token.source'],
    calls: 2,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('token.source');
      const [security] = sessionSchemes(client.adapter.description);
      const scheme = security?.type === 'http' ? inOtherCase(security.scheme) : '';
      const seen = await client.call({ operation: 'profile', token: await client.tokenOf(account), scheme });
      return { answers: [{ ...client.reply('scheme-in-lower-case', seen, 'profile'), written: scheme }] };
    },
  },
];

const inOtherCase = (word: string): string => (word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase());

function formOf(token: string): CaseAnswer['value'] {
  const choice = statedForm.test(token) ? 'id-and-opaque' : readJsonWebToken(token) ? 'jwt' : 'other';
  return { kind: 'choice', choice };
}
