import { expect, it } from 'vitest';
import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import type { DialectName } from '../../../main/service/behaviour/dialects.ts';
import { answersOf, contractRun, outcomesOf } from '../support/contract-run.ts';
import { startBuiltInServer } from '../support/behaviour.ts';

/** What differs from dialect to dialect, as its rows in `behaviour/dialects.ts` have it. */
type Said = {
  /** Statuses of registration, login, profile and logout. */
  success: [number, number, number, number];
  /** Statuses of a wrong password, of a missing token, of a missing field. */
  refusal: [number, number, number];
  token: string;
  message: string;
  fieldErrors?: string;
  tokenAtRegistration: boolean;
  lifetimeSeconds?: number;
};

const month = 2_592_000;

const said: Record<DialectName, Said> = {
  sanctum: {
    success: [201, 200, 200, 200],
    refusal: [422, 401, 422],
    token: 'access_token',
    message: 'message',
    fieldErrors: 'errors',
    tokenAtRegistration: true,
    lifetimeSeconds: month,
  },
  tutorial: {
    success: [200, 200, 200, 200],
    refusal: [200, 200, 422],
    token: 'access_token',
    message: 'msg',
    fieldErrors: 'body',
    tokenAtRegistration: false,
  },
  'error-true': {
    success: [200, 200, 200, 200],
    refusal: [200, 401, 400],
    token: 'data.token',
    message: 'message',
    tokenAtRegistration: false,
  },
  express: {
    success: [201, 200, 200, 200],
    refusal: [200, 401, 400],
    token: 'token',
    message: 'message',
    fieldErrors: 'errors',
    tokenAtRegistration: true,
  },
  nestjs: {
    success: [201, 200, 200, 200],
    refusal: [400, 401, 400],
    token: 'token',
    message: 'message',
    fieldErrors: 'errors',
    tokenAtRegistration: false,
  },
  spring: {
    success: [201, 200, 200, 200],
    refusal: [401, 403, 400],
    token: 'data.token',
    message: 'message',
    fieldErrors: 'errors',
    tokenAtRegistration: false,
    lifetimeSeconds: month,
  },
  django: {
    success: [200, 200, 200, 200],
    refusal: [400, 401, 400],
    token: 'key',
    message: 'error.message',
    fieldErrors: 'error.details',
    tokenAtRegistration: true,
  },
  fastapi: {
    success: [201, 200, 200, 200],
    refusal: [200, 401, 422],
    token: 'access_token',
    message: 'detail',
    fieldErrors: 'detail',
    tokenAtRegistration: false,
  },
};

/** A run with races registers more often than a minute usually lets one. */
const limits = { registration: { most: 20, windowSeconds: 60 } };

const place = (path: string | undefined): CaseAnswer['value'] =>
  path === undefined ? { kind: 'none' } : { kind: 'text', text: [path] };

it.each(Object.entries(said))('a run is right about a service that speaks %s', async (name, is) => {
  // The keys of the table are these names.
  const dialect = name as DialectName;
  const { service } = await startBuiltInServer({ dialect }, { isEmpty: true, rateLimit: 'on', limits });
  const report = await contractRun(service.baseUrl, { options: { races: true } }).start();

  expect(outcomesOf(report, 'failed')).toEqual([]);
  expect(outcomesOf(report, 'not-measured')).toEqual(['limits.throttling: not-asked']);
  expect(report.findings).toEqual([]);
  const answers = answersOf(report);
  const reply = (status: number, handling: string) => ({ kind: 'reply', status, handling });
  const status = (value: number) => ({ kind: 'status', status: value });
  expect(answers).toMatchObject({
    'registration.both-paths paths-served': { choice: 'both' },
    'registration.answer success-status registro': status(is.success[0]),
    'registration.answer success-status register': status(is.success[0]),
    'registration.answer token-at-registration register': { yes: is.tokenAtRegistration },
    'registration.cpassword-at-register cpassword-missing register': { handling: 'refused' },
    'registration.cpassword-at-registro cpassword-equal registro': { handling: 'accepted' },
    'registration.cpassword-at-registro cpassword-different registro': { handling: 'refused' },
    'registration.repeated-email email-in-other-case': { handling: 'refused' },
    'registration.password-strength password-common': { handling: 'refused' },
    'registration.missing-field field-missing email': reply(is.refusal[2], 'refused'),
    'login.answer success-status login': status(is.success[1]),
    'login.refusal wrong-password login': reply(is.refusal[0], 'refused'),
    'login.refusal unknown-email login': reply(is.refusal[0], 'refused'),
    'login.told-apart-by-answer told-apart-by-answer': { yes: false },
    'login.two-tokens two-logins-two-tokens': { yes: true },
    'token.source token-place login': place(is.token),
    'token.form token-form': { choice: 'id-and-opaque' },
    'token.altered token-character-changed perfil': reply(is.refusal[1], 'refused'),
    'token.same-second same-token-in-one-second': { yes: false },
    'races.registration raced-registrations-accepted': { count: 1 },
    'races.logins raced-tokens-that-work': { count: 2 },
    'races.logout-and-profile profile-after-logout perfil': { handling: 'refused' },
    'races.logout-twice raced-one salir': reply(is.success[3], 'accepted'),
    'races.logout-twice raced-other salir': { handling: 'refused' },
    'token.lifetime token-lifetime':
      is.lifetimeSeconds === undefined ? { kind: 'none' } : { kind: 'seconds', seconds: is.lifetimeSeconds },
    'token.missing token-missing perfil': reply(is.refusal[1], 'refused'),
    'token.missing token-missing salir': reply(is.refusal[1], 'refused'),
    'profile.answer success-status perfil': status(is.success[2]),
    'logout.answer success-status salir': status(is.success[3]),
    'logout.same-token-afterwards profile-after-logout perfil': { handling: 'refused' },
    'logout.other-tokens-afterwards other-token-after-logout perfil': { handling: 'accepted' },
    'errors.form message-place': place(is.message),
    'errors.form field-errors-place':
      is.fieldErrors === undefined ? { kind: 'choice', choice: 'in-words' } : place(is.fieldErrors),
  });
});
