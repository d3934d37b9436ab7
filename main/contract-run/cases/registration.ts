import type { CaseAnswer, CaseId, Question, Subject } from '../../../preload/contract/report-cases.ts';
import type { RegistrationPath } from '../../../preload/contract/models.ts';
import { isUnclear, judged, needs, raisedIf, type Case, type Raised } from '../case.ts';
import { fieldsFor, newIdentity, newPassword, type Fields } from '../identities.ts';
import type { Probe } from '../probe.ts';
import { fieldsOf, isMissing, type Seen } from '../seen.ts';

const paths = ['registro', 'register'] as const;

const wantedPaths = ({ options: { variant } }: Probe): readonly RegistrationPath[] =>
  paths.filter((path) => variant === 'both' || variant === path);

const served = (probe: Probe, path: RegistrationPath): Seen | undefined =>
  probe.ofCase('registration.served').find((seen) => seen.operation === path);

const isAccepted = (seen: Seen | undefined): boolean => seen?.handling === 'accepted';

/** Returns the fields of somebody new, with all that the path asks for, and one thing changed. */
const fieldsWith = (path: RegistrationPath, change: Fields): Fields => ({
  ...fieldsFor(path, newIdentity()),
  ...change,
});

/** Returns the password in both fields, where there are two. */
const passwordOf = (path: RegistrationPath, password: unknown): Fields => ({
  password,
  ...(path === 'register' && { cpassword: password }),
});

/** Returns what is sent in place of a field's good value. */
type Change = (field: Subject) => Fields;

const otherTypes: Partial<Record<Subject, unknown>> = {
  name: ['a list'],
  email: { address: 'an object' },
  password: 12_345_678,
  cpassword: true,
};

const tooLong: Partial<Record<Subject, string>> = {
  name: 'n'.repeat(300),
  email: `llavero-${'e'.repeat(300)}@example.test`,
  password: `Ll4!${'p'.repeat(300)}`,
};

/** Raises faults at what was sent wrong on purpose. */
export const faultsAmong = (answered: readonly Seen[], answers: readonly CaseAnswer[]): Raised[] => {
  const faults = answered.filter(({ status }) => status >= 500);
  const details = answers.filter(({ value }) => value.kind === 'reply' && value.status >= 500);
  return raisedIf(faults.length > 0, 'server-fault-on-input', faults, details);
};

/** Says whether the server ignores `cpassword`. It then takes any, and each try would make an account. */
const ignoresCpassword = (probe: Probe): boolean =>
  probe.ofCase('registration.cpassword-at-register').some((seen) => isAccepted(seen));

/** Makes a case that sends one registration for each field, with that field wrong in one way. */
const fieldCase = (id: CaseId, question: Question, fields: readonly Subject[], change: Change): Case => ({
  id,
  kind: 'observed',
  section: 2,
  lines: [30, 52],
  needs: ['registration.served'],
  calls: fields.length,
  once: true,
  async run(probe) {
    const path = probe.path();
    const answers: CaseAnswer[] = [];
    const answered: Seen[] = [];
    for (const field of fields) {
      if (field === 'cpassword' && (path !== 'register' || ignoresCpassword(probe))) continue;
      const changed = change(field);
      const isPassword = field === 'password' && path === 'register' && changed['password'] !== undefined;
      const seen = await probe.register(
        path,
        fieldsWith(path, { ...changed, ...(isPassword && { cpassword: changed['password'] }) }),
      );
      answered.push(seen);
      answers.push(probe.reply(question, seen, field));
    }
    return { answers, raised: faultsAmong(answered, answers) };
  },
});

export const registrationCases: readonly Case[] = [
  {
    id: 'registration.served',
    kind: 'stated',
    section: 4,
    lines: [11, 24, 25, 26, 27, 42, 46, 47, 52, 64],
    calls: 2,
    accounts: 2,
    async run(probe) {
      const tried: Seen[] = [];
      for (const path of wantedPaths(probe)) tried.push(await probe.register(path, fieldsFor(path, newIdentity())));
      const answers = tried.map((seen) => probe.reply('registration-sent', seen, subjectOf(seen)));
      const unclear = tried.find(isUnclear) ?? tried[0];
      const passed = tried.some((seen) => isAccepted(seen));
      return unclear ? judged(unclear, passed, { answers }) : { passed, answers };
    },
  },
  {
    id: 'registration.both-paths',
    kind: 'observed',
    section: 4,
    lines: [57],
    needs: ['registration.served'],
    calls: 0,
    run(probe) {
      if (probe.options.variant !== 'both') return { notMeasured: { kind: 'not-asked' } };
      const tried = paths.map((path) => served(probe, path));
      const unclear = tried.find((seen) => seen && isUnclear(seen));
      if (unclear?.error) return { notMeasured: { kind: 'unreadable', error: unclear.error } };
      const [registro, register] = tried.map((seen) => seen !== undefined && !isMissing(seen));
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
    run: (probe) => ({
      answers: probe
        .ofCase('registration.served')
        .filter((seen) => isAccepted(seen))
        .flatMap((seen): CaseAnswer[] => [
          { question: 'success-status', subject: subjectOf(seen), value: { kind: 'status', status: seen.status } },
          {
            question: 'success-fields',
            subject: subjectOf(seen),
            value: { kind: 'fields', fields: fieldsOf(seen, probe.references) },
          },
          {
            question: 'token-at-registration',
            subject: subjectOf(seen),
            value: { kind: 'flag', yes: seen.reading.meaning.token !== undefined },
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
    async run(probe) {
      if (!isAccepted(served(probe, 'register'))) return unserved(probe, 'register');
      const different = await probe.register('register', fieldsWith('register', { cpassword: newPassword() }));
      const missing = await probe.register('register', fieldsFor('registro', newIdentity()));
      const answers = [
        probe.reply('cpassword-different', different, 'register'),
        probe.reply('cpassword-missing', missing, 'register'),
      ];
      return { answers, raised: raisedIf(isAccepted(different), 'cpassword-ignored', [different], answers) };
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
    async run(probe) {
      const without = served(probe, 'registro');
      if (!without || isMissing(without)) return unserved(probe, 'registro');
      const equal = await probe.register('registro', fieldsFor('register', newIdentity()));
      const different = await probe.register('registro', {
        ...fieldsFor('register', newIdentity()),
        cpassword: newPassword(),
      });
      return {
        answers: [
          probe.reply('cpassword-missing', without, 'registro'),
          probe.reply('cpassword-equal', equal, 'registro'),
          probe.reply('cpassword-different', different, 'registro'),
        ],
      };
    },
  },
  {
    id: 'registration.repeated-email',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.served'],
    calls: 6,
    once: true,
    async run(probe) {
      const account = probe.ownAccounts().at(-1);
      if (!account) return needs('registration.served');
      const path = probe.path();
      const answers: CaseAnswer[] = [];
      const doubled: Seen[] = [];
      for (const [question, email] of [
        ['email-again', account.email],
        ['email-in-other-case', account.email.toUpperCase()],
        ['email-with-spaces', ` ${account.email} `],
      ] as const) {
        const { password } = newIdentity();
        const seen = await probe.register(path, fieldsWith(path, { email, ...passwordOf(path, password) }));
        answers.push(probe.reply(question, seen));
        if (!isAccepted(seen)) continue;
        // Some servers say yes so as not to tell who has an account. Only who can log in has one.
        const loggedIn = await probe.login(email, password);
        if (loggedIn.reading.meaning.ok) doubled.push(seen, loggedIn);
      }
      return { answers, raised: raisedIf(doubled.length > 0, 'email-registered-twice', doubled, answers) };
    },
  },
  {
    id: 'registration.password-strength',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.served'],
    calls: 3,
    once: true,
    async run(probe) {
      const path = probe.path();
      const answers: CaseAnswer[] = [];
      const weak: Seen[] = [];
      for (const [question, password] of [
        ['password-common', 'password123'],
        ['password-of-7', newPassword(7)],
        ['password-of-1', 'x'],
      ] as const) {
        const seen = await probe.register(path, fieldsWith(path, passwordOf(path, password)));
        answers.push(probe.reply(question, seen));
        if (isAccepted(seen)) weak.push(seen);
      }
      return { answers, raised: raisedIf(weak.length > 0, 'weak-password-accepted', weak, answers) };
    },
  },
  {
    id: 'registration.long-password',
    kind: 'observed',
    section: 2,
    lines: [30],
    needs: ['registration.served'],
    calls: 2,
    accounts: 1,
    once: true,
    async run(probe) {
      const path = probe.path();
      const identity = { ...newIdentity(), password: newPassword(80) };
      const registered = await probe.register(path, fieldsFor(path, identity));
      const answers = [probe.reply('password-of-80', registered)];
      if (!isAccepted(registered)) return { answers };
      // bcrypt looks at this many bytes.
      const cut = await probe.login(identity.email, identity.password.slice(0, 72) + newPassword(8));
      answers.push(probe.reply('password-cut-at-72', cut));
      return { answers, raised: raisedIf(cut.reading.meaning.ok, 'password-cut', [registered, cut], answers) };
    },
  },
  fieldCase('registration.missing-field', 'field-missing', ['name', 'email', 'password'], (field) => ({
    [field]: undefined,
  })),
  fieldCase('registration.empty-field', 'field-empty', ['name', 'email', 'password', 'cpassword'], (field) => ({
    [field]: '',
  })),
  fieldCase('registration.other-type', 'field-of-other-type', ['name', 'email', 'password', 'cpassword'], (field) => ({
    [field]: otherTypes[field],
  })),
  fieldCase('registration.too-long', 'field-too-long', ['name', 'email', 'password'], (field) => ({
    [field]: tooLong[field],
  })),
  {
    id: 'registration.malformed-email',
    kind: 'observed',
    section: 2,
    lines: [25, 30],
    needs: ['registration.served'],
    calls: 1,
    once: true,
    async run(probe) {
      const path = probe.path();
      const { email } = newIdentity();
      const seen = await probe.register(path, fieldsWith(path, { email: email.replace('@', '.') }));
      const answers = [probe.reply('email-malformed', seen)];
      return { answers, raised: faultsAmong([seen], answers) };
    },
  },
];

/** Returns the operation of a call as what an answer is about. */
function subjectOf({ operation }: Seen): Subject {
  return operation;
}

/** Says that nothing can be said of a path that is not there, or was not to be tried. */
function unserved(probe: Probe, path: RegistrationPath) {
  if (!wantedPaths(probe).includes(path)) return { notMeasured: { kind: 'not-asked' } } as const;
  const seen = served(probe, path);
  return seen && isMissing(seen)
    ? {
        answers: [
          { question: 'paths-served', subject: path, value: { kind: 'none', why: 'not-served' } } satisfies CaseAnswer,
        ],
      }
    : needs('registration.served');
}
