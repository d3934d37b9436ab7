import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readReport } from '../../../main/check/reports/json-report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startService } from '../../../main/service/server.ts';
import { closedPort } from '../../support/closed-port.ts';

const project = path.resolve(import.meta.dirname, '../../..');
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Runs a command as a person or a script does, without a display. Its standard input stays open after `typed`. */
function run(command: string, args: string[], typed = '') {
  const { ELECTRON_RUN_AS_NODE: _asNode, DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  // It has a process group of its own, which a Ctrl-C goes to.
  const child = spawn(command, args, { cwd: project, env, stdio: 'pipe', detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  onTestFinished(() => void child.kill('SIGKILL'));
  // The command may end without having read its input.
  child.stdin.on('error', () => undefined).write(typed);
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, ...texts }));
  return {
    ended,
    terminate: () => void child.kill('SIGTERM'),
    pressCtrlC: () => void process.kill(-pid, 'SIGINT'),
    said: async (text: string): Promise<void> => {
      while (!texts.err.includes(text)) {
        const end = await Promise.race([once(child.stderr, 'data').then(() => undefined), ended]);
        if (end) throw new Error(`It ended before it said "${text}": ${JSON.stringify(end)}`);
      }
    },
  };
}

const npm = (...args: string[]) => run('npm', ['run', 'check', '--', ...args]);
/** Starts Electron as the launcher of the package starts the packaged program. */
const electronTyped = (typed: string, ...args: string[]) =>
  run(process.execPath, [project, ...asRoot, '--ozone-platform=headless', ...args], typed);
const electron = (...args: string[]) => electronTyped('', ...args);

async function service(): Promise<string> {
  const started = await startService({ port: 0, database: { file: ':memory:' } });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return started.service.baseUrl;
}

/** Starts a service that has one account, and returns the options and the password of a check with it. */
async function withAccount() {
  const [name, email, password] = ['Rosa', 'rosa@example.test', 'a good password'];
  const baseUrl = await service();
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name, email, password });
  await fetch(`${baseUrl}/api/v1/auth/registro`, { method: 'POST', headers, body });
  return { args: [baseUrl, '--only', 'profile.own-user', '--email', email, '--password-stdin'], password };
}

describe('npm run check', () => {
  it('ends with 0 at our own service', async () => {
    const { code, out } = await npm(await service(), '--only', 'login.answer').ended;
    expect(code).toBe(0);
    expect(out).toContain('| Success status (login) | 200 |');
  });

  it.each(['pressCtrlC', 'terminate'] as const)('ends with a report of what was done on %s', async (how) => {
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const command = npm(await service(), '--report', `json=${file}`);
    await command.said('3/');
    command[how]();
    await command.ended;
    // npm may end before what it started. The file is there when that has ended.
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('');
    const read = readReport(await readFile(file, 'utf8'));
    expect(read.ok && read.report.ended).toEqual({ kind: 'cancelled' });
  });

  it('writes a report that the built schema takes, and a broken one it refuses', async () => {
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const { code } = await npm(await service(), '--only', 'login.answer', '--report', `json=${file}`).ended;
    expect(code).toBe(0);
    const json = async (name: string): Promise<object> =>
      z.looseObject({}).parse(JSON.parse(await readFile(name, 'utf8')));
    const schema = (name: string) => json(path.join(project, 'dist/main/schemas', name));
    const validate = new Ajv2020({ validateFormats: false })
      .addSchema(await schema('model-1.json'))
      .compile(await schema('report-1.json'));
    const report = await json(file);
    expect(validate(report) || validate.errors).toBe(true);
    expect(validate({ ...report, ended: { kind: 'exploded' } })).toBe(false);
  });
});

describe('the application without a display', () => {
  it('runs a check as the command does', async () => {
    const { code, err } = await electron('check', `http://127.0.0.1:${await closedPort()}`).ended;
    expect(code).toBe(3);
    expect(err).toContain('nothing responds at the address');
  });

  it('reads a password from standard input, which nobody ends', async () => {
    const { args, password } = await withAccount();
    const { code, out, err } = await electronTyped(`${password}\n`, 'check', ...args).ended;
    expect(code).toBe(0);
    expect(err).toContain('passed: The profile belongs to the logged-in user');
    expect(out + err).not.toContain(password);
  });

  it('ends on Ctrl-C while it waits for a password', async () => {
    const { args } = await withAccount();
    const { pressCtrlC, said, ended } = electron('check', ...args);
    await said('password');
    pressCtrlC();
    expect((await ended).code).toBe(1);
  });

  it('opens no window', async () => {
    const { code, err } = await electron().ended;
    expect(code).toBe(2);
    expect(err).toContain('A window needs a display');
  });
});
