import type { CaseAnswer, Question } from '../../../preload/contract/report-cases.ts';
import type { PlainJson } from '../../interface/template.ts';
import {
  createStatedOutcome,
  createUnmetDependency,
  findingIf,
  type Case,
  type DetectedFinding,
  type UntestedOutcome,
} from '../case.ts';
import { isAccepted, type Observation } from '../observation.ts';
import { readRateLimit } from '../rate-limit.ts';
import type { CodeObservation } from '../second-factor-client.ts';
import { createPassword, type TestAccount } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';

/** A time step of most servers, in seconds: what a fresh code may have to wait for. */
const step = 31;
/** From this difference of clocks on, it is told. */
const toldClockMs = 15_000;
/** A server that has no limit within twice as many wrong codes counts as one without: Directus locks an account after 25. */
const mostWrongCodes = 15;

/** So many logins without a code prove that none is needed, and make a script that can be read. */
const mostShown = 3;

const described = { section: 10, lines: [] } as const;

/** The given account if it has a second factor, or else an account of the check. */
async function anyAccount(client: TestClient): Promise<TestAccount | undefined> {
  const { givenAccount, secondFactor } = client;
  return givenAccount && secondFactor.has(givenAccount) ? givenAccount : client.roles.withFactor('code');
}

/** Why there is no account with a second factor. */
function withoutAccount(client: TestClient): UntestedOutcome {
  const reason = client.secondFactor.reasonWithout();
  const mayEnroll = client.adapter.hasAccountCall('enrollment.confirm') && client.options.variant !== 'none';
  const isLimited = reason.kind === 'no-second-factor' && mayEnroll && !client.mayRegister();
  return { notMeasured: isLimited ? { kind: 'account-limit' } : reason };
}

/** Why the response to a code or a login decides nothing; undefined if it does. */
function undecided(seen: Observation): UntestedOutcome | undefined {
  if (seen.failed) return { notMeasured: seen.failed };
  if (seen.handling === 'throttled') {
    const { retryAfterSeconds } = seen.reading.summary;
    return { notMeasured: { kind: 'throttled', retryAfterSeconds, ...readRateLimit(seen) } };
  }
  return undefined;
}

/** The answer and the finding of a code that should be refused, and that counts only if the profile is then returned. */
async function refusedCode(
  client: TestClient,
  question: Question,
  id: DetectedFinding['id'],
  result: CodeObservation,
  before: readonly Observation[] = [],
) {
  const { seen } = result;
  const answers = [client.reply(question, seen)];
  const unknown = undecided(seen);
  if (unknown) return unknown;
  const isIn = await client.secondFactor.isLoggedIn(result);
  return { answers, findings: findingIf(isIn, id, [...before, seen], answers) };
}

const unstable: UntestedOutcome = { notMeasured: { kind: 'unstable' } };

/** The clocks, where they differ so much that codes of other devices may be refused. */
function clockAnswer(client: TestClient): CaseAnswer[] {
  const ms = client.secondFactor.clockDifferenceMs();
  return Math.abs(ms) < toldClockMs
    ? []
    : [{ question: 'server-clock-difference', value: { kind: 'seconds', seconds: Math.round(ms / 1000) } }];
}

const noCodes: readonly (readonly [Question, PlainJson | undefined])[] = [
  ['code-missing', undefined],
  ['code-empty', ''],
  ['code-null', null],
  ['code-list', ['']],
  ['code-number', 0],
];

/** Requests the profile with each value of a pending login in the place of a session. */
async function profilesWithPending(client: TestClient, account: TestAccount): Promise<Observation[] | undefined> {
  const { adapter, secondFactor } = client;
  const { pending } = await secondFactor.begin(account);
  if (!pending) return undefined;
  const { token, outputs = {}, cookies = {} } = pending.credential;
  const secrets = Object.keys(outputs).filter(
    (output) => !adapter.publicOutputs.has(output) && outputs[output] !== token,
  );
  const values = [...secrets.map((output) => ({ output })), ...Object.keys(cookies).map((cookie) => ({ cookie }))];
  const asked: Observation[] = [await client.call({ operation: 'profile', pending })];
  for (const pendingValue of values) asked.push(await client.call({ operation: 'profile', pending, pendingValue }));
  return asked;
}

/** True if a login gives the same token before the code as after it, at a lower level, as Supabase describes it. */
function isPendingTokenOfSession({ adapter: { description } }: TestClient): boolean {
  const { outputs, secondFactor } = description;
  return JSON.stringify(secondFactor?.outputs['token']) === JSON.stringify(outputs['token']) && 'token' in outputs;
}

const acceptedLoginCases: readonly Case[] = [
  {
    id: 'second-factor.served',
    kind: 'stated',
    ...described,
    needs: ['profile.served'],
    account: 'any',
    when: 'account',
    sendsValidRequests: true,
    calls: 18,
    waits: step,
    async run(client) {
      const { secondFactor, roles } = client;
      const account = await anyAccount(client);
      if (!account) return withoutAccount(client);
      // Its codes have to age until `second-factor.old-codes`.
      if (account !== client.givenAccount) await roles.withFactor('old-code');
      const result = await secondFactor.logIn(account);
      if (!result) {
        const { seen } = await secondFactor.begin(account);
        return undecided(seen) ?? { passed: false, answers: [client.reply('login-without-code', seen)] };
      }
      const { seen } = result;
      const clock = clockAnswer(client);
      const answers = [client.reply('code-sent', seen), ...clock];
      return (
        undecided(seen) ??
        createStatedOutcome(seen, await secondFactor.isLoggedIn(result), {
          answers,
          findings: findingIf(clock.length > 0, 'server-clock-off', [seen], clock),
        })
      );
    },
  },
  {
    id: 'second-factor.required',
    kind: 'stated',
    ...described,
    needs: ['second-factor.served'],
    account: 'any',
    when: 'account',
    sendsValidRequests: true,
    calls: 2,
    async run(client) {
      const account = await anyAccount(client);
      if (!account) return withoutAccount(client);
      const { seen, pending } = await client.secondFactor.begin(account);
      const answers = [client.reply('login-without-code', seen)];
      const isRefused = client.adapter.secondFactor.kind === 'offered' && seen.handling === 'refused';
      const passed = isRefused || (pending !== undefined && seen.reading.summary.token === undefined);
      return undecided(seen) ?? createStatedOutcome(seen, passed, { answers });
    },
  },
  {
    id: 'second-factor.pending-login',
    kind: 'observed',
    ...described,
    needs: ['second-factor.required'],
    account: 'any',
    when: 'account',
    calls: 8,
    async run(client) {
      const account = await anyAccount(client);
      if (!account) return withoutAccount(client);
      const asked = await profilesWithPending(client, account);
      const opened = asked?.find(isAccepted);
      const seen = opened ?? asked?.[0];
      if (!seen) return unstable;
      const answers = [client.reply('profile-with-pending-login', seen, 'profile')];
      const isFinding = opened !== undefined && !isPendingTokenOfSession(client);
      return { answers, findings: findingIf(isFinding, 'profile-before-second-factor', [seen], answers) };
    },
  },
  {
    id: 'second-factor.repeated-code',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'any',
    when: 'account',
    calls: 8,
    waits: step,
    async run(client) {
      const { secondFactor } = client;
      const account = await anyAccount(client);
      if (!account) return withoutAccount(client);
      const login = await secondFactor.currentLogin(account);
      const pending = login && (await secondFactor.pendingFor(account));
      if (!login || !pending) return unstable;
      const again = await secondFactor.sendCode(account, pending, login.code);
      return refusedCode(client, 'code-again', 'code-accepted-twice', again, [login.seen]);
    },
  },
  {
    id: 'second-factor.repeated-pending-login',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'any',
    when: 'account',
    calls: 7,
    waits: step,
    async run(client) {
      const { secondFactor } = client;
      const account = await anyAccount(client);
      if (!account) return withoutAccount(client);
      if (!secondFactor.lastLogin(account)) await secondFactor.logIn(account);
      const login = secondFactor.lastLogin(account);
      if (!login) return unstable;
      const again = await secondFactor.sendCode(account, login.pending, await secondFactor.freshCode(account));
      return refusedCode(client, 'pending-login-again', 'pending-login-reusable', again, [login.seen]);
    },
  },
];

const refusedLoginCases: readonly Case[] = [
  {
    id: 'second-factor.missing-code',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'own',
    when: 'account',
    hasIndependentCalls: true,
    calls: 22,
    async run(client) {
      const { secondFactor, adapter } = client;
      const account = await client.roles.withFactor('invalid-code');
      if (!account) return withoutAccount(client);
      const isForm = adapter.takesFormAt('code.totp');
      const answers: CaseAnswer[] = [];
      const opened: Observation[] = [];
      for (const [question, code] of isForm ? noCodes.slice(0, 2) : noCodes) {
        const pending = await secondFactor.pendingFor(account);
        if (!pending) break;
        const result = await secondFactor.sendCode(account, pending, code);
        if (undecided(result.seen)) break;
        answers.push(client.reply(question, result.seen));
        if (await secondFactor.isLoggedIn(result)) opened.push(result.seen);
      }
      if (answers.length === 0) return unstable;
      return {
        answers,
        findings: findingIf(opened.length > 0, 'second-factor-skipped', opened.slice(0, mostShown), answers),
      };
    },
  },
  {
    id: 'second-factor.code-of-another',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'own',
    when: 'account',
    calls: 12,
    waits: step,
    async run(client) {
      const { secondFactor, roles } = client;
      const account = await roles.withFactor('code');
      const other = await roles.withFactor('other-code');
      if (!account || !other) return withoutAccount(client);
      const code = await secondFactor.freshCode(other);
      const pending = await secondFactor.pendingFor(account);
      if (!pending) return unstable;
      const result = await secondFactor.sendCode(account, pending, code);
      return refusedCode(client, 'code-of-another', 'code-of-another-accepted', result);
    },
  },
  {
    id: 'second-factor.old-codes',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'own',
    when: 'account',
    calls: 14,
    waits: 2 * step,
    // The same steps could not be asked about again.
    once: true,
    async run(client) {
      const { secondFactor } = client;
      const account = await client.roles.withFactor('old-code');
      if (!account) return withoutAccount(client);
      // The oldest first: a server may refuse all that are older than the last one that it accepted.
      const oldest = secondFactor.unsentSteps(account) >= 3 ? 3 : 2;
      for (let steps = oldest; steps > 0; steps -= 1) {
        const pending = await secondFactor.pendingFor(account);
        if (!pending) return unstable;
        const result = await secondFactor.sendCode(account, pending, await secondFactor.oldCode(account, steps));
        const unknown = undecided(result.seen);
        if (unknown) return unknown;
        if (!(await secondFactor.isLoggedIn(result))) continue;
        const answers: CaseAnswer[] = [{ question: 'old-code-steps', value: { kind: 'count', count: steps } }];
        return { answers, findings: findingIf(steps > 1, 'old-codes-accepted', [result.seen], answers) };
      }
      return { answers: [{ question: 'old-code-steps', value: { kind: 'count', count: 0 } }] };
    },
  },
  {
    id: 'second-factor.repeated-recovery-code',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'own',
    when: 'account',
    calls: 8,
    async run(client) {
      const { secondFactor } = client;
      const account = await client.roles.withFactor('other-code');
      if (!account) return withoutAccount(client);
      const code = secondFactor.takeRecoveryCode(account);
      if (code === undefined) return { notMeasured: { kind: 'not-described' } };
      const first = await secondFactor.begin(account);
      if (!first.pending) return undecided(first.seen) ?? unstable;
      const result = await secondFactor.sendCode(account, first.pending, code, 'recovery');
      const unknown = undecided(result.seen);
      if (unknown) return unknown;
      if (!(await secondFactor.isLoggedIn(result))) return unstable;
      const second = await secondFactor.begin(account);
      if (!second.pending) return undecided(second.seen) ?? unstable;
      const again = await secondFactor.sendCode(account, second.pending, code, 'recovery');
      const sent = client.reply('recovery-code-sent', result.seen);
      const outcome = await refusedCode(client, 'recovery-code-again', 'recovery-code-accepted-twice', again, [
        result.seen,
      ]);
      return 'notMeasured' in outcome ? outcome : { ...outcome, answers: [sent, ...outcome.answers] };
    },
  },
  {
    id: 'second-factor.wrong-password',
    kind: 'observed',
    ...described,
    needs: ['second-factor.required'],
    account: 'any',
    when: 'account',
    calls: 4,
    async run(client) {
      const account = await anyAccount(client);
      if (!account) return withoutAccount(client);
      // A given account gets no further wrong password.
      const earlier = client.observationsOf('login.wrong-password').findLast(({ handling }) => handling === 'refused');
      const wrong =
        earlier && account === client.givenAccount
          ? { seen: earlier, pending: undefined }
          : await client.secondFactor.begin(account, createPassword());
      const right = await client.secondFactor.begin(account);
      const unknown = undecided(wrong.seen) ?? undecided(right.seen);
      if (unknown) return unknown;
      const yes =
        (wrong.pending === undefined) !== (right.pending === undefined) || wrong.seen.status !== right.seen.status;
      return { answers: [{ question: 'wrong-password-told-apart', value: { kind: 'flag', yes } }] };
    },
  },
  {
    id: 'second-factor.throttling',
    kind: 'observed',
    ...described,
    needs: ['second-factor.served'],
    account: 'own',
    when: 'account',
    calls: 4 * mostWrongCodes + 4,
    once: true,
    run: measureLimit,
  },
];

/** Sends wrong codes until one is not merely wrong: in one pending login, and then in another one. */
async function measureLimit(client: TestClient) {
  const { secondFactor } = client;
  const account = await client.roles.withFactor('wrong-code');
  if (!account) return withoutAccount(client);
  const codes = secondFactor.wrongCodes(account, 2 * mostWrongCodes);
  const sent: Observation[] = [];
  let pending = await secondFactor.pendingFor(account);
  for (const [at, code] of codes.entries()) {
    if (at === mostWrongCodes) pending = await secondFactor.pendingFor(account);
    if (!pending) return createUnmetDependency('second-factor.required');
    const { seen, outcome } = await secondFactor.sendCode(account, pending, code);
    if (seen.failed) return { notMeasured: seen.failed };
    if (outcome !== 'wrong') {
      const answers: CaseAnswer[] = [{ question: 'codes-before-throttling', value: { kind: 'count', count: at } }];
      return { answers };
    }
    sent.push(seen);
  }
  const answers: CaseAnswer[] = [
    { question: 'codes-before-throttling', value: { kind: 'none', why: 'no-code-limit', count: sent.length } },
  ];
  return { answers, findings: findingIf(true, 'codes-not-throttled', sent, answers) };
}

export const secondFactorCases: readonly Case[] = [...acceptedLoginCases, ...refusedLoginCases];
