import type { CaseAnswer, Question } from '../../../preload/contract/report-cases.ts';
import type { AccountCall } from '../../interface/account-calls.ts';
import {
  createNotServedOutcome,
  createStatedOutcome,
  createUnmetDependency,
  findingIf,
  isFaultOrPage,
  type Case,
  type DetectedFinding,
} from '../case.ts';
import { compareTimes, detectNoise, timesDiffer } from '../compare-times.ts';
import { isAccepted, isEndpointMissing, timeToFirstByteMs, type Observation } from '../observation.ts';
import { createPassword, createRegistrationFields, type TestAccount } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';
import { detectAccountEnumeration, type FailedLogin } from './account-enumeration.ts';
import { logInTwice } from './log-in-twice.ts';

const described = { section: 10, lines: [] } as const;

/** Requests of each kind for a comparison of times. */
const samples = 12;
/** Milliseconds until a change has reached every replica and cache. */
const propagationDelayMs = 3_000;

/** True if a call about the account succeeded by the description. */
const isDone = ({ adapter }: TestClient, call: AccountCall, seen: Observation): boolean =>
  seen.failed === undefined && adapter.isSuccessStatus(call, seen.status);

/** The profile with a token that should have ended, once more after a moment if it has not. */
async function endedProfile(client: TestClient, token: string): Promise<Observation> {
  const seen = await client.call({ operation: 'profile', token });
  if (!isAccepted(seen)) return seen;
  await client.pause(propagationDelayMs);
  return client.call({ operation: 'profile', token });
}

const changePassword = (
  client: TestClient,
  { email }: TestAccount,
  token: string,
  password: string | undefined,
  newPassword: string,
) =>
  client.secondFactor.send(
    'changePassword',
    { email, newPassword, ...(password !== undefined && { password }) },
    { token },
  );

/** A case that looks at what the change of the password left. */
const afterChange = {
  kind: 'observed',
  ...described,
  needs: ['password.change-served'],
  account: 'own',
  when: 'account',
} as const;

const passwordCases: readonly Case[] = [
  {
    id: 'password.change-served',
    kind: 'stated',
    ...described,
    needs: ['profile.served'],
    account: 'own',
    when: 'account',
    sendsValidRequests: true,
    calls: 9,
    async run(client) {
      const account = await client.roles.take('change');
      if (!account) return { notMeasured: { kind: 'account-limit' } };
      const [other, own] = await logInTwice(client, account);
      if (own === undefined) return { notMeasured: { kind: 'unstable' } };
      const { email, password } = account;
      const newPassword = createPassword();
      const seen = await changePassword(client, account, own, password, newPassword);
      const answers = [client.reply('password-change-sent', seen)];
      if (isEndpointMissing(seen)) return createNotServedOutcome(seen);
      if (!isDone(client, 'changePassword', seen)) return createStatedOutcome(seen, false, { answers });
      client.passwordChange = { account, own, other, seen };
      client.changePassword(account, newPassword);
      const withNew = await client.login(email, newPassword);
      // A refusal of the right password is none of this account any more.
      const withOld = await client.login(email, password);
      answers.push(client.reply('login-with-new-password', withNew), client.reply('login-with-old-password', withOld));
      if (!isAccepted(withNew)) client.changePassword(account, password);
      const isOldAccepted = isAccepted(withOld) && isAccepted(withNew);
      if (withOld.failed) return { notMeasured: withOld.failed };
      const findings = findingIf(isOldAccepted, 'old-password-accepted', [seen, withOld], answers);
      // The other tests need the change alone.
      if (isOldAccepted) return { passed: false, isEnough: true, answers, findings };
      return createStatedOutcome(withNew, isAccepted(withNew), { answers });
    },
  },
  {
    id: 'password.current-required',
    ...afterChange,
    calls: 8,
    once: true,
    async run(client) {
      const { account, seen: changed } = client.passwordChange ?? {};
      if (!account || !changed) return createUnmetDependency('password.change-served');
      if (!client.adapter.fieldNamesOf('changePassword').includes('password')) {
        const answers = [client.reply('current-password-missing', changed)];
        return { answers, findings: findingIf(true, 'current-password-ignored', [changed], answers) };
      }
      const token = await client.tokenOf(account);
      const answers: CaseAnswer[] = [];
      const changing: Observation[] = [];
      for (const [question, password] of [
        ['current-password-wrong', createPassword()],
        ['current-password-missing', undefined],
      ] as const) {
        const newPassword = createPassword();
        const seen = await changePassword(client, account, token, password, newPassword);
        if (seen.failed) return { notMeasured: seen.failed };
        answers.push(client.reply(question, seen));
        if (!isDone(client, 'changePassword', seen)) continue;
        // Success may be said and nothing changed.
        if (!isAccepted(await client.login(account.email, newPassword))) continue;
        client.changePassword(account, newPassword);
        changing.push(seen);
      }
      return { answers, findings: findingIf(changing.length > 0, 'current-password-ignored', changing, answers) };
    },
  },
  {
    id: 'password.other-tokens-afterwards',
    ...afterChange,
    calls: 2,
    once: true,
    async run(client) {
      const { own, other, seen: changed } = client.passwordChange ?? {};
      if (own === undefined || !changed) return createUnmetDependency('password.change-served');
      if (other === undefined || other === own)
        return {
          answers: [{ question: 'other-token-after-password', value: { kind: 'none', why: 'no-second-token' } }],
        };
      const seen = await endedProfile(client, other);
      if (!isAccepted(seen)) client.markTokenInvalid(other);
      const answers = [client.reply('other-token-after-password', seen, 'profile')];
      return { answers, findings: findingIf(isAccepted(seen), 'token-outlives-password', [changed, seen], answers) };
    },
  },
  {
    id: 'password.same-token-afterwards',
    ...afterChange,
    calls: 1,
    async run(client) {
      const { own } = client.passwordChange ?? {};
      if (own === undefined) return createUnmetDependency('password.change-served');
      const seen = await client.call({ operation: 'profile', token: own });
      if (!isAccepted(seen)) client.markTokenInvalid(own);
      const isReplaced = client.sessions.currentToken(own) !== own;
      return {
        answers: [
          client.reply('own-token-after-password', seen, 'profile'),
          { question: 'token-replaced-after-password', value: { kind: 'flag', yes: isReplaced } },
        ],
      };
    },
  },
];

const deleteAccount = (client: TestClient, { email }: TestAccount, token: string, password: string | undefined) =>
  client.secondFactor.send('deleteAccount', { email, ...(password !== undefined && { password }) }, { token });

const afterDeletion = {
  kind: 'observed',
  ...described,
  needs: ['deletion.served'],
  account: 'own',
  when: 'account',
} as const;

/** True if an account is gone: neither its token nor its password opens it. */
async function isGone(client: TestClient, account: TestAccount, token: string): Promise<boolean> {
  if (isAccepted(await client.call({ operation: 'profile', token }))) return false;
  return (await client.login(account.email, account.password)).handling === 'refused';
}

const deletionCases: readonly Case[] = [
  {
    id: 'deletion.password-required',
    kind: 'observed',
    ...described,
    needs: ['profile.served'],
    account: 'own',
    when: 'account',
    calls: 9,
    once: true,
    async run(client) {
      const account = await client.roles.take('change');
      if (!account) return { notMeasured: { kind: 'account-limit' } };
      if (!client.adapter.fieldNamesOf('deleteAccount').includes('password'))
        return { notMeasured: { kind: 'not-described' } };
      const answers: CaseAnswer[] = [];
      for (const [question, password] of [
        ['deletion-with-wrong-password', createPassword()],
        ['deletion-without-password', undefined],
      ] as const) {
        const token = await client.tokenOf(account);
        const seen = await deleteAccount(client, account, token, password);
        if (seen.failed) return { notMeasured: seen.failed };
        if (isEndpointMissing(seen)) return createNotServedOutcome(seen);
        answers.push(client.reply(question, seen));
        if (!isDone(client, 'deleteAccount', seen) || !(await isGone(client, account, token))) continue;
        client.forgetAccount(account);
        return { answers, findings: [{ id: 'account-deleted-without-password', seen: [seen], details: answers }] };
      }
      return { answers };
    },
  },
  {
    id: 'deletion.served',
    kind: 'stated',
    ...described,
    needs: ['profile.served'],
    account: 'own',
    when: 'account',
    sendsValidRequests: true,
    calls: 6,
    once: true,
    async run(client) {
      const account = await client.roles.take('change');
      if (!account) return { notMeasured: { kind: 'account-limit' } };
      const [other, own] = await logInTwice(client, account);
      if (own === undefined) return { notMeasured: { kind: 'unstable' } };
      const seen = await deleteAccount(client, account, own, account.password);
      if (isEndpointMissing(seen)) return createNotServedOutcome(seen);
      const isDeleted = isDone(client, 'deleteAccount', seen);
      if (isDeleted) {
        client.deletion = { account, own, other, seen };
        client.forgetAccount(account);
      }
      return createStatedOutcome(seen, isDeleted, { answers: [client.reply('deletion-sent', seen)] });
    },
  },
  {
    id: 'deletion.tokens-afterwards',
    ...afterDeletion,
    calls: 4,
    once: true,
    async run(client) {
      const { own, other, seen: deleted } = client.deletion ?? {};
      if (own === undefined || !deleted) return createUnmetDependency('deletion.served');
      const seen = [await endedProfile(client, own)];
      const answers = seen.map((each) => client.reply('profile-after-deletion', each, 'profile'));
      if (other !== undefined && other !== own) {
        const ofOther = await endedProfile(client, other);
        seen.push(ofOther);
        answers.push(client.reply('other-token-after-deletion', ofOther, 'profile'));
      }
      const open = seen.filter(isAccepted);
      return { answers, findings: findingIf(open.length > 0, 'token-outlives-account', [deleted, ...open], answers) };
    },
  },
  {
    id: 'deletion.login-afterwards',
    ...afterDeletion,
    calls: 1,
    async run(client) {
      const { account } = client.deletion ?? {};
      if (!account) return createUnmetDependency('deletion.served');
      const seen = await client.login(account.email, account.password);
      return { answers: [client.reply('login-after-deletion', seen, 'login')] };
    },
  },
  {
    id: 'deletion.registering-again',
    ...afterDeletion,
    calls: 1,
    accounts: 1,
    once: true,
    async run(client) {
      const { account } = client.deletion ?? {};
      if (!account) return createUnmetDependency('deletion.served');
      if (!client.mayRegister()) return { notMeasured: { kind: 'account-limit' } };
      const path = client.registrationPath();
      const { name } = client.newIdentity();
      const seen = await client.register(path, createRegistrationFields(path, { ...account, name }));
      return { answers: [client.reply('registration-after-deletion', seen, path)] };
    },
  },
];

/** Sends a request for a known and an unknown email, either first in turn. A server may limit them at any time. */
async function sendPairs(client: TestClient, call: AccountCall, email: string) {
  const known: FailedLogin[] = [];
  const unknown: FailedLogin[] = [];
  for (let turn = 0; turn < samples; turn += 1) {
    const stranger = client.roles.unknownEmail();
    const pair = [
      { email, of: known },
      { email: stranger, of: unknown },
    ];
    for (const each of turn % 2 === 0 ? pair : pair.toReversed()) {
      const seen = await client.secondFactor.send(call, { email: each.email }, { mayBeThrottled: true });
      if (seen.failed || seen.handling === 'throttled') return { known, unknown, limited: seen };
      each.of.push({ seen, email: each.email });
    }
  }
  return { known, unknown, limited: undefined };
}

/** What the two kinds of times tell; undefined if there are too few, or if they are too noisy. */
function timesOf(known: readonly FailedLogin[], unknown: readonly FailedLogin[]) {
  const [knownMs, unknownMs] = [known, unknown].map((all) => all.flatMap(({ seen }) => timeToFirstByteMs(seen) ?? []));
  if (!knownMs || !unknownMs || Math.min(knownMs.length, unknownMs.length) < samples) return undefined;
  return detectNoise(knownMs, unknownMs) ? undefined : compareTimes(knownMs, unknownMs);
}

/** Asks for mails that nobody gets: all addresses are made up, and under `.invalid`. */
const tellsApart =
  (call: AccountCall, id: DetectedFinding['id']): Case['run'] =>
  async (client) => {
    if (!client.mayRegister() && !client.roles.hasMailed()) return { notMeasured: { kind: 'account-limit' } };
    const { account, seen: registered } = await client.roles.mailed();
    if (registered.failed) return { notMeasured: registered.failed };
    if (!account) return { notMeasured: { kind: 'address-refused', status: registered.status } };
    const { known, unknown, limited } = await sendPairs(client, call, account.email);
    const [first, second] = [known[0]?.seen, unknown[0]?.seen];
    if (!first || !second) return { notMeasured: limited?.failed ?? { kind: 'throttled' } };
    const broken = [first, second].find(isFaultOrPage);
    if (broken?.error) return { notMeasured: { kind: 'unreadable', error: broken.error } };
    if (isEndpointMissing(first) && isEndpointMissing(second)) return createNotServedOutcome(first);
    const differ = detectAccountEnumeration(known, unknown);
    if (differ === 'unstable') return { notMeasured: { kind: 'unstable' } };
    const times = timesOf(known, unknown);
    const isSlower = times !== undefined && timesDiffer(times);
    const flag = (question: Question, yes: boolean): CaseAnswer => ({ question, value: { kind: 'flag', yes } });
    const answers: CaseAnswer[] = [
      flag('told-apart-by-answer', differ),
      client.reply('known-email-sent', first),
      client.reply('unknown-email-sent', second),
      ...(times ? [{ question: 'told-apart-by-time', value: { kind: 'times', ...times } } satisfies CaseAnswer] : []),
    ];
    const proof = differ ? [first, second] : [...known, ...unknown].map(({ seen }) => seen);
    return { answers, findings: findingIf(differ || isSlower, id, proof, answers) };
  };

const mailCase = {
  kind: 'observed',
  ...described,
  needs: ['profile.served'],
  account: 'own',
  when: 'account',
  sendsValidRequests: true,
  calls: 2 * samples + 1,
  accounts: 1,
  // Its times have their own measure of chance.
  once: true,
} as const;

const mailCases: readonly Case[] = [
  {
    id: 'forgot-password.told-apart',
    ...mailCase,
    run: tellsApart('forgotPassword', 'unknown-email-by-reset'),
  },
  {
    id: 'resend-confirmation.told-apart',
    ...mailCase,
    run: tellsApart('resendConfirmation', 'unknown-email-by-resend'),
  },
];

export const accountCases: readonly Case[] = [...passwordCases, ...deletionCases, ...mailCases];
