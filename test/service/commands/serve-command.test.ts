import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { dialects } from '../../../main/service/behaviour/dialects.ts';
import { faultKindNames } from '../../../main/service/behaviour/faults.ts';
import { wrongs } from '../../../main/service/behaviour/wrongs.ts';
import { ada } from '../support/make-service.ts';

// Each case starts processes, and others may use the machine too.
vi.setConfig({ testTimeout: 30_000 });

const Ready = z.object({ baseUrl: z.string() });

const SERVE = fileURLToPath(new URL('../../../main/commands/serve.ts', import.meta.url));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'llavero-serve-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function watch(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...texts }));
  return {
    child,
    ended,
    async ready(): Promise<{ baseUrl: string }> {
      while (!texts.out.includes('\n')) {
        const end = await Promise.race([once(child.stdout!, 'data').then(() => undefined), ended]);
        if (end) throw new Error(`It ended before it was ready: ${JSON.stringify(end)}`);
      }
      return Ready.parse(JSON.parse(texts.out));
    },
  };
}

/** The command as a process of its own, on Electron's own Node like these tests. */
const serve = (args: string[], cwd = tmpdir()) =>
  watch(spawn(process.execPath, [SERVE, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] }));

const post = (baseUrl: string, path: string, body: unknown) =>
  fetch(`${baseUrl}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const BEYOND_LOOPBACK = 'The options --dialect, --fault, --seed and --wrong are for loopback only.';

describe('serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it is in one line of JSON, serves, and ends on %s',
    async (signal) => {
      const data = join(folder(), 'new', 'data');
      const run = serve(['--port', '0', '--data', data]);
      const { baseUrl } = await run.ready();
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await post(baseUrl, 'registro', ada)).status).toBe(201);
      run.child.kill(signal);

      expect(await run.ended).toEqual({
        code: 0,
        signal: null,
        out: `${JSON.stringify({ baseUrl })}\n`,
        err: `The service keeps its accounts in ${join(data, 'service.sqlite')}.\n`,
      });
      expect(readdirSync(data)).toEqual(['service.sqlite']);
      expect(statSync(data).mode & 0o777).toBe(0o700);
    },
  );

  it('keeps accounts from one run to the next, in ./llavero-data unless told otherwise', async () => {
    const cwd = folder();
    const first = serve(['--port=0'], cwd);
    await post((await first.ready()).baseUrl, 'registro', ada);
    first.child.kill('SIGTERM');
    await first.ended;

    const second = serve(['--port', '0', '--data', 'llavero-data'], cwd);
    expect((await post((await second.ready()).baseUrl, 'login', ada)).status).toBe(200);
  });

  it('counts attempts unless told not to', async () => {
    const guess = { email: ada.email, password: 'not the one' };
    const statuses = async (run: ReturnType<typeof serve>) => {
      const { baseUrl } = await run.ready();
      const answers = await Promise.all(Array.from({ length: 7 }, () => post(baseUrl, 'login', guess)));
      return answers.map(({ status }) => status).toSorted((a, b) => a - b);
    };
    expect(await statuses(serve(['--port', '0', '--data', folder()]))).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const off = serve(['--port', '0', '--data', folder(), '--rate-limit', 'off']);
    expect(await statuses(off)).toEqual([401, 401, 401, 401, 401, 401, 401]);
  });

  it('ends when whoever started it with a channel is gone', async () => {
    const child = fork(SERVE, ['--port', '0', '--data', folder()], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const run = watch(child);
    await run.ready();
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['--prot', '1'], "Unknown option '--prot'."],
    [['start'], "Unexpected argument 'start'."],
    [['--port'], /^Option '--port <value>' argument missing\.$/],
    [['--port', 'http'], 'The option --port takes a number from 0 to 65535, not "http".'],
    [['--port', '65536'], 'The option --port takes a number from 0 to 65535, not "65536".'],
    [['--data', ''], 'The option --data takes the path of a folder.'],
    [['--rate-limit', 'no'], 'The option --rate-limit takes "on" or "off", not "no".'],
    [['--listen', '0.0.0.0'], 'The option --listen needs at least one --allow-host beyond loopback.'],
    [['--listen', 'eth0'], 'The option --listen takes an address of this computer, not "eth0".'],
    [['--allow-host', 'a.test:80'], 'The option --allow-host takes a name without a port, not "a.test:80".'],
    [
      ['--listen', '::', '--allow-host', 'a.test', '--rate-limit', 'off'],
      'The option --rate-limit off is for loopback only.',
    ],
    [['--tls-cert', 'a.pem'], 'The options --tls-cert and --tls-key go together.'],
    [
      ['--trust-proxy', '10.0.0.0/33'],
      'The option --trust-proxy takes an address or a network of at least 7 bits, not "10.0.0.0/33".',
    ],
    [['--argon2', 'm=1,t=1,p=1'], 'The option --argon2 takes a cost such as m=19456,t=2,p=1, not "m=1,t=1,p=1".'],
    [['--token-days', '0'], 'The option --token-days takes a number from 1 to 3650, not "0".'],
    [['--login-limit', 'many'], 'The option --login-limit takes a number from 1 to 1000000, not "many".'],
    [['--database', 'mysql://x/y'], /^The URL of the database must have the form postgres:/],
    [['--database', 'postgres://x'], /^The URL of the database must name a host and a database: /],
    [
      ['--database', 'postgres://x/y?sslmode=prefer'],
      /^The sslmode of the database must be one of disable, .*"prefer"/,
    ],
    [['--database', 'postgres://x/y', '--data', 'z'], 'Only one of the options --data and --database can be given.'],
    [['--database', 'postgres://x/y', '--database-connections', '0'], /takes a number from 1 to 1000, not "0"/],
    [['--database-connections', '5'], 'The option --database-connections needs a --database.'],
    [
      ['--dialect', 'klingon'],
      'There is no dialect "klingon", only sanctum, tutorial, error-true, express, nestjs, spring, django, fastapi.',
    ],
    [
      ['--wrong', 'everything'],
      'There is no way to be wrong named "everything", only token-outlives-logout, password-echoed, unknown-email-by-body, unknown-email-by-time, stack-traces, tokens-guessable, cpassword-ignored, password-hash-in-profile.',
    ],
    [['--fault', 'login:418:1'], /^There is no fault "418", only latency, 500, 429, expired, .* drip\.$/],
    [
      ['--fault', 'logout:500:1'],
      /^There is no operation "logout" .*, only registro, register, login, perfil, salir\.$/,
    ],
    [['--seed', '7'], 'The option --seed needs a --fault.'],
    [
      ['--fault', 'login:500:1', '--seed', '-1'],
      /^Option '--seed' argument is ambiguous|^The option --seed takes a number from 0 to 4294967295, not "-1"\.$/,
    ],
    [['--dialect', 'sanctum', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
    [['--wrong', 'stack-traces', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
    [['--fault', 'login:500:1', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
    [['--seed', '7', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
  ])('answers %j with one sentence and the code 2', async (args, sentence) => {
    const cwd = folder();
    const { code, out, err } = await serve(args, cwd).ended;
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd()).toMatch(sentence);
    expect(err.split('\n')).toHaveLength(2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('answers with one sentence and the code 3 when it cannot start', async () => {
    const broken = folder();
    writeFileSync(join(broken, 'service.sqlite'), 'no database, and long enough to be seen as none\n'.repeat(50));
    const running = serve(['--port', '0', '--data', folder()]);
    const port = new URL((await running.ready()).baseUrl).port;
    const file = join(folder(), 'file');
    writeFileSync(file, '');

    for (const [args, sentence] of [
      [['--port', port, '--data', folder()], `Port ${port} is already in use by another program.`],
      [['--port', '0', '--data', broken], 'is damaged (file is not a database)'],
      [['--port', '0', '--data', join(file, 'data')], 'cannot be written: ENOTDIR.'],
    ] as const) {
      const { code, out, err } = await serve([...args]).ended;
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toContain(sentence);
      expect(err.split('\n')).toHaveLength(2);
    }
  });

  it('misbehaves as told, says so, and is as ever at the next start', async () => {
    const data = folder();
    const wrong = ['--dialect', 'sanctum', '--wrong', 'password-echoed', '--wrong', 'stack-traces'];
    const faults = ['--fault', 'registro:500:1', '--fault', 'login:429=9:0.5', '--seed', '7'];
    const bad = serve(['--port', '0', '--data', data, ...wrong, ...faults]);
    const { baseUrl } = await bad.ready();
    expect((await post(baseUrl, 'registro', ada)).status).toBe(500);
    const registered = await post(baseUrl, 'registro', ada);
    expect(await registered.json()).toMatchObject({ token_type: 'Bearer', password: ada.password });
    bad.child.kill('SIGTERM');
    expect((await bad.ended).err.split('\n')[1]).toBe(
      'It misbehaves on purpose: dialect sanctum; faults registro:500:1 login:429=9:0.5 with seed 7; wrong on purpose: password-echoed, stack-traces.',
    );

    const good = serve(['--port', '0', '--data', data]);
    expect(await (await post((await good.ready()).baseUrl, 'login', ada)).json()).toMatchObject({
      token_type: 'Bearer',
    });
    good.child.kill('SIGTERM');
    expect((await good.ended).err).not.toContain('on purpose');
  });

  it('lists every name of what it can be told to do wrong, one in a line', async () => {
    const { out } = await serve(['--help']).ended;
    for (const name of [...Object.keys(dialects), ...Object.keys(wrongs), ...faultKindNames]) {
      expect(out.split('\n').filter((line) => new RegExp(`^ {6}${name}(?:=…)? {2,}\\w`).test(line))).toHaveLength(1);
    }
    expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  it('explains itself', async () => {
    const { code, out, err } = await serve(['--help']).ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('--rate-limit off');
    expect(out.split('\n').filter((line) => line.startsWith('{'))).toEqual([]);
  });
});
