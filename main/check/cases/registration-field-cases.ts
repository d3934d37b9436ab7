import type { PlainJson } from '../../interface/template.ts';
import type { CaseAnswer, CaseId, Subject, Question } from '../../../preload/contract/report-cases.ts';
import { createOutcome, type Case } from '../case.ts';
import { createRegistrationFields, type RequestFields } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';
import { createUntestedAnswer, isAccepted } from '../observation.ts';

type Change = (field: Subject) => RequestFields;

const otherTypes: Partial<Record<Subject, PlainJson>> = {
  name: ['a list'],
  email: { address: 'an object' },
  password: 12_345_678,
  cpassword: true,
};

/** A server that ignores `cpassword` accepts any, so each request would create an account. */
const ignoresCpassword = (client: TestClient): boolean =>
  client.observationsOf('registration.cpassword-at-register').some((seen) => isAccepted(seen));

/** A case that sends one registration for each field, with an invalid value of that field. */
const fieldCase = (id: CaseId, question: Question, fields: readonly Subject[], change: Change): Case => ({
  id,
  hasIndependentCalls: true,
  kind: 'observed',
  section: 2,
  lines: [30, 52],
  needs: ['registration.served'],
  calls: fields.length,
  once: true,
  async run(client) {
    const path = client.registrationPath();
    const answers: CaseAnswer[] = [];
    for (const field of fields) {
      if (!client.hasField(field)) continue;
      if (field === 'cpassword' && (path !== 'register' || ignoresCpassword(client))) continue;
      if (!client.mayRegister()) {
        answers.push(createUntestedAnswer('account-limit', question, field));
        continue;
      }
      const changed = change(field);
      const isPassword = field === 'password' && path === 'register' && changed['password'] !== undefined;
      const sent = {
        ...createRegistrationFields(path, client.newIdentity()),
        ...changed,
        ...(isPassword && { cpassword: changed['password'] }),
      };
      answers.push(client.reply(question, await client.register(path, sent, true), field));
    }
    return createOutcome(answers);
  },
});

/** Accounts that are left for the more important cases here. */
const accountsForFields = 2;

export const registrationFieldCases: readonly Case[] = [
  fieldCase('registration.missing-field', 'field-missing', ['name', 'email', 'password'], (field) => ({
    [field]: undefined,
  })),
  fieldCase('registration.empty-field', 'field-empty', ['name', 'email', 'password', 'cpassword'], (field) => ({
    [field]: '',
  })),
  fieldCase('registration.other-type', 'field-of-other-type', ['name', 'email', 'password', 'cpassword'], (field) => ({
    [field]: otherTypes[field],
  })),
  {
    id: 'registration.too-long',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 2,
    lines: [30, 52],
    needs: ['registration.served'],
    calls: 4,
    once: true,
    async run(client) {
      const { answers } = await client.validationProbes.run([
        ...(client.hasField('name') ? [['field-too-long', 'name-too-long', 'name'] as const] : []),
        ['field-too-long', 'email-too-long', 'email'],
        ['field-too-long', 'password-too-long', 'password'],
      ]);
      return createOutcome(answers);
    },
  },
  {
    id: 'registration.malformed-email',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 2,
    lines: [25, 30],
    needs: ['registration.served'],
    calls: 4,
    once: true,
    async run(client) {
      const malformed = await client.validationProbes.run([['email-malformed', 'email-malformed']]);
      // A server that takes an address without a sign in its middle takes any, and one that fails at it tells nothing.
      const looks = malformed.answers.every(({ value }) => value.kind === 'reply' && value.handling === 'refused');
      if (!looks || client.accountsLeft() <= accountsForFields) return createOutcome(malformed.answers);
      const withoutDot = await client.validationProbes.run([['email-without-dot', 'email-without-dot']]);
      return createOutcome([...malformed.answers, ...withoutDot.answers]);
    },
  },
];
