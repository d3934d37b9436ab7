import dns from 'node:dns';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mockCommand } from '../../../main/commands/mock-command.ts';
import { startGoTrueLike } from '../../support/described-servers.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { fileOf } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { check, forms, quickly, readBack } from '../support/check.ts';
import { folder as serveFolder, postJson, serve } from '../support/serve-process.ts';
import { ada } from '../support/make-service.ts';
import { closedPort } from '../../support/closed-port.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = ['--only', 'login.answer'];

async function written(...servers: object[]) {
  const file = path.join(await makeTemporaryFolder(), 'llavero.servers.json');
  await writeFile(file, fileOf(...servers));
  return file;
}

/** An environment that tells which of its variables were looked at. */
function watched(values: NodeJS.ProcessEnv) {
  const read = new Set<string>();
  const look = (name: string | symbol): void => void read.add(String(name));
  const env = new Proxy(values, {
    get: (target, name) => (look(name), Reflect.get(target, name)),
    has: (target, name) => (look(name), Reflect.has(target, name)),
    getOwnPropertyDescriptor: (target, name) => (look(name), Reflect.getOwnPropertyDescriptor(target, name)),
    ownKeys: (target) => (look('all'), Reflect.ownKeys(target)),
  });
  return { env, read };
}

async function runMock(args: string[], { env }: { env: NodeJS.ProcessEnv }) {
  let err = '';
  const code = await mockCommand(args, {
    out: () => undefined,
    err: (text) => void (err += text),
    stop: new AbortController().signal,
    env,
    input: () => Readable.from([]),
    toolVersion: '0.1.0',
  });
  return { code, err };
}

async function startSilent() {
  const server = await startRecordingServer(() => answer(200, {}));
  onTestFinished(() => server.close());
  return server;
}

describe('check with a file of servers', () => {
  it('measures the server that is named, says its origin first, and names it in every report', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const file = await written(
      { name: 'local', address: service.baseUrl },
      { name: 'other', address: 'http://127.0.0.9:1' },
    );
    const folder = await makeTemporaryFolder();
    const reports = forms.flatMap((form) => ['--report', `${form}=${path.join(folder, form)}`]);
    const { code, err } = await check(['--servers', file, '--server', 'local', ...only, ...quickly, ...reports]);
    expect({ code, first: err.split('\n')[0] }).toEqual({ code: 0, first: `“local” of ${file}: ${service.baseUrl}` });
    expect(await readBack(path.join(folder, 'json'))).toMatchObject({ baseUrl: service.baseUrl, serverName: 'local' });
    expect(await readFile(path.join(folder, 'md'), 'utf8')).toContain('`local`');
    expect(await readFile(path.join(folder, 'junit'), 'utf8')).toContain('local');
  });

  it('speaks its interface with the variable that the file names, and sends its headers', async () => {
    const server = await startGoTrueLike();
    const gotrue = {
      interface: 'supabase-gotrue',
      variables: { apikey: 'LLAVERO_KEY' },
      headers: { 'X-Gate': 'LLAVERO_GATE' },
    };
    const file = await written({ name: 'gotrue', address: server.baseUrl, ...gotrue });
    const { env, read } = watched({
      LLAVERO_KEY: 'anon-key-of-the-project',
      LLAVERO_GATE: 'gate-secret-91c4',
      GITHUB_TOKEN: 'ghs_1',
      AWS_SECRET_ACCESS_KEY: 'aws',
    });
    const pinned = ['--servers', file, '--server', 'gotrue', '--origin', server.baseUrl];
    const { out, err } = await check([...pinned, ...only, ...quickly], { env });
    expect(server.requests.length).toBeGreaterThan(1);
    // The first one only looks whether anything answers.
    for (const { headers } of server.requests.slice(1))
      expect(headers).toMatchObject({ apikey: 'anon-key-of-the-project', 'x-gate': 'gate-secret-91c4' });
    expect(out + err).not.toMatch(/anon-key-of|gate-secret/);
    expect([...read].filter((name) => /GITHUB|AWS|^all$/.test(name))).toEqual([]);
  });

  it.each<[variable: string, looked: string[]]>([
    ['GITHUB_TOKEN', []],
    ['AWS_SECRET_ACCESS_KEY', []],
    ['NPM_TOKEN', []],
    ['LLAVERO_PROXY_PASSWORD', []],
    ['LLAVERO_DATABASE_URL', []],
    // The command itself looks for the account that it was given.
    ['LLAVERO_CHECK_PASSWORD', ['LLAVERO_CHECK_PASSWORD']],
  ])('does not read %s since a file names it, says so, and sends nothing', async (variable, looked) => {
    const server = await startSilent();
    for (const named of [
      { headers: { 'X-Key': variable } },
      { interface: 'supabase-gotrue', variables: { apikey: variable } },
    ]) {
      const file = await written({ name: 'evil', address: server.origin, ...named });
      const account = { LLAVERO_CHECK_EMAIL: 'ana@example.test', LLAVERO_CHECK_PASSWORD: 'correct-horse-9' };
      const { env, read } = watched({ ...account, [variable]: 'the-secret-of-ci' });
      const { code, out, err } = await check(['--servers', file, '--server', 'evil', ...only], { env });
      expect(code).toBe(2);
      expect(err).toContain(`wants the variable ${variable} for`);
      expect(err).toContain('It was not read');
      expect(out + err).not.toContain('the-secret-of-ci');
      expect([...read].filter((name) => name === variable)).toEqual(looked);
    }
    expect(server.requests).toEqual([]);
  });

  it('reads another variable where its own line allows it, for the header of that name alone', async () => {
    const server = await startSilent();
    const file = await written({
      name: 'gate',
      address: server.origin,
      headers: { 'X-Key': 'CI_GATE_KEY', 'X-Two': 'CI_GATE_KEY' },
    });
    const env = { CI_GATE_KEY: 'gate-secret-91c4' };
    const pinned = ['--servers', file, '--server', 'gate', '--origin', server.origin];
    const args = [...pinned, ...only, ...quickly, '--header', 'x-key=CI_GATE_KEY'];
    expect((await check(args, { env })).err).toContain('Allow it with --header X-Two=CI_GATE_KEY.');
    expect(server.requests).toEqual([]);
    await check([...args, '--header', 'X-Two=CI_GATE_KEY'], { env });
    expect(server.requests.length).toBeGreaterThan(0);
    for (const { raw } of server.requests) expect(raw).toContain('x-key: gate-secret-91c4');
  });

  it.each([
    ['no server', [], 'has “staging” and “shop”: choose one with --server.'],
    ['no server, in Spanish', ['--lang', 'es'], 'tiene “staging” y “shop”: elige uno con --server.'],
    ['a server that there is not', ['--server', 'stag'], 'has no server “stag”; it has “staging” and “shop”.'],
    ['a production server', ['--server', 'shop'], '“shop” of the file of servers'],
    ['a variable that is not set', ['--server', 'staging'], 'The variable LLAVERO_GATE, which the file'],
    ['an address beside it', ['localhost:8000', '--server', 'staging'], 'cannot be given together with --servers'],
    [
      'an interface beside it',
      ['--server', 'staging', '--interface', 'strapi'],
      'Only one of the options --servers and --interface can be given.',
    ],
  ])('says in one sentence what is wrong with %s, and sends nothing', async (_what, more, sentence) => {
    const server = await startSilent();
    const file = await written(
      { name: 'staging', address: server.origin, headers: { 'X-Gate': 'LLAVERO_GATE' } },
      { name: 'shop', address: server.origin, production: true },
    );
    const { code, err } = await check(['--servers', file, ...more]);
    const [, ...others] = err.trimEnd().replace('\nUse --help to list the options.', '').split('\n');
    expect({ code, lines: others.length + 1 }).toEqual({ code: 2, lines: 1 });
    expect(err).toContain(sentence);
    expect(server.requests).toEqual([]);
  });

  it('names the file and the place of what is wrong, and takes no --server without a file', async () => {
    const file = await written({ name: 'x', address: 'https://a:b@x.test' });
    expect(await check(['--servers', file, '--server', 'x'])).toMatchObject({
      code: 2,
      err: `The file of servers “${file}” cannot be used: servers.0.address has a user name or a password in it, and no file holds those.\n`,
    });
    expect((await check(['--server', 'x'])).err).toContain('The option --server needs --servers FILE.\n');
  });
});

describe('the origin that a command sends secrets to', () => {
  const account = { LLAVERO_CHECK_EMAIL: 'ana@example.test', LLAVERO_CHECK_PASSWORD: 'correct-horse-9' };

  /** Runs a command whose names are not looked up, and tells which would have been. */
  async function runAt(address: string, args: string[], { env = account, entry = {}, run = check }: Run = {}) {
    const names: string[] = [];
    const look = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, _options: object, tell: Told) => {
      names.push(name);
      tell(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
    }) as unknown as typeof dns.lookup);
    onTestFinished(() => look.mockRestore());
    const file = await written({ name: 'staging', address, ...entry });
    const { code, err } = await run(['--servers', file, '--server', 'staging', ...args, ...only, ...quickly], { env });
    return { code, names, err: err.replaceAll(file, 'FILE') };
  }
  type Told = (error: Error) => void;
  type Run = {
    env?: NodeJS.ProcessEnv;
    entry?: object;
    run?: (args: string[], given: { env: NodeJS.ProcessEnv }) => Promise<{ code: number; err: string }>;
  };
  const refused = { code: 2, names: [] };

  it.each<[what: string, args: string[], run: Run]>([
    ['an account of the environment', [], {}],
    [
      'an account whose password is on standard input',
      ['--email', 'ana@example.test', '--password-stdin'],
      { env: {} },
    ],
    ['a header that it names', ['--header', 'X-Gate=GATE'], { env: { GATE: 'gate-secret-91c4' } }],
    [
      'a header that the file names',
      [],
      { env: { LLAVERO_GATE: 'gate-secret-91c4' }, entry: { headers: { 'X-Gate': 'LLAVERO_GATE' } } },
    ],
    [
      'a variable that the file names',
      [],
      {
        env: { LLAVERO_KEY: 'anon-key-of-the-project' },
        entry: { interface: 'supabase-gotrue', variables: { apikey: 'LLAVERO_KEY' } },
      },
    ],
    [
      'a variable that it names',
      ['--var', 'apikey=KEY'],
      { env: { KEY: 'anon-key-of-the-project' }, entry: { interface: 'supabase-gotrue' } },
    ],
    ['an account, for mock', [], { run: runMock }],
  ])('has to be on the line where a file names the address: %s', async (_what, args, run) => {
    const { err, ...rest } = await runAt('https://staging.example.test/app', args, run);
    expect(rest).toEqual(refused);
    expect(err).toBe(
      '“staging” of the file of servers “FILE” is at https://staging.example.test, and nothing was sent: an account, a header or a variable goes only to an origin that is named on the command line. If they may go there, add --origin https://staging.example.test.\n',
    );
    const elsewhere = await runAt('https://staging.example.test/app', ['--origin', 'https://other.test', ...args], run);
    expect(elsewhere).toMatchObject({ ...refused, err: expect.stringContaining('--origin names https://other.test') });
  });

  it('is asked for in Spanish too, and a wrong one is told without any secret', async () => {
    expect((await runAt('https://staging.example.test', ['--lang', 'es'])).err).toContain('añade --origin https://');
    const wrong = ['--lang', 'es', '--origin', 'https://other.test'];
    expect((await runAt('https://staging.example.test', wrong)).err).toContain('--origin nombra https://other.test');
  });

  it.each([
    ['https://staging.example.test', 'http://staging.example.test'],
    ['https://staging.example.test', 'https://staging.example.test:8443'],
    ['https://staging.example.test', 'https://staging.example.test.evil.test'],
    ['https://staging.example.test', 'https://evil.test/staging.example.test'],
    ['https://staging.example.test', 'https://xstaging.example.test'],
    ['https://staging.example.test', 'https://sub.staging.example.test'],
    // A Cyrillic а.
    ['https://staging.example.test', 'https://st\u0430ging.example.test'],
    ['http://localhost:8000', 'http://127.0.0.1:8000'],
    ['http://127.0.0.1:8000', 'http://[::1]:8000'],
    ['http://127.0.0.1:8000', 'http://[::ffff:127.0.0.1]:8000'],
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8001'],
  ])('%s is not the origin of %s', async (origin, address) => {
    expect(await runAt(address, ['--origin', origin])).toMatchObject(refused);
  });

  it.each([
    'https://staging.example.test@evil.test',
    'https://a:b@staging.example.test',
    'https://evil.test\\@staging.example.test',
    'https:staging.example.test',
    '//staging.example.test',
    'https:\\\\staging.example.test',
    'ftp://staging.example.test',
  ])('no address of a file is %s, whatever the line names', async (address) => {
    expect(await runAt(address, ['--origin', 'https://staging.example.test'])).toMatchObject(refused);
  });

  it.each([
    ['', 'nothing'],
    ['staging', 'the name of a server'],
    ['staging.example.test', 'no scheme'],
    ['https://staging.example.test/app', 'a path'],
    ['https://staging.example.test?x=1', 'a query'],
    ['https://staging.example.test#x', 'a fragment'],
    ['https://good.test@staging.example.test', 'user info'],
    ['https://staging.example.test\\@good.test', 'a backslash'],
    ['https://staging.example.test, https://other.test', 'two in one'],
    ['https://*.example.test', 'a pattern'],
    ['https://staging.example.test\nhttps://other.test', 'a line break'],
    ['null', 'the origin of no page'],
    ['*', 'any'],
  ])('--origin does not take %j: %s', async (origin) => {
    const ended = await runAt('https://staging.example.test', [`--origin=${origin}`]);
    expect(ended).toMatchObject({ ...refused, err: expect.stringContaining('The option --origin takes a scheme') });
    expect(ended.err).not.toContain('good.test@');
  });

  it.each([
    ['https://STAGING.Example.test', 'HTTPS://staging.example.test:443/'],
    ['https://staging.example.test/app', 'https://staging.example.test'],
    // The dot at the end of a host is left out of the request as well.
    ['https://staging.example.test.', 'https://staging.example.test'],
    ['https://staging.example.test', 'https://staging.example.test.'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://staging.example.test:80', 'http://staging.example.test'],
  ])('%s is at the origin %s, which may be one of several', async (address, origin) => {
    const { names } = await runAt(address, ['--origin', 'https://other.test', '--origin', origin]);
    expect(names).toEqual([new URL(origin).hostname.replace(/\.$/, '')]);
  });

  it('is not asked for without a secret, and counts where it is named', async () => {
    // No name is looked up from here on.
    const dead = `http://127.0.0.1:${await closedPort()}`;
    expect((await runAt('https://staging.example.test', [], { env: {} })).names).toEqual(['staging.example.test']);
    const other = ['--origin', 'https://other.test'];
    expect(await runAt('https://staging.example.test', other, { env: {} })).toMatchObject(refused);
    const typed = await check([`${dead}/app`, ...other]);
    expect(typed).toMatchObject({ code: 2, err: expect.stringContaining('is not at an origin that --origin names') });
    expect((await check([`${dead}/app`, '--origin', dead])).code).toBe(3);
  });

  it('gets the account and the headers, and nobody else does', async () => {
    const server = await startSilent();
    const env = { ...account, LLAVERO_GATE: 'gate-secret-91c4' };
    const entry = { headers: { 'X-Gate': 'LLAVERO_GATE' } };
    const file = await written({ name: 'staging', address: server.origin, ...entry });
    const args = ['--servers', file, '--server', 'staging', ...only, ...quickly];
    expect((await check([...args, '--origin', 'http://127.0.0.1:1'], { env })).code).toBe(2);
    expect(server.requests).toEqual([]);
    await check([...args, '--origin', server.origin], { env });
    expect(server.requests.map(({ raw }) => raw).join('')).toMatch(/x-gate: gate-secret[^]*correct-horse-9/i);
  });
});

it('mock measures the server of a file, and refuses a production server', async () => {
  const { service } = await startBuiltInServer({}, { isEmpty: true });
  const file = await written(
    { name: 'local', address: service.baseUrl },
    { name: 'shop', address: service.baseUrl, production: true },
  );
  const mock = (name: string) =>
    runMock(['--servers', file, '--server', name, '--compare-only', ...only, ...quickly], { env: {} });
  expect(await mock('shop')).toMatchObject({ code: 2, err: expect.stringContaining('is a production server') });
  const { code, err } = await mock('local');
  expect([0, 1]).toContain(code);
  expect(err).toMatch(new RegExp(`^“local” of .*: ${service.baseUrl}\n`));
});

it('serve answers by the interface of a server in a file, and asks for none of its secrets', async () => {
  const interfaced = {
    name: 'gotrue',
    address: 'https://x.test',
    interface: 'supabase-gotrue',
    variables: { apikey: 'GITHUB_TOKEN' },
  };
  const file = await written(interfaced);
  const run = serve(['--port', '0', '--data', serveFolder(), '--servers', file, '--server', 'gotrue']);
  const { baseUrl } = await run.ready();
  const made = await fetch(`${baseUrl}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: ada.email, password: ada.password, data: { name: ada.name } }),
  });
  expect(made.status).toBeLessThan(300);
  expect((await postJson(baseUrl, 'login', ada)).status).toBe(404);
  const missing = serve(['--port', '0', '--data', serveFolder(), '--servers', file]);
  expect(await missing.ended).toMatchObject({ code: 3, err: expect.stringContaining('has “gotrue”: choose one') });
});
