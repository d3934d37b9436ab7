import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { findPostgres, startPostgres } from '../../scripts/postgres.mjs';
import { verifyMock } from '../../main/check/mock-generator/verify-mock.ts';
import { shippedInterface } from '../../main/interface/shipped.ts';
import { journey, wantedSteps } from '../support/described-journey.ts';
import { outsideVitest } from '../support/outside-vitest.ts';
import { measureAndLearn, sayDifference, startMemoryMock } from './mocks.ts';
import { folder, given, print, refuse, say } from './given.ts';

/** That its own packages agree on: of 5.55.1 the registry has only some. */
const packages = {
  '@strapi/strapi': '5.54.0',
  '@strapi/plugin-users-permissions': '5.54.0',
  pg: '8.23.1',
  // The admin panel asks for these, although it is off.
  react: '^18.0.0',
  'react-dom': '^18.0.0',
  'react-router-dom': '^6.0.0',
  'styled-components': '^6.0.0',
};

const startWithinMs = 120_000;
const run = promisify(execFile);
const secret = (): string => randomBytes(24).toString('hex');

/** Says why a stock server cannot be run here. */
const whyNoStock = (): string | undefined =>
  findPostgres() ? undefined : 'PostgreSQL is not installed; on Debian: apt-get install postgresql';

/** Installs Strapi into a folder, as its guide does it by hand, and without the scripts of its packages. */
async function installStrapi(folder: string): Promise<void> {
  const config = {
    admin: {
      auth: { secret: secret() },
      apiToken: { salt: secret() },
      transfer: { token: { salt: secret() } },
      secrets: { encryptionKey: secret().slice(0, 32) },
      serveAdminPanel: false,
    },
  };
  for (const each of ['config', 'src', 'public/uploads']) await mkdir(path.join(folder, each), { recursive: true });
  const manifest = { name: 'stock', version: '1.0.0', private: true, dependencies: packages };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'config/admin.json'), JSON.stringify(config.admin));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options], { cwd: folder });
}

/** Starts what is installed in a folder, with a PostgreSQL of its own. */
async function startStrapi(folder: string) {
  const postgres = await startPostgres();
  const port = await freePort();
  const config = {
    server: { host: '127.0.0.1', port, app: { keys: [secret()] } },
    database: { connection: { client: 'postgres', connection: { connectionString: postgres.url } } },
  };
  for (const [name, values] of Object.entries(config))
    await writeFile(path.join(folder, `config/${name}.json`), JSON.stringify(values));
  const program = path.join(folder, 'node_modules/@strapi/strapi/bin/strapi.js');
  const { ELECTRON_RUN_AS_NODE: _, ...env } = outsideVitest();
  const child = spawn('node', [program, 'start'], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production', JWT_SECRET: secret(), STRAPI_TELEMETRY_DISABLED: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const close = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await postgres.stop();
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await untilAnswered(child, baseUrl);
  } catch (error) {
    await close();
    throw new Error(`Strapi did not start. It said:\n${said}`, { cause: error });
  }
  return { baseUrl, close };
}

async function untilAnswered(child: ChildProcess, baseUrl: string): Promise<void> {
  const until = Date.now() + startWithinMs;
  while (
    !(await fetch(baseUrl).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    if (Date.now() > until) throw new Error(`It took no connection within ${startWithinMs} ms.`);
    await wait(200);
  }
}

/** Strapi says a refused password back, which no mock server does: its model holds none. */
const echoedPasswords = 'errors.secrets-sent';

type StockSummary = {
  name: 'stock';
  server: string;
  journey: Record<string, string>;
  mockJourney: Record<string, string>;
  run: { ended: string; rules: Record<string, number>; findings: string[]; calls: number; seconds: number };
  mock: { compared: number; differences: string[] };
  wrong: string[];
};

/** Proves the description of Strapi against Strapi itself: a journey, a check, and a mock server with the same journey. */
async function proveStock(): Promise<StockSummary> {
  const description = await shippedInterface('strapi');
  if (!description) throw new Error('There is no description of Strapi.');
  const app = path.join(folder, 'strapi');
  say('stock: installing Strapi, 700 MB, which takes minutes');
  await installStrapi(app);
  const manifest = await readFile(path.join(app, 'node_modules/@strapi/strapi/package.json'), 'utf8');
  const [, version = ''] = /"version": "([^"]+)"/.exec(manifest) ?? [];
  const server = await startStrapi(app);
  try {
    const steps = await journey(description, server.baseUrl);
    say(`stock: ${JSON.stringify(steps)}`);
    // It takes five log-ins of an email a minute, and the run waits for them.
    const began = performance.now();
    const { report, model } = await measureAndLearn(server.baseUrl, {
      interface: description,
      options: { callsPerSecond: 5 },
    });
    const seconds = Math.round((performance.now() - began) / 1000);
    const mockServer = await startMemoryMock(model);
    try {
      const mockSteps = await journey(description, mockServer.baseUrl);
      const { comparison } = await verifyMock(report, mockServer.baseUrl, { interface: description });
      const differences = comparison.differences
        .filter(({ caseId }) => caseId !== echoedPasswords)
        .map((each) => sayDifference(each));
      const rules = Object.groupBy(
        report.cases.filter(({ kind }) => kind === 'stated'),
        ({ outcome }) => outcome,
      );
      const isAsWanted = (all: object): boolean => isDeepStrictEqual(all, wantedSteps(description));
      return {
        name: 'stock',
        server: `Strapi ${version}`,
        journey: steps,
        mockJourney: mockSteps,
        run: {
          ended: report.ended.kind,
          rules: Object.fromEntries(Object.entries(rules).map(([outcome, all]) => [outcome, all.length])),
          findings: report.findings.map(({ id }) => id),
          calls: report.calls,
          seconds,
        },
        mock: { compared: comparison.compared, differences },
        wrong: [
          ...(isAsWanted(steps) ? [] : ['journey']),
          ...(isAsWanted(mockSteps) ? [] : ['journey at the mock server']),
          ...(report.ended.kind === 'complete' ? [] : ['check']),
          ...(differences.length === 0 ? [] : ['mock']),
        ],
      };
    } finally {
      await mockServer.close();
    }
  } finally {
    await server.close();
  }
}

given({});

it('the description of Strapi fits Strapi, and a mock of it', async () => {
  const reason = whyNoStock();
  if (reason !== undefined) refuse(`No stock server can be run: ${reason}.`);
  const summary = await proveStock();
  print(summary);
  expect(summary.wrong).toEqual([]);
});
