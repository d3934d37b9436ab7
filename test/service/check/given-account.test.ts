import { expect, it, onTestFinished } from 'vitest';
import { Report } from '../../../preload/contract/report.ts';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import { answer, startRecordingServer, type RecordedRequest } from '../../support/recording-server.ts';
import { answersOf, caseOf, createCheck, outcomesOf } from '../support/run-check.ts';
import { isPath, smallServer } from '../support/small-server.ts';

const email = 'rosa@example.test';

/** Starts a server without faults but for some rules, with one account. Nobody can register there any more. */
async function closedServer(password: string, rules: Parameters<typeof smallServer>[0] = {}) {
  let isClosed = false;
  const isRegistration = (request: RecordedRequest) => isPath(request, 'registro') || isPath(request, 'register');
  const server = await startRecordingServer(
    smallServer({
      isWeak: () => false,
      ...rules,
      override: (request) =>
        isClosed && isRegistration(request) ? answer(403, { message: 'Closed.' }) : rules.override?.(request),
    }),
  );
  onTestFinished(server.close);
  const body = JSON.stringify({ name: 'Rosa', email, password });
  await fetch(`${server.origin}/api/v1/auth/registro`, { method: 'POST', body });
  isClosed = true;
  const account = { email, password };
  return { server, ...createCheck(server.origin, { account, options: { variant: 'none' } }) };
}

it('a run tells a known email from an unknown one by the two wrong passwords that it sends', async () => {
  const { start } = await closedServer('a good password', {
    refusal: (isKnown) => [isKnown ? 401 : 404, isKnown ? 'The password is wrong.' : 'There is no such user.'],
  });
  const report = await start();
  expect(report.findings.map(({ id }) => id)).toEqual(['unknown-email-by-body']);
  const wrong = caseOf(report, 'login.wrong-password').calls;
  expect(report.findings[0]!.calls).toEqual(expect.arrayContaining(wrong));
});

it.each(['password', 'registration', 'id-and-opaque'])(
  'a run finds nothing, and says all, with %j for a password',
  async (password) => {
    const { start } = await closedServer(password, {
      refusal: () => [401, 'The password is wrong.'],
    });
    const report = await start();
    expect(Report.parse(report)).toEqual(report);
    expect(report.findings).toEqual([]);
    expect(outcomesOf(report, 'passed')).toHaveLength(8);
    expect(answersOf(report)['token.form token-form']).toBeDefined();
  },
);

it('a run hides the password where it is a part of the email, even if nothing was sent', async () => {
  const { start } = await closedServer('rosa@ex');
  expect(JSON.stringify(await start())).not.toContain('rosa@ex');
  const signal = AbortSignal.abort();
  const { givenAccount } = await createCheck('http://127.0.0.1:1', {
    account: { email, password: 'rosa@ex' },
    signal,
  }).start();
  expect(givenAccount).toBe('•••ample.test');
});

it('a run finds the password echoed even if it is a word', async () => {
  const { start } = await closedServer('password', {
    override: ({ target, body }) =>
      target.endsWith('/v1/auth/login') && body.includes(`"${email}"`) && body.includes('"password":"password"')
        ? answer(200, { token: `7|${'a'.repeat(40)}`, user: { email, password: 'password' } })
        : undefined,
  });
  expect((await start()).findings.map(({ id }) => id)).toContain('password-echoed');
});

it('a run blames the server where there is no login, and not the account', async () => {
  const { start } = await closedServer('a good password', {
    override: (request) => (isPath(request, 'login') ? answer(405, { message: 'Method Not Allowed' }) : undefined),
  });
  const report = await start();
  expect(caseOf(report, 'login.right-credentials').outcome).toBe('failed');
});

it('a run sends no third wrong password, even if a case is run again', async () => {
  const { start, rerunCase, server } = await closedServer('a good password');
  await start();
  const report = await rerunCase('login.wrong-password');
  expect(caseOf(report, 'login.wrong-password')).toMatchObject({ reason: { kind: 'spares-account' } });
  const sent = server.requests.filter(({ target, body }) => target.endsWith('/login') && body.includes(email));
  expect(sent.filter(({ body }) => !body.includes('a good password'))).toHaveLength(2);
});

it('a server that refuses emails under a reserved domain tells nobody who has an account', async () => {
  const person = { email: 'ada@example.com', password: 'correct horse battery' };
  const refused = { status: 401, body: { errors: [{ message: 'Invalid user credentials.' }] } };
  const malformed = { status: 400, body: { errors: [{ message: 'Invalid payload. "email" must be a valid email.' }] } };
  const { baseUrl } = await startJsonServer(({ target, headers, body }) => {
    if (target !== '/auth/login') {
      const isIn = headers.authorization === 'Bearer of-ada';
      return isIn ? { status: 200, body: { data: { id: '7', email: person.email } } } : refused;
    }
    const { email, password } = JSON.parse(body) as Record<string, unknown>;
    if (typeof email !== 'string' || !/^[^@]+@[^@]+\.(?:com|org)$/.test(email)) return malformed;
    if (email !== person.email || password !== person.password) return refused;
    return { status: 200, body: { data: { access_token: 'of-ada', refresh_token: 'another' } } };
  });
  const adapter = new ApiAdapter((await shippedInterface('directus'))!, baseUrl);
  const options = { only: ['login.told-apart-by-answer' as const] };
  const report = await createCheck(baseUrl, { adapter, account: person, options }).start();
  expect(answersOf(report)['login.told-apart-by-answer told-apart-by-answer']).toEqual({ kind: 'flag', yes: false });
  expect(report.findings).toEqual([]);
});
