import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { checkCommand } from '../../../main/commands/check-command.ts';
import { readReport } from '../../../main/contract-run/reports/json.ts';
import { writeReport } from '../../../main/contract-run/reports/write-report.ts';
import type { Report } from '../../../preload/contract/contract-report.ts';
import { reportForms } from '../../../preload/contract/report-forms.ts';
import { badAnswers } from '../../support/bad-answers.ts';
import { closeRegistration } from '../../support/closed-registration.ts';
import { makeReadOnly, makeSmallDisk } from '../../support/disks.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { reportWith } from '../../support/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { contractRun, outcomesOf, secretsIn } from '../support/contract-run.ts';
import { startBuiltInServer } from '../support/behaviour.ts';

vi.setConfig({ testTimeout: 30_000 });

/** What a test gives the command: variables, and the lines of standard input. */
type Given = {
  env?: NodeJS.ProcessEnv;
  input?: string[];
  /** Sees each line of progress, and may end the run. */
  after?: (line: string, stop: () => void) => void;
};

/** The command within this process, with what it wrote. */
async function check(args: string[], { env = {}, input = [], after = () => undefined }: Given = {}) {
  const texts = { out: '', err: '' };
  const stop = new AbortController();
  const code = await checkCommand(args, {
    out: (text) => void (texts.out += text),
    err(text) {
      texts.err += text;
      after(text, () => stop.abort());
    },
    stop: stop.signal,
    env,
    input: () => Readable.from(input),
    toolVersion: '0.1.0',
  });
  return { code, ...texts };
}

const quickly = ['--rate', '100'];

/** The forms of reports as the option names them. */
const forms = ['md', 'html', 'json', 'junit'];

async function readBack(file: string): Promise<Report> {
  const read = readReport(await readFile(file, 'utf8'));
  if (!read.ok) throw new Error(JSON.stringify(read.problem));
  return read.report;
}

describe('check', () => {
  it('passes the service, and answers every open point on standard output', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const { code, out, err } = await check([service.baseUrl, ...quickly]);
    expect(code).toBe(0);
    expect(out).toMatch(/^# Contract report: `http:\/\/127\.0\.0\.1:\d+`\n/);
    expect(out).toContain('| `POST /api/v1/auth/login` | 200 | `token` (string, secret)');
    expect(out).not.toContain('Not part of this run');
    const [, effectOfLogout = ''] = out.split('(line 58)');
    expect(effectOfLogout.split('(line 59)')[0]).toContain('The profile with the token that was logged out');
    expect(err).toMatch(/^1\/\d+ passed: A registration as the interface describes it is accepted/m);
    expect(err).toContain('Every stated case that was measured passed.');
  });

  it('writes all four forms, readable by others, and leaves standard output alone', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    const files = forms.map((form) => [form, path.join(folder, form)] as const);
    const reports = files.flatMap(([form, file]) => ['--report', `${form}=${file}`]);
    const { code, out } = await check([
      service.baseUrl,
      ...quickly,
      '--only',
      'login.answer',
      '--lang',
      'es',
      ...reports,
    ]);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const [md = '', html = '', json = '', junit = ''] = await Promise.all(
      files.map(([, file]) => readFile(file, 'utf8')),
    );
    expect(md).toContain('# Informe del contrato');
    expect(html).toContain('<html lang="es">');
    expect(readReport(json).ok).toBe(true);
    expect(junit).toContain('<testsuites>');
    expect((await stat(path.join(folder, 'md'))).mode & 0o777).toBe(0o644 & ~process.umask());
  });

  it('writes no secret into any form, even of a server that shows them', async () => {
    const { service } = await startBuiltInServer({ wrong: ['password-echoed', 'stack-traces'] }, { isEmpty: true });
    const { start, wire } = contractRun(service.baseUrl);
    const report = await start();
    const secrets = secretsIn(wire);
    expect(secrets.length).toBeGreaterThan(10);
    for (const form of reportForms) {
      const text = writeReport(form, report, 'en');
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it('fails for a finding only when it is told to', async () => {
    const { service } = await startBuiltInServer({ wrong: ['token-outlives-logout'] }, { isEmpty: true });
    const args = [service.baseUrl, ...quickly, '--only', 'logout.same-token-afterwards'];
    expect(await check(args)).toMatchObject({
      code: 0,
      out: expect.stringContaining('### Severity high: The token still works'),
    });
    expect(await check([...args, '--fail-on', 'low'])).toMatchObject({ code: 1 });
    expect(await check([...args, '--fail-on', 'high'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Findings of severity high or above: 1.'),
    });
  });

  it('fails for a stated case', async () => {
    // Another application than the interface's: every path answers the same.
    const server = await startRecordingServer(() => {
      const body = '{"message":"ok","token":"7|abcdefghijklmnopqrstuvwxyzabcdefghijklmn"}';
      return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    const { code, err } = await check([server.origin, ...quickly, '--only', 'login.wrong-password', '--bail']);
    expect(code).toBe(1);
    expect(err).toContain('Stated cases that failed: 1.');
  });

  it.each(['localhost:1', '127.0.0.1:1'])(
    'says with 3 that nothing answers at %s, and reports all the same',
    async (dead) => {
      const { code, out, err } = await check([dead, ...quickly]);
      expect(code).toBe(3);
      expect(err).toContain('nothing answers at the address');
      expect(out).toContain('## What was not measured, and why');
    },
  );

  it.each(['hanging', 'reset', 'notHttp', 'truncated'] as const)('never passes a server that is %s', async (kind) => {
    const server = await startRecordingServer(badAnswers[kind]);
    const { code, out } = await check([server.origin, ...quickly, '--timeout', '100']);
    expect(code).toBe(3);
    expect(out).toContain('0 passed, 0 failed, 10 not measured');
  });

  it('never passes a server that answers web pages', async () => {
    const server = await startRecordingServer(
      () => 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<h1>Hello</h1',
    );
    const { code, err } = await check([server.origin, ...quickly]);
    expect(code).toBe(3);
    expect(err).toContain('Nothing there answered as the interface describes.');
  });

  it('ends with a report of what was done when it is stopped', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const { code, err } = await check([service.baseUrl, ...quickly, '--report', `json=${file}`], {
      after(line, stop) {
        if (line.startsWith('10/')) stop();
      },
    });
    expect(code).toBe(1);
    expect(err).toContain('The run was cancelled');
    const report = await readBack(file);
    // Nothing in it is new to readers of version 1.
    expect(report).toMatchObject({ version: 1, ended: { kind: 'cancelled' } });
    expect(report.cases.filter(({ outcome }) => outcome !== 'not-measured').length).toBeGreaterThan(5);
    expect(report.cases.filter(({ outcome }) => outcome === 'not-measured').length).toBeGreaterThan(20);
  });

  it('puts only the differences to an earlier report on standard output', async () => {
    const folder = await makeTemporaryFolder();
    const before = path.join(folder, 'before.json');
    const right = await startBuiltInServer({}, { isEmpty: true });
    const wrong = await startBuiltInServer({ wrong: ['token-outlives-logout'] }, { isEmpty: true });
    const first = await check([right.service.baseUrl, ...quickly, '--report', `json=${before}`]);
    expect(first.code).toBe(0);

    const same = await check([right.service.baseUrl, ...quickly, '--compare', before]);
    expect(same.out).toContain('nothing differs');
    const other = await check([wrong.service.baseUrl, ...quickly, '--compare', before]);
    expect(other.out.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      expect.stringMatching(/^- \*\*The token after its log out\*\* — .*: refused, 401.* → accepted, 200$/),
      expect.stringMatching(/^- \*\*Logging out twice\*\* — .*: refused, 401.* → accepted, 200: `.*`$/),
      '- **new**: high, The token still works after logging out',
    ]);
  });

  it.each([
    ['that is not there', undefined, 'cannot be read (ENOENT)'],
    ['of a newer version', JSON.stringify({ ...reportWith('x'), version: 3 }), 'version 3'],
    ['that is broken', '{"schema":"llavero-', 'not JSON'],
  ])('sends nothing when it is to compare with a report %s', async (_name, content, says) => {
    const file = path.join(await makeTemporaryFolder(), 'earlier.json');
    if (content !== undefined) await writeFile(file, content);
    const server = await startRecordingServer(() => undefined);
    const { code, err } = await check([server.origin, '--compare', file]);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(server.requests).toEqual([]);
  });

  it('sends nothing when the folder of a report does not exist', async () => {
    const server = await startRecordingServer(() => undefined);
    const file = path.join(await makeTemporaryFolder(), 'nowhere', 'report.md');
    expect(await check([server.origin, '--report', `md=${file}`])).toMatchObject({
      code: 2,
      err: expect.stringContaining('its folder does not exist'),
    });
    expect(server.requests).toEqual([]);
  });

  it('says the report on standard output and ends with 4 when the disk is full', async (context) => {
    const disk = await makeSmallDisk(context);
    const file = path.join(disk.folder, 'report.html');
    await writeFile(file, 'the report of yesterday');
    disk.fill();
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const { code, out, err } = await check([service.baseUrl, ...quickly, '--report', `html=${file}`]);
    expect(code).toBe(4);
    expect(out).toMatch(/^# Contract report/);
    expect(err).toContain('(ENOSPC)');
    expect(await readFile(file, 'utf8')).toBe('the report of yesterday');
  });

  it('does the same when it may not write there', async (context) => {
    const folder = await makeReadOnly(context, await makeTemporaryFolder());
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const args = [service.baseUrl, ...quickly, '--only', 'login.answer', '--report'];
    const { code, out, err } = await check([...args, `json=${path.join(folder, 'report.json')}`]);
    expect(code).toBe(4);
    expect(out).toMatch(/^# Contract report/);
    expect(err).toContain('(EROFS)');
  });
});

/** With what JSON, HTML and addresses write in another way. */
const person = { name: 'Rosa', email: 'rosa@example.test', password: 'Ñ "quoted" & <b>|\\/%41 ok' };
const env = { LLAVERO_CHECK_EMAIL: person.email, LLAVERO_CHECK_PASSWORD: person.password };

/** The real service with its limits on and one account, where nobody can register any more. */
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
      expect(err).toContain('it makes no account.');

      const report = await readBack(file);
      expect(report).toMatchObject({ version: 2, givenAccount: person.email, accounts: [], findings: [] });
      expect(outcomesOf(report, 'passed')).toEqual([
        'login.right-credentials',
        'login.wrong-password',
        'login.unknown-email',
        'token.form',
        'token.required',
        'profile.served',
        'profile.own-user',
        'logout.served',
        'versioning.only-v1',
      ]);
      expect(outcomesOf(report, 'failed')).toEqual([]);
      const unmeasured = outcomesOf(report, 'not-measured');
      expect(unmeasured.filter((each) => !each.startsWith('registration.'))).toEqual([
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
    expect(await check(args, { input })).toMatchObject({ code: 0, out: expect.stringContaining('| 200 | `token`') });
    expect(server.logins()).toEqual([person.password]);
  });

  it('writes neither its password nor a token anywhere, even of a server that shows them', async () => {
    const server = await closedService(403, { wrong: ['password-echoed', 'stack-traces'] });
    const folder = await makeTemporaryFolder();
    const files = forms.map((form) => path.join(folder, form));
    const reports = forms.flatMap((form, at) => ['--report', `${form}=${files[at]}`]);
    const { code, out, err } = await check([server.baseUrl, ...quickly, ...reports], { env });
    expect(code).toBe(0);
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
      'Login, profile and log out cannot be judged: the server refused the account that was given, with status 401: ',
    );
    expect(err).not.toContain('Every stated case');
    expect(err).not.toContain('not the one');
    const report = await readBack(file);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(outcomesOf(report, 'passed')).toEqual(['login.unknown-email', 'token.required']);
    expect(outcomesOf(report, 'not-measured')).toContain('login.right-credentials: account-refused');
    expect(server.logins()).toEqual(['not the one']);
  });

  it('registers where it is told to, and then lets nothing fail at the account', async () => {
    const { service, behaviour, post } = await startBuiltInServer(
      { keepRequests: 1000 },
      { isEmpty: true, rateLimit: 'on' },
    );
    await post('registro', person);
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const args = [service.baseUrl, ...quickly, '--variant', 'register', '--throttling', '--report', `json=${file}`];
    expect(await check(args, { env })).toMatchObject({ code: 0 });
    const report = await readBack(file);
    expect(outcomesOf(report, 'not-measured')).toEqual([
      'registration.both-paths: not-asked',
      'registration.cpassword-at-registro: not-asked',
    ]);
    expect(report.accounts.map(({ email }) => email)).not.toContain(person.email);
    // The one of this test.
    expect(behaviour.requests().filter(({ route }) => route?.endsWith('/registro'))).toHaveLength(1);
    // None of the five failures that it may have in a minute was used up.
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await post('login', { ...person, password: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('fails when it is told to register where nobody can', async () => {
    const server = await closedService(403);
    const { code, err } = await check([server.baseUrl, ...quickly, '--variant', 'both'], { env });
    expect(code).toBe(1);
    expect(err).toContain('Stated cases that failed: 1.');
    expect(server.registrations()).toHaveLength(4);
    expect(server.wrongPasswords()).toHaveLength(2);
  });

  it.each([
    ['an email alone', [], { LLAVERO_CHECK_EMAIL: person.email }, [], 'no password'],
    ['a password alone', [], { LLAVERO_CHECK_PASSWORD: person.password }, [], 'no email'],
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
    expect(err).toMatch(/^(?:The password of the account is read .*\n)?[^\n]+\.\n$/);
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
    expect(err).toContain('before there was a password');
    expect(server.requests).toEqual([]);
  });
});
