import { describe, expect, it, onTestFinished } from 'vitest';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import { answer, startRecordingServer, type RecordedRequest } from '../../support/recording-server.ts';
import { answersOf, caseOf, createCheck, outcomesOf, standingClock } from '../support/run-check.ts';
import { bearerOf, isPath, smallServer } from '../support/small-server.ts';

type Rules = NonNullable<Parameters<typeof smallServer>[0]>;

async function runAt(rules: Rules, options: Parameters<typeof createCheck>[1] = {}) {
  const server = await startRecordingServer(smallServer(rules));
  onTestFinished(server.close);
  return createCheck(server.origin, options).start();
}

const isRegister = (request: RecordedRequest): boolean => isPath(request, 'register');
const isVersion2 = ({ target }: RecordedRequest): boolean => target.startsWith('/api/v2/');
const page = (status: number): string =>
  answer(status, '<!doctype html><title>App</title>', { 'Content-Type': 'text/html' });

/** Right servers that a finding or a broken rule was, or could be, told of. */
describe('nothing is held against a right server that', () => {
  it.each<[string, Rules]>([
    ['takes emails in other cases of the letters for other emails', { keyOf: (email) => email }],
    [
      'says without a token that nobody is logged in',
      {
        override: (request) =>
          isPath(request, 'perfil') && bearerOf(request) === undefined ? answer(200, { user: null }) : undefined,
      },
    ],
    [
      'shows the hash of an email for a picture',
      { made: () => ({ message: 'Made.', user: { gravatar_hash: 'd41d8cd98f00b204e9800998ecf8427e' } }) },
    ],
    ['writes an email in other letters', { shownTo: (email) => email.toUpperCase() }],
    [
      'says yes to an email that is taken, and makes no account',
      (() => {
        const known = new Set<unknown>();
        return {
          override: (request) => {
            if (!isRegister(request)) return undefined;
            const { email, cpassword, password } = JSON.parse(request.body) as Record<string, unknown>;
            if (known.has(email) && cpassword === password) return answer(201, { message: 'We sent you a link.' });
            known.add(email);
            return undefined;
          },
        } satisfies Rules;
      })(),
    ],
    ['allows any origin, without credentials', { headers: () => ({ 'Access-Control-Allow-Origin': '*' }) }],
    ['names its software alone', { headers: () => ({ Server: 'nginx' }) }],
    ['gives no token to a wrong password, with a status of 200', { refusal: () => [200, 'Good day.'] }],
    [
      'has a page of its own for what is not there',
      { override: ({ target }) => (target.includes('unknown') ? page(404) : undefined) },
    ],
    [
      'says where JSON is broken, and which field is',
      {
        override: ({ body }) =>
          body.startsWith('{') && !body.endsWith('}')
            ? answer(400, { message: 'Unexpected end at line 1, column 35. The password is too short.' })
            : undefined,
      },
    ],
    [
      'lets nothing of a login be stored, with an age for all else',
      { headers: () => ({ 'Cache-Control': 'no-store, max-age=60' }) },
    ],
    [
      'is away for a moment when an odd body comes',
      {
        override: ({ body }) =>
          body.startsWith('{') && body.includes('"an object"') ? answer(503, { message: 'Busy.' }) : undefined,
      },
    ],
  ])('%s', async (_name, rules) => {
    const report = await runAt(rules);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(report.findings).toEqual([]);
  });

  it('learns of a logout a moment later', async () => {
    const clock = standingClock();
    const known = new Map<string, string>();
    const endedAt = new Map<string, number>();
    const ownerOf: Rules['ownerOf'] = (token, given) => {
      for (const [each, email] of given) known.set(each, email);
      const owner = given.get(token);
      if (owner !== undefined || !known.has(token)) return owner;
      endedAt.set(token, endedAt.get(token) ?? clock.now());
      return clock.now() - endedAt.get(token)! < 1_000 ? known.get(token) : undefined;
    };
    const only: CaseId[] = ['logout.same-token-afterwards'];
    const report = await runAt({ ownerOf }, { clock, options: { only } });
    expect(caseOf(report, 'logout.same-token-afterwards').outcome).toBe('answered');
    expect(report.findings).toEqual([]);
  });

  it('locks an account after some failures, and says so in its own words', async () => {
    const failures = new Map<string, number>();
    const override: Rules['override'] = (request) => {
      if (!isPath(request, 'login') || !request.body.endsWith('}')) return undefined;
      const email = String((JSON.parse(request.body) as { email?: unknown }).email);
      failures.set(email, (failures.get(email) ?? 0) + 1);
      const isClosed = failures.get(email)! > 12;
      return isClosed ? answer(401, { message: 'This account is closed. Ask for a link.' }) : undefined;
    };
    const report = await runAt({ override }, { options: { throttling: true, only: ['limits.throttling'] } });
    expect(caseOf(report, 'limits.throttling').outcome).toBe('answered');
    expect(report.findings).toEqual([]);
  });
});

describe('a registration path', () => {
  it.each<[string, string]>([
    ['404', answer(404, { message: 'Nothing is here.' })],
    ['405', answer(405, { message: 'Not allowed.' }, { Allow: 'GET' })],
    ['410', answer(410, { message: 'Gone.' })],
    ['501', answer(501, { message: 'Not implemented.' })],
    ['a redirect to the other path', answer(308, '', { Location: '/api/v1/auth/registro' })],
    ['a page of 404', page(404)],
  ])('that answers %s is not served, and breaks nothing', async (_name, said) => {
    const report = await runAt(
      { override: (request) => (isRegister(request) ? said : undefined) },
      { options: { only: ['registration.both-paths'] } },
    );
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(answersOf(report)['registration.both-paths paths-served']).toEqual({ kind: 'choice', choice: 'registro' });
  });

  it('that refuses each right registration breaks the rule, and the rest is measured at the other one', async () => {
    const refusal = answer(422, { message: 'The username is required.', errors: { username: ['It is required.'] } });
    const report = await runAt({ override: (request) => (isRegister(request) ? refusal : undefined) });
    expect(outcomesOf(report, 'failed')).toEqual(['registration.served']);
    expect(answersOf(report)['registration.both-paths paths-served']).toEqual({ kind: 'choice', choice: 'registro' });
    expect(caseOf(report, 'logout.served').outcome).toBe('passed');
  });

  it.each([401, 403])('that answers %i, as any path may, is not told of', async (status) => {
    const report = await runAt({
      override: (request) => (isRegister(request) ? answer(status, { message: 'No.' }) : undefined),
    });
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(caseOf(report, 'registration.both-paths')).toMatchObject({ reason: { kind: 'says-nothing', status } });
  });
});

describe('a rule is kept only by an answer that shows it', () => {
  it.each<[string, string]>([
    ['403', answer(403, { message: 'Forbidden.' })],
    ['401', answer(401, { message: 'Unauthenticated.' })],
    ['a page', page(200)],
  ])('another version that gets %s, as all may, is not measured', async (_name, said) => {
    const report = await runAt(
      { override: (request) => (isVersion2(request) ? said : undefined) },
      { options: { only: ['versioning.only-v1'] } },
    );
    expect(caseOf(report, 'versioning.only-v1')).toMatchObject({ reason: { kind: 'says-nothing' } });
  });

  it('a login that nobody gets does not count as one that refuses an unknown email', async () => {
    const report = await runAt({
      override: (request) => (isPath(request, 'registro') || isRegister(request) ? undefined : answer(403, {})),
    });
    expect(caseOf(report, 'login.unknown-email')).toMatchObject({ reason: { kind: 'says-nothing', status: 403 } });
    expect(caseOf(report, 'token.required')).toMatchObject({ reason: { kind: 'says-nothing', status: 403 } });
  });

  it('a refusal by 403 is one where the same is accepted with a token', async () => {
    const report = await runAt(
      {
        override: (request) =>
          bearerOf(request) === undefined && (isPath(request, 'perfil') || isPath(request, 'salir'))
            ? answer(403, { message: 'No credentials.' })
            : undefined,
      },
      { options: { only: ['token.required', 'registration.served'] } },
    );
    expect(caseOf(report, 'token.required').outcome).toBe('passed');
  });
});
