import { expect, it } from 'vitest';
import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { dialects } from '../../../main/service/fault-injection/dialects.ts';
import { answersOf, createCheck, outcomesOf } from '../support/run-check.ts';
import type { DialectName } from '../../../preload/contract/names.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';

const month = 2_592_000;

/** Where an answer of each dialect has what, as its rows in `lab/dialects.ts` put it. */
type Said = { token: string; message: string; fieldErrors?: string; lifetimeSeconds?: number };
const said: Record<DialectName, Said> = {
  sanctum: { token: 'access_token', message: 'message', fieldErrors: 'errors', lifetimeSeconds: month },
  tutorial: { token: 'access_token', message: 'msg', fieldErrors: 'body' },
  'error-true': { token: 'data.token', message: 'message' },
  express: { token: 'token', message: 'message', fieldErrors: 'errors' },
  nestjs: { token: 'token', message: 'message', fieldErrors: 'errors' },
  spring: { token: 'data.token', message: 'message', fieldErrors: 'errors', lifetimeSeconds: month },
  django: { token: 'key', message: 'error.message', fieldErrors: 'error.details' },
  fastapi: { token: 'access_token', message: 'detail', fieldErrors: 'detail' },
};

/** A run with races registers more often than a minute usually lets one. */
const limits = { registration: { most: 20, windowSeconds: 60 } };

const place = (path: string | undefined): CaseAnswer['value'] =>
  path === undefined ? { kind: 'none' } : { kind: 'text', text: [path] };

it.each(Object.entries(said))('a run is right about a service that speaks %s', async (name, is) => {
  // The keys of the table are these names.
  const dialect = name as DialectName;
  const { service } = await startBuiltInServer({ dialect }, { isEmpty: true, rateLimit: 'on', limits });
  const report = await createCheck(service.baseUrl, { options: { races: true } }).start();

  expect(outcomesOf(report, 'failed')).toEqual([]);
  expect(outcomesOf(report, 'not-measured')).toEqual(['limits.throttling: not-asked']);
  expect(report.findings).toEqual([]);
  // The statuses are those of real servers: service/behaviour-dialects.test.ts.
  expect(answersOf(report)).toMatchObject({
    'registration.both-paths paths-served': { choice: 'both' },
    'registration.answer token-at-registration register': { yes: dialects[dialect].issuesTokenOnRegistration },
    'registration.cpassword-at-register cpassword-missing register': { handling: 'refused' },
    'registration.cpassword-at-registro cpassword-equal registro': { handling: 'accepted' },
    'registration.cpassword-at-registro cpassword-different registro': { handling: 'refused' },
    'registration.missing-field field-missing email': { handling: 'refused' },
    'login.refusal wrong-password login': { handling: 'refused' },
    'login.refusal unknown-email login': { handling: 'refused' },
    'login.told-apart-by-answer told-apart-by-answer': { yes: false },
    'token.source token-place login': place(is.token),
    'token.altered token-character-changed profile': { handling: 'refused' },
    'token.lifetime token-lifetime':
      is.lifetimeSeconds === undefined ? { kind: 'none' } : { kind: 'seconds', seconds: is.lifetimeSeconds },
    'token.missing token-missing profile': { handling: 'refused' },
    'races.logout-twice raced-one logout': { handling: 'accepted' },
    'races.logout-twice raced-other logout': { handling: 'refused' },
    'logout.same-token-afterwards profile-after-logout profile': { handling: 'refused' },
    'errors.form message-place': place(is.message),
    'errors.form field-errors-place':
      is.fieldErrors === undefined ? { kind: 'choice', choice: 'in-words' } : place(is.fieldErrors),
  });
});
