import { toText } from '../../interface/template.ts';
import type { CaseAnswer, Subject, Question } from '../../../preload/contract/report-cases.ts';
import type { RegistrationPath } from '../../../preload/contract/settings.ts';
import {
  isFaultOrPage,
  createStatedOutcome,
  createUnmetDependency,
  findingIf,
  createInconclusiveOutcome,
  createOutcome,
  type Case,
} from '../case.ts';
import { createRegistrationFields, createPassword, type TestAccount } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';
import { isPossibleTestValueRejection, isTestValueRejection } from '../test-values.ts';
import {
  listResponseFields,
  isAccepted,
  isInputRejected,
  isEndpointMissing,
  redactMessage,
  createUntestedAnswer,
  type Observation,
} from '../observation.ts';

/** A server may create an account for each spelling of an email. Other cases are more important. */
const accountsForTheRest = 6;

const paths = ['registro', 'register'] as const;

const wantedPaths = ({ options: { variant }, adapter: { features } }: TestClient): readonly RegistrationPath[] =>
  features.registrations.filter(
    (path) => features.registrations.length === 1 || variant === 'both' || variant === path,
  );

const served = (client: TestClient, path: RegistrationPath): Observation | undefined =>
  client.observationsOf('registration.served').findLast((seen) => seen.operation === path);

/**
 * Sends a valid registration. If the email may be why it is refused, the other reserved domain is tried, and used for the
 * whole check if it is accepted.
 */
async function registerPlainly(
  client: TestClient,
  path: RegistrationPath,
): Promise<{ seen: Observation; refused?: Observation }> {
  const seen = await client.register(path, createRegistrationFields(path, client.newIdentity()));
  const [domain, other] = [client.emailDomain(), client.fallbackDomain()];
  if (!isPossibleTestValueRejection(seen) || isEndpointMissing(seen) || other === undefined) return { seen };
  client.useDomain(other);
  const again = await client.register(path, createRegistrationFields(path, client.newIdentity()));
  if (isAccepted(again)) return { seen: again, refused: seen };
  client.useDomain(domain);
  return { seen: again.failed ? again : seen };
}

/** A refusal with the server's message, or that of its first field error. */
function inItsWords(client: TestClient, question: Question, seen: Observation, subject: Subject): CaseAnswer {
  const answer = client.reply(question, seen, subject);
  const [text] = Object.values(seen.reading.summary.fieldErrors ?? {}).flat();
  if (answer.value.kind !== 'reply' || answer.value.message !== undefined || text === undefined) return answer;
  return { ...answer, value: { ...answer.value, message: redactMessage(text, client.secretRegistry) } };
}

/** Registers an existing user name with a new email, and the other way round. */
async function usernamesAgain(client: TestClient, { email }: TestAccount): Promise<CaseAnswer[]> {
  const path = client.registrationPath();
  const { identifiers } = client.adapter;
  const usernameOf = (of: string): string => identifiers.usernameOf({ email: of }) ?? '';
  const username = usernameOf(email);
  const answers: CaseAnswer[] = [];
  for (const [question, of] of [
    ['username-again', (other: string) => ({ email: other, username })],
    ['email-with-other-username', (other: string) => ({ email, username: usernameOf(other) })],
  ] as const) {
    const other = client.newIdentity();
    if (!client.mayRegister()) answers.push(createUntestedAnswer('account-limit', question));
    else
      answers.push(
        client.reply(
          question,
          await client.register(path, { ...createRegistrationFields(path, other), ...of(other.email) }, true),
        ),
      );
  }
  return answers;
}

export const registrationCases: readonly Case[] = [
  {
    id: 'registration.served',
    kind: 'stated',
    section: 4,
    lines: [11, 24, 25, 26, 27, 42, 46, 47, 52, 64],
    sendsValidRequests: true,
    calls: 4,
    accounts: 2,
    async run(client) {
      const tried: Observation[] = [];
      const answers: CaseAnswer[] = [];
      for (const path of wantedPaths(client)) {
        const { seen, refused } = await registerPlainly(client, path);
        tried.push(seen);
        if (refused) answers.push(inItsWords(client, 'address-refused', refused, path));
        answers.push(client.reply('registration-sent', seen, subjectOf(seen)));
      }
      const unclear = tried.find(isFaultOrPage) ?? tried[0];
      const isEnough = tried.some((seen) => isAccepted(seen));
      // A path that exists has to accept valid input, whatever the other one does.
      const refusing = tried.filter((seen) => isInputRejected(seen) && !isTestValueRejection(seen));
      const passed = isEnough && refusing.length === 0;
      answers.push(
        ...tried
          .filter(isTestValueRejection)
          .map((seen) => inItsWords(client, 'refused-for-our-value', seen, subjectOf(seen))),
      );
      if (isEnough || !unclear) return { passed, isEnough, answers };
      return createStatedOutcome(unclear, passed, { answers });
    },
  },
  {
    id: 'registration.both-paths',
    kind: 'observed',
    section: 4,
    lines: [57],
    needs: ['registration.served'],
    calls: 0,
    run(client) {
      if (client.options.variant !== 'both') return { notMeasured: { kind: 'not-asked' } };
      const tried = paths.map((path) => served(client, path));
      const unclear = tried.find((seen) => seen && isFaultOrPage(seen));
      if (unclear?.error) return { notMeasured: { kind: 'unreadable', error: unclear.error } };
      const shut = tried.find(
        (seen) => seen?.handling === 'refused' && !isEndpointMissing(seen) && !isInputRejected(seen),
      );
      if (shut) return createInconclusiveOutcome(shut);
      const [registro, register] = tried.map((seen) => seen && (isAccepted(seen) || isTestValueRejection(seen)));
      const choice = registro ? (register ? 'both' : 'registro') : register ? 'register' : 'neither';
      return { answers: [{ question: 'paths-served', value: { kind: 'choice', choice } }] };
    },
  },
  {
    id: 'registration.answer',
    kind: 'observed',
    section: 4,
    lines: [29, 56],
    needs: ['registration.served'],
    calls: 0,
    run: (client) => ({
      answers: client
        .observationsOf('registration.served')
        .filter((seen) => isAccepted(seen))
        .flatMap((seen): CaseAnswer[] => [
          { question: 'success-status', subject: subjectOf(seen), value: { kind: 'status', status: seen.status } },
          {
            question: 'success-fields',
            subject: subjectOf(seen),
            value: { kind: 'fields', fields: listResponseFields(seen, client.secretRegistry) },
          },
          {
            question: 'token-at-registration',
            subject: subjectOf(seen),
            value: { kind: 'flag', yes: seen.reading.summary.token !== undefined },
          },
        ]),
    }),
  },
  {
    id: 'registration.cpassword-at-register',
    kind: 'observed',
    section: 2,
    lines: [27, 30],
    needs: ['registration.served'],
    calls: 2,
    once: true,
    async run(client) {
      if (served(client, 'register')?.handling !== 'accepted') return unserved(client, 'register');
      const { answers, accepted } = await client.validationProbes.run([
        ['cpassword-different', 'cpassword-different', 'register'],
        ['cpassword-missing', 'cpassword-missing', 'register'],
      ]);
      const ignoring = accepted.filter(({ probe }) => probe === 'cpassword-different').map(({ seen }) => seen);
      return createOutcome(answers, findingIf(ignoring.length > 0, 'cpassword-ignored', ignoring, answers));
    },
  },
  {
    id: 'registration.cpassword-at-registro',
    kind: 'observed',
    section: 4,
    lines: [27, 57],
    needs: ['registration.served'],
    calls: 2,
    accounts: 1,
    once: true,
    async run(client) {
      const without = served(client, 'registro');
      if (!without || isEndpointMissing(without)) return unserved(client, 'registro');
      const { answers } = await client.validationProbes.run([
        ['cpassword-equal', 'registro-cpassword-equal', 'registro'],
        ['cpassword-different', 'registro-cpassword-different', 'registro'],
      ]);
      return { answers: [client.reply('cpassword-missing', without, 'registro'), ...answers] };
    },
  },
  {
    id: 'registration.repeated-email',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.served'],
    calls: 8,
    once: true,
    async run(client) {
      const account = client.ownAccounts().at(-1);
      if (!account) return createUnmetDependency('registration.served');
      const path = client.registrationPath();
      const answers: CaseAnswer[] = [];
      const doubled: Observation[] = [];
      let others = 0;
      for (const [question, email] of [
        ['email-again', account.email],
        ['email-in-other-case', account.email.toUpperCase()],
        ['email-with-spaces', ` ${account.email} `],
      ] as const) {
        const isScarce = others > 0 && client.accountsLeft() <= accountsForTheRest;
        if (doubled.length > 0 || isScarce || !client.mayRegister()) {
          answers.push(createUntestedAnswer(doubled.length > 0 ? 'implied' : 'account-limit', question));
          continue;
        }
        const { password, ...somebody } = client.newIdentity();
        const seen = await client.register(
          path,
          createRegistrationFields(path, { ...somebody, email, password }),
          true,
        );
        answers.push(client.reply(question, seen));
        if (!isAccepted(seen)) continue;
        others += 1;
        // Some servers say yes so as not to tell who has an account. Only who can log in has one.
        const loggedIn = await client.login(email, password);
        // In another case of the letters it may be another email (RFC 5321, 2.4): that is an answer and no finding.
        if (loggedIn.reading.summary.ok && question === 'email-again') doubled.push(seen);
      }
      if (client.adapter.identifiers.hasUsername) answers.push(...(await usernamesAgain(client, account)));
      return createOutcome(answers, findingIf(doubled.length > 0, 'email-registered-twice', doubled, answers));
    },
  },
  {
    id: 'registration.password-strength',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.served'],
    calls: 4,
    once: true,
    async run(client) {
      const shortest = await client.validationProbes.run([
        ['password-of-1', 'password-of-1'],
        ['password-common', 'password-common'],
      ]);
      // A server that takes a password of one character takes one of seven.
      const isImplied = shortest.accepted.some(({ probe }) => probe === 'password-of-1');
      const longer = isImplied ? undefined : await client.validationProbes.run([['password-of-7', 'password-of-7']]);
      const answers = [...shortest.answers, ...(longer?.answers ?? [createUntestedAnswer('implied', 'password-of-7')])];
      const weak = [...shortest.accepted, ...(longer?.accepted ?? [])].map(({ seen }) => seen);
      return createOutcome(answers, findingIf(weak.length > 0, 'weak-password-accepted', weak, answers));
    },
  },
  {
    id: 'registration.long-password',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.served'],
    calls: 3,
    accounts: 1,
    once: true,
    async run(client) {
      const { answers, accepted } = await client.validationProbes.run([['password-of-80', 'password-of-80']]);
      const [made] = accepted;
      if (!made) return createOutcome(answers);
      const { email, password } = made.fields;
      // bcrypt looks at this many bytes.
      const cut = await client.login(email, toText(password ?? '').slice(0, 72) + createPassword(8));
      answers.push(client.reply('password-cut-at-72', cut));
      return { answers, findings: findingIf(cut.reading.summary.ok, 'password-cut', [made.seen, cut], answers) };
    },
  },
];

function subjectOf({ operation }: Observation): Subject {
  return operation;
}

function unserved(client: TestClient, path: RegistrationPath) {
  if (!wantedPaths(client).includes(path)) return { notMeasured: { kind: 'not-asked' } } as const;
  const seen = served(client, path);
  return seen && isEndpointMissing(seen)
    ? {
        answers: [
          { question: 'paths-served', subject: path, value: { kind: 'none', why: 'not-served' } } satisfies CaseAnswer,
        ],
      }
    : createUnmetDependency('registration.served');
}
