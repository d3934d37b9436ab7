import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { checkCommand } from '../../../main/commands/check-command.ts';
import { closeRegistration } from '../../support/closed-registration.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { check, forms, quickly, readBack } from '../support/check.ts';
import { outcomesOf, unaskedByDefault } from '../support/run-check.ts';

/** Each has a letter that JSON, HTML and addresses write in another way. */
const person = { name: 'Rosa', email: 'rosa@example.test', password: 'Ñ "quoted" & <b>|\\/%41 ok' };
const env = { LLAVERO_CHECK_EMAIL: person.email, LLAVERO_CHECK_PASSWORD: person.password };

/** Starts the real service with its limits on and one account. Nobody can register there any more. */
async function closedService(status: 403 | 404, wrong: Parameters<typeof startBuiltInServer>[0] = {}) {
  const { service, behaviour, post } = await startBuiltInServer(wrong, { isEmpty: true, rateLimit: 'on' });
  await post('registro', person);
  const front = await closeRegistration(service.baseUrl, status);
  const passwordsSentFor = (email: string): string[] =>
    front.requests
      .filter(({ path: at, body }) => at.endsWith('/login') && body.includes(email))
      .map(({ body }) => (JSON.parse(body) as { password: string }).password);
  return {
    ...front,
    behaviour,
    registrations: () => front.requests.filter(({ path: at }) => /regist/.test(at)),
    wrongPasswords: () => passwordsSentFor(person.email).filter((password) => password !== person.password),
    logins: () => passwordsSentFor(person.email),
    sessions: async () => (await service.data!.sessions({ offset: 0, limit: 100 })).rows,
  };
}

describe('check with an account that is there', () => {
  it.each([403, 404] as const)(
    'measures all but registration and what could lock it where registrations get %i',
    async (status) => {
      const server = await closedService(status);
      const file = path.join(await makeTemporaryFolder(), 'report.json');
      const { code, err } = await check([server.baseUrl, ...quickly, '--report', `json=${file}`], { env });
      expect(code).toBe(0);
      expect(err).toContain('No accounts are created.');
      expect(err).toMatch(/^Requests sent: \d+ of at most \d+\. No accounts created\. Duration: .+\.$/m);
      expect(err).toMatch(
        /Not tested \(it could lock .*\): login\.email-spelling, login\.told-apart-by-time\.\nTo include them, run: llavero check \S+ --email rosa@example\.test --password-stdin --variant both --rate 100 --only login\.email-spelling,login\.told-apart-by-time\n/,
      );

      const report = await readBack(file);
      expect(report).toMatchObject({ version: 1, givenAccount: person.email, accounts: [], findings: [] });
      expect(outcomesOf(report, 'passed')).toEqual([
        'login.right-credentials',
        'login.wrong-password',
        'login.unknown-email',
        'token.required',
        'profile.served',
        'profile.own-user',
        'logout.served',
        'versioning.only-v1',
      ]);
      expect(outcomesOf(report, 'failed')).toEqual([]);
      const unmeasured = outcomesOf(report, 'not-measured');
      expect(unmeasured.filter((each) => !/^(?:registration|races)\./.test(each))).toEqual([
        'login.email-spelling: spares-account',
        'login.told-apart-by-time: spares-account',
        'limits.throttling: not-asked',
        'functions.states: needs',
      ]);
      expect(unmeasured.filter((each) => /^registration\..*: not-asked$/.test(each))).toHaveLength(13);

      expect(server.registrations()).toEqual([]);
      expect(server.wrongPasswords()).toHaveLength(2);
      expect(server.tokens.size).toBeGreaterThan(5);
      expect(await server.sessions()).toEqual([]);
    },
  );

  it('takes the password from the first line of standard input', async () => {
    const server = await closedService(403);
    const args = [server.baseUrl, ...quickly, '--only', 'login.answer', '--email', person.email, '--password-stdin'];
    const half = person.password.length / 2;
    const input = [person.password.slice(0, half), `${person.password.slice(half)}\r\nand `, 'more\n'];
    expect(await check(args, { input })).toMatchObject({ code: 0, out: expect.stringContaining('(login) | 200 |') });
    expect(server.logins()).toEqual([person.password]);
  });

  it('writes neither its password nor a token anywhere, even of a server that shows them', async () => {
    const server = await closedService(403, { defects: ['password-echoed', 'stack-traces'] });
    const folder = await makeTemporaryFolder();
    const files = forms.map((form) => path.join(folder, form));
    const reports = forms.flatMap((form, at) => ['--report', `${form}=${files[at]}`]);
    const { code, out, err } = await check([server.baseUrl, ...quickly, ...reports], { env });
    expect(code).toBe(1);
    const json = await readBack(path.join(folder, 'json'));
    expect(json.findings.map(({ id }) => id)).toEqual(['password-echoed', 'stack-traces']);

    const all = [out, err, ...(await Promise.all(files.map((file) => readFile(file, 'utf8'))))].join('\n');
    const parts = [...server.tokens].flatMap((token) => [token, token.split('|')[1]!]);
    const { password } = person;
    const spellings = [
      password,
      JSON.stringify(password).slice(1, -1),
      encodeURIComponent(password),
      '"quoted"',
      '%41',
    ];
    expect([...parts, ...spellings, '&quot;quoted&quot;'].filter((secret) => all.includes(secret))).toEqual([]);
    expect(all).toContain(person.email);
  });

  it('says with 3 that nothing can be judged when the password is wrong, after one try', async () => {
    const server = await closedService(404);
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const wrong = { ...env, LLAVERO_CHECK_PASSWORD: 'not the one' };
    const args = [server.baseUrl, ...quickly, '--report', `json=${file}`];
    const { code, err } = await check(args, { env: wrong });
    expect(code).toBe(3);
    expect(err).toContain(
      'Login, profile and logout cannot be tested: the server rejected the given account, with status 401: ',
    );
    expect(err).toContain('The server refused the given account: 2 of 8 requirements passed, 6 not tested\n');
    expect(err).not.toContain('not the one');
    const report = await readBack(file);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(outcomesOf(report, 'passed')).toEqual(['login.unknown-email', 'token.required']);
    expect(outcomesOf(report, 'not-measured')).toContain('login.right-credentials: account-refused');
    expect(server.logins()).toEqual(['not the one']);
  });

  it('registers where it is told to, and then lets nothing fail at the account', async () => {
    // The run registers ten times in this minute, and this test once.
    const limits = { registration: { most: 11, windowSeconds: 60 } };
    const { service, behaviour, post } = await startBuiltInServer(
      { keepRequests: 1000 },
      { isEmpty: true, rateLimit: 'on', limits },
    );
    await post('registro', person);
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const args = [service.baseUrl, ...quickly, '--variant', 'register', '--throttling', '--report', `json=${file}`];
    expect(await check(args, { env })).toMatchObject({ code: 0 });
    const report = await readBack(file);
    expect(outcomesOf(report, 'not-measured')).toEqual([
      'registration.both-paths: not-asked',
      'registration.cpassword-at-registro: not-asked',
      ...unaskedByDefault.filter((each) => each.startsWith('races.')),
    ]);
    expect(report.accounts.map(({ email }) => email)).not.toContain(person.email);
    // The one registration is that of this test.
    expect(behaviour.requests().filter(({ route }) => route?.endsWith('/registro'))).toHaveLength(1);
    // The run has used up none of the five failures that a minute allows.
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await post('login', { ...person, password: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('fails when it is told to register where nobody can', async () => {
    const server = await closedService(403);
    const { code, err } = await check([server.baseUrl, ...quickly, '--variant', 'both'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/1 of \d requirements failed/);
    expect(server.registrations()).toHaveLength(4);
    expect(server.wrongPasswords()).toHaveLength(2);
  });

  it.each([
    ['nothing on standard input', ['--email', person.email, '--password-stdin'], {}, [], 'standard input is empty'],
    [
      'a file on standard input',
      ['--email', person.email, '--password-stdin'],
      {},
      ['x'.repeat(2000)],
      'more than 1000',
    ],
    ['a short password', ['--email', person.email, '--password-stdin'], {}, ['12345\n'], 'fewer than 6 characters'],
  ])('sends nothing when it is given %s', async (_name, args, given, input, says) => {
    const server = await startRecordingServer(() => undefined);
    const { code, out, err } = await check([server.origin, ...args], { env: given, input });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
    expect(err).toMatch(/^(?:Reading the password of the account .*\n)?[^\n]+\.\n$/);
    expect(err).not.toMatch(/12345|quoted/);
    expect(server.requests).toEqual([]);
  });

  it('ends while it waits for a password', async () => {
    const server = await startRecordingServer(() => undefined);
    const stop = new AbortController();
    let err = '';
    const ended = checkCommand([server.origin, '--email', person.email, '--password-stdin'], {
      out: () => undefined,
      err: (text) => void (err += text),
      stop: stop.signal,
      env: {},
      input() {
        setImmediate(() => stop.abort());
        return new Readable({ read: () => undefined });
      },
      toolVersion: '0.1.0',
    });
    expect(await ended).toBe(1);
    expect(err).toContain('before a password arrived');
    expect(server.requests).toEqual([]);
  });
});

describe('check with a user name, at an interface without registration', () => {
  const user = 'johndoe';

  /** Starts a right server of such an interface with one account, and writes the interface to a file. */
  async function withoutRegistration(body: Record<string, string>) {
    const tokens = new Set<string>();
    const server = await startJsonServer(({ method, target, headers, body: sent }) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      const no = { status: 401, body: { detail: 'No.' } };
      if (`${method} ${target}` === 'POST /api/login') {
        const { username, password } = fieldsIn(sent);
        if (username !== user || password !== person.password) return no;
        const made = randomBytes(24).toString('hex');
        tokens.add(made);
        return { status: 200, body: { access_token: made } };
      }
      if (`${method} ${target}` === 'GET /api/me')
        return tokens.has(token) ? { status: 200, body: { username: user } } : no;
      if (`${method} ${target}` === 'POST /api/logout') return tokens.delete(token) ? { status: 204 } : no;
      return { status: 404, body: { detail: 'Not found.' } };
    });
    const file = path.join(await makeTemporaryFolder(), 'interface.json');
    const calls = {
      register: null,
      login: { path: '/login', body },
      profile: { path: '/me' },
      logout: { path: '/logout' },
    };
    const outputs = { token: '$response.body#/access_token' };
    await writeFile(file, JSON.stringify({ name: 'Without registration', prefix: '/api', calls, outputs }));
    return { url: server.baseUrl, args: ['--interface', file, ...quickly] };
  }

  it.each<[string, Record<string, string>, string[], NodeJS.ProcessEnv, string[]]>([
    [
      'from the environment',
      { username: '{{username}}', password: '{{password}}' },
      [],
      { LLAVERO_CHECK_EMAIL: user, LLAVERO_CHECK_PASSWORD: person.password },
      [],
    ],
    [
      'on its line',
      { username: '{{username}}', password: '{{password}}' },
      ['--email', user, '--password-stdin'],
      {},
      [`${person.password}\n`],
    ],
    [
      'sent where an email may be, too',
      { username: '{{email}}', password: '{{password}}' },
      ['--email', user, '--password-stdin'],
      {},
      [`${person.password}\n`],
    ],
  ])('%s, passes, and says what needs a second account', async (_name, body, args, variables, input) => {
    const server = await withoutRegistration(body);
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const given = [server.url, ...server.args, ...args, '--report', `json=${file}`];
    const { code, err } = await check(given, { env: variables, input });
    expect({ code, end: err.trimEnd().split('\n').slice(-12) }).toMatchObject({ code: 0 });
    expect(err).toMatch(/Not tested \(it needs a second account, and the API has no registration\): login\.[^\n]+\n/);
    const report = await readBack(file);
    expect(report).toMatchObject({ givenAccount: user, accounts: [], findings: [] });
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(outcomesOf(report, 'passed')).toEqual(expect.arrayContaining(['login.right-credentials', 'logout.served']));
    expect(outcomesOf(report, 'not-measured')).toContain('login.told-apart-by-time: no-second-account');
  });
});

/** The fields of a body; none where it is no object. */
function fieldsIn(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
