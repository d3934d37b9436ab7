import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { createUnmetDependency, findingIf, type Case, type UntestedOutcome } from '../case.ts';
import { createRegistrationFields, createPassword } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';
import { isAccepted, isUnanswered, type Observation } from '../observation.ts';

/** Accepted ones first: which of two simultaneous requests the server handles first is chance. */
const inOrder = (seen: readonly Observation[]): Observation[] =>
  seen.toSorted((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)) || a.status - b.status);

function repliesOf(client: TestClient, seen: readonly Observation[]): CaseAnswer[] {
  const [one, other] = inOrder(seen);
  return [
    ...(one ? [client.reply('raced-one', one, one.operation)] : []),
    ...(other ? [client.reply('raced-other', other, other.operation)] : []),
  ];
}

const notMeasuredFor = ({ failed }: Observation): UntestedOutcome => ({ notMeasured: failed ?? { kind: 'unstable' } });

const counted = (question: CaseAnswer['question'], count: number): CaseAnswer => ({
  question,
  value: { kind: 'count', count },
});

/** Two simultaneous requests each, with the option `races`. */
export const raceCases: readonly Case[] = [
  {
    id: 'races.registration',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.repeated-email'],
    calls: 6,
    accounts: 1,
    once: true,
    onlyWith: 'races',
    async run(client) {
      const path = client.registrationPath();
      const passwords = [createPassword(), createPassword()];
      let email = '';
      const sent = await client.registerSimultaneously(path, () => {
        const somebody = client.newIdentity();
        ({ email } = somebody);
        return passwords.map((password) => createRegistrationFields(path, { ...somebody, password }));
      });
      const made = sent.filter(isAccepted);
      const unanswered = sent.find(isUnanswered);
      if (made.length === 0 && unanswered) return notMeasuredFor(unanswered);
      const answers = repliesOf(
        client,
        sent.filter((each) => !isUnanswered(each)),
      );
      answers.push(counted('raced-registrations-accepted', made.length));
      if (made.length < 2 && !unanswered) return { answers };
      const logins: Observation[] = [];
      for (const password of passwords) logins.push(await client.login(email, password, { mayFail: true }));
      const working = logins.filter(({ reading }) => reading.summary.ok);
      // Some servers say yes to a taken email, too, so as not to tell who has an account.
      const [again] = client.observationsOf('registration.repeated-email');
      const isDoubled = working.length > 1 || (made.length > 1 && again?.handling === 'refused' && working.length > 0);
      // One that was not answered may still have made an account, or have a password that works.
      const unknown = unanswered ?? logins.find(isUnanswered);
      if (unknown && !isDoubled) return notMeasuredFor(unknown);
      if (!logins.some(isUnanswered)) answers.push(counted('raced-passwords-that-work', working.length));
      return { answers, findings: findingIf(isDoubled, 'account-doubled', [...made, ...working], answers) };
    },
  },
  {
    id: 'races.logins',
    kind: 'observed',
    section: 3,
    lines: [38],
    needs: ['token.source'],
    calls: 6,
    onlyWith: 'races',
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('token.source');
      const seen = await client.loginSimultaneously([account, account]);
      const tokens = seen.flatMap(({ reading }) => reading.summary.token ?? []);
      let working = 0;
      for (const token of tokens) {
        const profile = await client.call({ operation: 'profile', token });
        if (isAccepted(profile)) working += 1;
        else client.markTokenInvalid(token);
      }
      const isTwo: CaseAnswer = {
        question: 'two-logins-two-tokens',
        value: { kind: 'flag', yes: new Set(tokens).size > 1 },
      };
      const answers = [...repliesOf(client, seen), ...(tokens.length > 1 ? [isTwo] : [])];
      return { answers: [...answers, counted('raced-tokens-that-work', working)] };
    },
  },
  {
    id: 'races.logout-and-profile',
    kind: 'observed',
    section: 3,
    lines: [38, 58],
    needs: ['logout.served'],
    calls: 6,
    onlyWith: 'races',
    async run(client) {
      const token = await newToken(client);
      if (token === undefined) return { notMeasured: { kind: 'unstable' } };
      const [logout, profile] = await client.callSimultaneously([
        { operation: 'logout', token },
        { operation: 'profile', token },
      ]);
      if (!logout || !profile) return createUnmetDependency('logout.served');
      const after = await client.call({ operation: 'profile', token });
      if (isAccepted(logout)) client.markTokenInvalid(token);
      const answers = [
        client.reply('raced-one', logout, 'logout'),
        client.reply('raced-other', profile, 'profile'),
        client.reply('profile-after-logout', after, 'profile'),
      ];
      const isAlive = isAccepted(logout) && isAccepted(after);
      return { answers, findings: findingIf(isAlive, 'token-outlives-logout', [logout, profile, after], answers) };
    },
  },
  {
    id: 'races.logout-twice',
    kind: 'observed',
    section: 4,
    lines: [58],
    needs: ['logout.served'],
    calls: 5,
    onlyWith: 'races',
    async run(client) {
      const token = await newToken(client);
      if (token === undefined) return { notMeasured: { kind: 'unstable' } };
      const logouts = await client.callSimultaneously([
        { operation: 'logout', token },
        { operation: 'logout', token },
      ]);
      if (logouts.some(isAccepted)) client.markTokenInvalid(token);
      return { answers: repliesOf(client, logouts) };
    },
  },
];

async function newToken(client: TestClient): Promise<string | undefined> {
  const [account] = client.accounts();
  const seen = account && (await client.login(account.email, account.password));
  return seen?.reading.summary.token;
}
