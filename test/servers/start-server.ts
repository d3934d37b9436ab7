import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/free-port.mjs';
import { isInstalled, packagesOf, python, ruby, type Framework } from '../../scripts/frameworks.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const startWithinMs = 60_000;

type Program = {
  command: (port: number) => [string, ...string[]];
  /** Its framework, where npm does not bring it. */
  framework?: Framework;
  build?: () => Promise<unknown>;
};

const withPython = (framework: Framework): Program => ({
  command: () => [python, '-B', path.join(here, framework, 'server.py')],
  framework,
});

/** Runs as our own tests do, on Electron's Node. */
const withNode = (name: string): Program => ({
  command: () => [process.execPath, path.join(here, name, 'server.mjs')],
});

const compiled = path.join(here, 'node_modules/.cache/nestjs/server.js');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

const pumaArgs = ['-S', 'puma', '--quiet', '--environment', 'production'];

const programs = {
  express: withNode('express'),
  fastify: withNode('fastify'),
  nestjs: {
    command: () => [process.execPath, compiled],
    // Nest's decorators are compiled, as `nest build` does it.
    build: () => promisify(execFile)(process.execPath, [compiler, '-b', path.join(here, 'nestjs')], { cwd: root }),
  },
  django: withPython('django'),
  flask: withPython('flask'),
  fastapi: withPython('fastapi'),
  rails: {
    command: (port) => [ruby, ...pumaArgs, '--bind', `tcp://127.0.0.1:${port}`, path.join(here, 'rails/config.ru')],
    framework: 'rails',
  },
} satisfies Record<string, Program>;

const fetched = path.join(root, 'node_modules/.cache/servers/json-server-auth');
const fetching = 'install --no-save --no-audit --no-fund --ignore-scripts json-server@0.17.4 json-server-auth@2.1.0'
  .split(' ')
  .concat('--prefix', fetched);

/** They have no author's file. */
const others = {
  /** These have other interfaces, which come with the application as descriptions. */
  'better-auth': withNode('better-auth'),
  djoser: withPython('djoser'),
  'oauth-toolkit': withPython('oauth-toolkit'),
  /** It is right but for the faults that its environment plants. */
  planted: withNode('planted'),
  /** It is fetched by the proof that imitates it, since nothing else needs its 130 packages. */
  'json-server-auth': {
    ...withNode('json-server-auth'),
    build: () => promisify(execFile)('npm', fetching),
  },
} satisfies Record<string, Program>;

export type ServerName = keyof typeof programs;
export type AnyServer = ServerName | keyof typeof others;
export const serverNames = Object.keys(programs) as ServerName[];

/** Says in a sentence why a server cannot be started here, if it cannot. */
export function whyNot(name: AnyServer): string | undefined {
  const { framework }: Program = { ...programs, ...others }[name];
  if (!framework || isInstalled(framework)) return undefined;
  return `The server ${name} is skipped: not all of Debian's ${packagesOf(framework).join(', ')} are installed.`;
}

/** @property folder where it stores its files */
export type RunningServer = { origin: string; folder: string; stop: () => Promise<void> };

/**
 * Starts a server as a process with a folder of its own, and waits until it takes connections.
 * @param more further variables of its environment
 */
export async function startServer(name: AnyServer, more: Record<string, string> = {}): Promise<RunningServer> {
  const { command, build }: Program = { ...programs, ...others }[name];
  await build?.();
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), `llavero-${name}-`));
  const [program, ...args] = command(port);
  const env = { ...process.env, ...more, ELECTRON_RUN_AS_NODE: '1', PORT: String(port), DATA: folder };
  const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
  const ended = once(child, 'close');
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilListening(child, port);
  } catch (error) {
    await stop();
    throw new Error(`The server ${name} did not start. It said:\n${said}`, { cause: error });
  }
  return { origin: `http://127.0.0.1:${port}`, folder, stop };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + startWithinMs;
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    if (Date.now() > until) throw new Error(`It took no connection within ${startWithinMs} ms.`);
    // A server of another language has no channel on which it could say that it listens.
    await wait(20);
  }
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
