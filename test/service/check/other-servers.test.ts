import { describe, expect, it, onTestFinished } from 'vitest';
import { groupUntestedCases } from '../../../main/check/untested-cases.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { FindingId, RunOptions } from '../../../preload/contract/report.ts';
import { parseCheckArguments } from '../../../main/commands/check-command.ts';
import { answer, startRecordingServer, type RecordedRequest, type Respond } from '../../support/recording-server.ts';
import {
  answersOf,
  caseOf,
  createCheck,
  notMeasured,
  outcomesOf,
  standingClock,
  unaskedByDefault,
} from '../support/run-check.ts';
import { bearerOf, isPath, smallServer } from '../support/small-server.ts';
import fixtures from '../../fixtures/run-answers.json' with { type: 'json' };

type Options = Partial<RunOptions>;

async function runAt(respond: Respond, options: Options = {}) {
  const server = await startRecordingServer(respond);
  onTestFinished(server.close);
  const clock = standingClock();
  const { start, plan } = createCheck(server.origin, { options, clock });
  return { report: await start(), plan, server, clock };
}

const isRegistration = (request: RecordedRequest): boolean =>
  isPath(request, 'registro') || isPath(request, 'register');

const fieldsIn = ({ body }: RecordedRequest): Record<string, unknown> => {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/**
 * Makes a server as tutorials write it: it asks that the three fields are there and the email is not taken, and looks at
 * nothing else. What is no text makes it fail.
 */
function tutorialServer({
  served = ['registro', 'register'],
  ...more
}: Parameters<typeof smallServer>[0] & { served?: string[] } = {}) {
  const accounts = new Map<string, unknown>();
  const token = (email: unknown): string =>
    `${[...accounts.keys()].indexOf(String(email))}|${crypto.randomUUID()}${crypto.randomUUID()}`;
  const small = smallServer(more);
  const tokens = new Map<string, string>();
  const respond: Respond = (request, socket) => {
    const replaced = more.override?.(request);
    if (replaced !== undefined) return replaced;
    const { name, email, password } = fieldsIn(request);
    if (isRegistration(request)) {
      if (!served.some((path) => isPath(request, path))) return answer(404, { message: 'Nothing is here.' });
      if (!name || !email || !password) return answer(400, { message: 'All fields are required' });
      if ([name, password].some((each) => typeof each !== 'string')) return answer(500, { message: 'Server Error' });
      if (typeof email !== 'string') return answer(500, { message: 'Server Error' });
      if (accounts.has(email)) return answer(400, { message: 'User already exists' });
      accounts.set(email, password);
      return answer(201, { message: 'User created' });
    }
    if (isPath(request, 'login')) {
      if (request.body !== '' && Object.keys(fieldsIn(request)).length === 0)
        return answer(400, { message: 'No JSON' });
      if (accounts.get(String(email)) !== password || password === undefined)
        return answer(401, { message: 'Invalid credentials' });
      const made = token(email);
      tokens.set(made, String(email));
      return answer(200, { token: made });
    }
    const bearer =
      request.headers.find(([key]) => key.toLowerCase() === 'authorization')?.[1].replace(/^bearer /i, '') ?? '';
    if (isPath(request, 'perfil') && request.method === 'GET') {
      const owner = tokens.get(bearer);
      return owner === undefined ? answer(401, { message: 'Unauthenticated.' }) : answer(200, { id: 1, email: owner });
    }
    if (isPath(request, 'salir'))
      return tokens.delete(bearer) ? answer(200, { message: 'Bye.' }) : answer(401, { message: 'Unauthenticated.' });
    return small(request, socket);
  };
  return { respond, accounts };
}

it('a profile that says who logged in under a name of its own is one', async () => {
  const owners = new Map<string, string>();
  const respond = smallServer({
    newToken: (email) => {
      const token = `${crypto.randomUUID()}${crypto.randomUUID()}`;
      owners.set(token, email);
      return token;
    },
    override: (request) => {
      const bearer = bearerOf(request) ?? '';
      const owner = owners.get(bearer);
      if (isPath(request, 'salir')) owners.delete(bearer);
      return isPath(request, 'perfil') && owner !== undefined ? answer(200, { logged_in_as: owner }) : undefined;
    },
  });
  const { report } = await runAt(respond, { only: ['profile.served', 'profile.own-user'] });
  expect(caseOf(report, 'profile.served').outcome).toBe('passed');
  expect(caseOf(report, 'profile.own-user').outcome).toBe('passed');
});

describe('the accounts of a run', () => {
  it('are spent on what teaches most: a server that looks at little is measured whole but for a repetition', async () => {
    const { respond, accounts } = tutorialServer();
    const { report } = await runAt(respond);

    expect(accounts.size).toBeLessThanOrEqual(8);
    expect(report.accounts.filter(({ state }) => state === 'made')).toHaveLength(accounts.size);
    expect(notMeasured(report)).toEqual(unaskedByDefault);
    expect(answersOf(report)).toMatchObject({
      'registration.malformed-email email-malformed': { handling: 'accepted' },
      'registration.password-strength password-of-1': { handling: 'accepted' },
      'registration.password-strength password-of-7': { kind: 'none', why: 'implied' },
      'registration.cpassword-at-register cpassword-different register': { handling: 'accepted' },
      'registration.long-password password-of-80': { handling: 'accepted' },
      'registration.too-long field-too-long name': { handling: 'accepted' },
      'registration.other-type field-of-other-type name': { handling: 'fault', status: 500 },
      'registration.missing-field field-missing name': { handling: 'refused' },
    });
    expect(report.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['weak-password-accepted', 'cpassword-ignored', 'server-fault-on-input']),
    );
  });

  it('are asked for when they run out, with the command that measures what is missing', async () => {
    const { respond } = tutorialServer();
    const { report } = await runAt(respond, { accounts: 4 });
    expect(report.accounts.filter(({ state }) => state === 'made')).toHaveLength(4);

    const missing = groupUntestedCases(report).find(({ reason }) => reason.kind === 'account-limit')!;
    expect(missing.cases).toContain('registration.too-long');
    expect(missing.cases).not.toContain('registration.malformed-email');
    const read = await parseCheckArguments(missing.command!.split(' '));
    expect(read).toMatchObject({ kind: 'run', run: { run: { only: missing.cases } } });
    const wanted = read.kind === 'run' ? read.run.run : {};
    const again = await runAt(tutorialServer().respond, wanted);
    expect(groupUntestedCases(again.report)).toEqual([]);
  });

  it('are as many as were asked for, at a server that takes everything', async () => {
    const { report, server } = await runAt(
      ({ target }) =>
        target.startsWith('/api/v1/') ? answer(200, { token: `1|${crypto.randomUUID()}` }) : answer(404),
      { accounts: 20 },
    );
    expect(server.requests.filter(isRegistration).length).toBeLessThanOrEqual(20);
    expect(report.accounts.length).toBeLessThanOrEqual(20);
    expect(groupUntestedCases(report).filter(({ reason }) => reason.kind === 'account-limit')).toEqual([]);
  });

  it('are not used up by faults: a server that fails at every wrong field is measured whole', async () => {
    const { respond } = tutorialServer({
      override: (request) => {
        const { name, email, password } = fieldsIn(request);
        const isWrong = [name, email, password].some((each) => typeof each !== 'string' || each === '');
        return isRegistration(request) && isWrong ? answer(500, { message: 'Server Error' }) : undefined;
      },
    });
    const { report } = await runAt(respond);
    expect(notMeasured(report)).toEqual(unaskedByDefault);
    const detailsOf = (wanted: FindingId) =>
      report.findings
        .filter(({ id }) => id === wanted)
        .flatMap(({ details }) => details.map(({ question, subject }) => `${question} ${subject}`));
    expect(detailsOf('server-fault-on-refusal')).toContain('field-missing name');
    expect(detailsOf('server-fault-on-input')).toEqual(
      expect.arrayContaining(['field-empty email', 'field-of-other-type name']),
    );
  });
});

describe('a fault on input', () => {
  it.each<[string, CaseId[], (request: RecordedRequest, known: ReadonlySet<unknown>) => boolean]>([
    [
      'on an email that is taken',
      ['registration.repeated-email'],
      (request, known) => isRegistration(request) && known.has(fieldsIn(request)['email']),
    ],
    [
      'on a name that is a list',
      ['registration.other-type'],
      (request) => isRegistration(request) && Array.isArray(fieldsIn(request)['name']),
    ],
    [
      'on another method, where the right one is answered',
      ['token.required', 'errors.wrong-method'],
      (request) => isPath(request, 'perfil') && request.method === 'POST',
    ],
    [
      'on an invalid token',
      ['token.invalid'],
      ({ headers }) => headers.some(([, value]) => value === 'Bearer not-a-token'),
    ],
  ])('is found %s', async (_name, only, isMet) => {
    const known = new Set<unknown>();
    const respond = smallServer({
      override: (request) => {
        if (isMet(request, known)) return answer(500, { message: 'Server Error' });
        if (isRegistration(request)) known.add(fieldsIn(request)['email']);
        return undefined;
      },
    });
    const { report } = await runAt(respond, { only });
    const isEveryday = _name === 'on an email that is taken';
    expect(report.findings.map(({ id }) => id)).toEqual([
      isEveryday ? 'server-fault-on-refusal' : 'server-fault-on-input',
    ]);
  });

  it('is found even if its case is not measured', async () => {
    let asked = 0;
    const respond = smallServer({
      override: (request) => {
        if (!isPath(request, 'login') || !request.body.includes('an object')) {
          return asked > 0 && asked++ < 2 && isPath(request, 'login')
            ? answer(429, { message: 'Too many attempts.' }, { 'Retry-After': '3600' })
            : undefined;
        }
        asked += 1;
        return answer(500, { message: 'Server Error' });
      },
    });
    const { report } = await runAt(respond, { only: ['login.fields'] });
    expect(caseOf(report, 'login.fields')).toMatchObject({ outcome: 'not-measured', reason: { kind: 'throttled' } });
    expect(report.findings.map(({ id }) => id)).toEqual(['server-fault-on-input']);
  });

  it('is not blamed on the input where the server is out of order', async () => {
    const { report } = await runAt(() => answer(503, { message: 'Down.' }));
    expect(report.findings).toEqual([]);
  });
});

/** Makes a server that refuses addresses under some names, as FastAPI's `EmailStr` does. */
const refusingDomains = (refused: (domain: string) => boolean): Respond =>
  smallServer({
    override: (request) => {
      const { email } = fieldsIn(request);
      const domain = typeof email === 'string' ? (email.split('@')[1] ?? '') : '';
      if (!isRegistration(request) || !refused(domain)) return undefined;
      const reason = 'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
      const msg = `value is not a valid email address: ${reason}`;
      return answer(422, { detail: [{ type: 'value_error', loc: ['body', 'email'], msg, ctx: { reason } }] });
    },
  });

describe('an address under a reserved name', () => {
  it('is tried under the other one where the first is refused, and the server says why', async () => {
    const { report } = await runAt(
      refusingDomains((domain) => domain.endsWith('.test')),
      { only: ['profile.own-user'] },
    );
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(report.accounts.every(({ email }) => email.endsWith('@example.com'))).toBe(true);
    expect(JSON.stringify(answersOf(report)['registration.served address-refused registro'])).toContain(
      'reserved name',
    );
    expect(report.findings).toEqual([]);
  });

  it('may be what is wrong where both are refused: the broken rule says so', async () => {
    const { report, server } = await runAt(
      refusingDomains((domain) => domain.startsWith('example.')),
      { only: ['registration.served'] },
    );
    expect(outcomesOf(report, 'failed')).toContain('registration.served');
    expect(answersOf(report)['registration.served refused-for-our-value registro']).toMatchObject({
      fields: ['email'],
    });
    expect(server.requests.filter(isRegistration)).toHaveLength(8);
  });

  it('is where a person chose, and nowhere else', async () => {
    const { report } = await runAt(
      refusingDomains((domain) => domain !== 'qa.example.org'),
      { emailDomain: 'qa.example.org', only: ['registration.long-password'] },
    );
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(report.accounts.every(({ email }) => email.endsWith('@qa.example.org'))).toBe(true);
  });
});

describe('what a run says', () => {
  it('has the numbers of a server that throttled it', async () => {
    let refusals = 0;
    const { report, clock } = await runAt(
      smallServer({
        override: (request) =>
          isPath(request, 'login') && refusals++ === 3
            ? answer(429, { error: 'Rate limit exceeded: 5 per 1 minute' }, { 'Retry-After': '42' })
            : undefined,
      }),
    );
    expect(clock.slept).toContain(42_000);
    expect(report.throttlings).toEqual([
      { call: expect.any(String), limit: 5, windowSeconds: 60, askedSeconds: 42, waitedSeconds: 42 },
    ]);
  });

  it('finds a trace on a page, and calls the page a page', async () => {
    const page =
      '<!DOCTYPE html>\n<pre>SyntaxError: Unexpected end of JSON input<br> &nbsp; &nbsp;at parse (/app/json.js:96:19)</pre>';
    const { report } = await runAt(
      smallServer({
        override: (request) =>
          isPath(request, 'login') && request.body.startsWith('{') && !request.body.endsWith('}')
            ? answer(400, page, { 'Content-Type': 'text/html' })
            : undefined,
      }),
    );
    expect(report.findings.map(({ id }) => id)).toEqual(['stack-traces']);
    expect(answersOf(report)['errors.body-not-json body-not-json login']).toMatchObject({
      handling: 'page',
      status: 400,
    });
  });

  it('finds a password of one letter that comes back beside its field', async () => {
    const { report } = await runAt(
      smallServer({
        override: (request) => {
          const { password } = fieldsIn(request);
          return isRegistration(request) && typeof password === 'string' && password.length === 1
            ? answer(400, { errors: [{ type: 'field', value: password, msg: 'Too short', path: 'password' }] })
            : undefined;
        },
      }),
    );
    expect(report.findings.map(({ id }) => id)).toEqual(['password-echoed']);
  });

  it('names the documents that are there, and none where every path answers one page', async () => {
    const document = answer(200, { openapi: '3.1.0' });
    const served = fixtures.documents.map(({ path }) => path);
    const some = await runAt(
      smallServer({ override: ({ target }) => (served.includes(target) ? document : undefined) }),
    );
    expect(answersOf(some.report)['functions.others other-paths']).toEqual({
      kind: 'list',
      items: expect.toSatisfy((items: string[]) => items.toSorted().join() === served.toSorted().join()),
    });
    const page = answer(200, '<!doctype html><title>App</title>', { 'Content-Type': 'text/html' });
    const every = await runAt(
      smallServer({ override: ({ target }) => (target.includes('/auth/') ? undefined : page) }),
    );
    expect(answersOf(every.report)['functions.others other-paths']).toEqual({
      kind: 'none',
      why: 'none-tried',
      count: 16,
    });
  });
});

it('a run at the defaults takes no more than a minute, as its clock tells', async () => {
  const { report, plan } = await runAt(tutorialServer().respond);
  expect(plan.seconds).toBeLessThanOrEqual(60);
  expect(report.durationMs).toBeLessThanOrEqual(60_000);
});
