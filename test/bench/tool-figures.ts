import { execFile } from 'node:child_process';
import path from 'node:path';
import { figure, type Figure, type Measure } from './figures.ts';
import { startPeer } from './peers/start-peer.ts';
import { defectNames } from '../../preload/contract/names.ts';
import { projectRoot } from './windows.ts';

const folder = path.join(import.meta.dirname, 'tools');
const packages = path.join(folder, 'node_modules');

const withNewman = path.join(packages, 'newman/bin/newman.js');
const withBruno = path.join(packages, '@usebruno/cli/bin/bru.js');
const collection = path.join(folder, 'collection.postman.json');
const cli = path.join(projectRoot, 'dist/cli/cli.js');

/** Each tool's command for a server, as a person would type it. */
const tools: Record<string, (baseUrl: string) => string[]> = {
  newman: (baseUrl) => ['node', withNewman, 'run', collection, '--env-var', `baseUrl=${baseUrl}`],
  Bruno: (baseUrl) => ['node', withBruno, 'run', '--env', 'server', '--env-var', `baseUrl=${baseUrl}`],
  'llavero check': (baseUrl) => [process.execPath, cli, 'check', baseUrl, '--rate', '100', '--fail-on', 'low'],
};

type Run = { passed: boolean; wall: number; cpu: number };

/** Runs a command in the folder of Bruno's collection, and says what it took in milliseconds. */
async function run(command: string[]): Promise<Run> {
  const began = performance.now();
  const script = '"$@" >/dev/null 2>&1; code=$?; times; exit $code';
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', script, 'sh', ...command], { cwd: path.join(folder, 'bruno') }, (error, stdout) => {
      const wall = performance.now() - began;
      // The second line has the processor time of what the shell has run, as in `0m1.230s 0m0.100s`.
      const [, user, system] = /\n\d+m([\d.]+)s \d+m([\d.]+)s/.exec(stdout) ?? [];
      // 1 says that a check failed; all else that it could not be made.
      if (user === undefined || (error && error.code !== 1))
        reject(new Error(`${command.join(' ')} ended with ${String(error?.code)}`));
      else resolve({ passed: !error, wall, cpu: (Number(user) + Number(system)) * 1000 });
    });
  });
}

/** Measures what each tool takes at a right server, in turns, and counts the servers with one planted fault that it fails. */
export const measureTools: Measure = async ({ runs, folder: temporary, say }) => {
  const right = await startPeer('service', { file: path.join(temporary, 'right.sqlite') });
  const took = new Map<string, Run[]>(Object.keys(tools).map((name) => [name, []]));
  const found = new Map<string, string[]>(Object.keys(tools).map((name) => [name, []]));
  try {
    for (let turn = -1; turn < runs; turn++) {
      for (const [name, command] of Object.entries(tools)) {
        const ended = await run(command(right.baseUrl));
        if (!ended.passed) throw new Error(`${name} fails the right server`);
        if (turn < 0) continue;
        took.get(name)?.push(ended);
        say(`${name}, run ${turn + 1} of ${runs}: ${ended.wall.toFixed(0)} ms`);
      }
    }
  } finally {
    await right.close();
  }
  const faults = defectNames;
  for (const wrong of faults) {
    const server = await startPeer('service', { file: path.join(temporary, `${wrong}.sqlite`), wrong });
    try {
      for (const [name, command] of Object.entries(tools))
        if (!(await run(command(server.baseUrl))).passed) found.get(name)?.push(wrong);
    } finally {
      await server.close();
    }
  }
  for (const [name, all] of found) say(`${name} finds ${all.length} of ${faults.length}: ${all.join(', ')}`);
  return Object.keys(tools).flatMap((name): Figure[] => [
    figure(
      `${name}, wall`,
      'ms',
      took.get(name)!.map(({ wall }) => wall),
    ),
    figure(
      `${name}, processor`,
      'ms',
      took.get(name)!.map(({ cpu }) => cpu),
    ),
    figure(`${name}, planted faults found of ${faults.length}`, 'faults', [found.get(name)!.length]),
  ]);
};
