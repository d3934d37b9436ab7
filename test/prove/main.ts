import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVirtualDisplay } from '../../scripts/virtual-display.mjs';
import { methodNames } from '../../preload/contract/channels.ts';
import { makeCertificate } from '../support/certificates.ts';
import { whyNoScreenReader } from '../support/orca/screen-reader.ts';
import { proveCrash, withDatabase, type Engine } from './crash.ts';
import { proveCrashLogins } from './crash-logins.ts';
import { proveFiles } from './files.ts';
import { proveFuzz } from './fuzz.ts';
import { HELP } from './help.ts';
import { proveIpc } from './ipc.ts';
import './json-modules.ts';
import { costChanges, proveLoginTimes } from './login-times.ts';
import { proveOrca } from './orca.ts';
import { cannotTryPackages, provePackages } from './packages.ts';
import { provePage } from './page.ts';
import { proveRenewals } from './renewals.ts';
import { proveSlow } from './slow.ts';
import { costsBesideParse, machine, slowRows } from './slow-rows.ts';
import { proveSoak } from './soak.ts';

const options = {
  engine: { type: 'string' },
  rounds: { type: 'string' },
  operations: { type: 'string' },
  minutes: { type: 'string' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  calls: { type: 'string' },
  combinations: { type: 'string' },
  only: { type: 'string' },
  part: { type: 'string' },
  renew: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function readArgs() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(sentence: string): never {
  say(`${sentence}\n\n${HELP}`);
  process.exit(2);
}

const { values, positionals } = readArgs();

function numberOf(
  name: 'rounds' | 'operations' | 'minutes' | 'seconds' | 'seed' | 'calls' | 'combinations',
  otherwise: number,
): number {
  const number = Number(values[name] ?? otherwise);
  return number >= 0 ? number : refuse(`The option --${name} takes a number.`);
}

const seed = numberOf('seed', Math.floor(Math.random() * 1e9));
const folder = mkdtempSync(join(tmpdir(), 'llavero-prove-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const print = (summary: object): void => void process.stdout.write(`${JSON.stringify(summary)}\n`);

async function crash(engine: Engine): Promise<boolean> {
  const rounds = numberOf('rounds', engine === 'sqlite' ? 100 : 20);
  const operations = numberOf('operations', 10_000);
  say(`crash: ${engine}, ${rounds} rounds, at least ${operations} operations, minimal Argon2, --seed ${seed}`);
  const summary = await withDatabase(engine, folder, (database, server) =>
    proveCrash({
      engine,
      database,
      ...(server && { server }),
      rounds,
      operations,
      seed,
      onRound: (round, { acknowledged, lost }) => {
        if ((round + 1) % 10 === 0) say(`  round ${round + 1}: ${acknowledged} acknowledged, ${lost} lost`);
      },
    }),
  );
  print(summary);
  return summary.lost === 0 && summary.rounds === rounds;
}

async function crashLogins(): Promise<boolean> {
  const rounds = numberOf('rounds', 100);
  say(`crash-logins: ${rounds} kills within half a second of the answer, and each write point, --seed ${seed}`);
  const summary = await proveCrashLogins({
    folder,
    rounds,
    points: values.only === undefined || values.only === 'points',
    seed,
    onRound: (round, number) => say(`  ${number}: ${JSON.stringify(round)}`),
  });
  print(summary);
  return summary.lost === 0;
}

async function soak(engine: Engine): Promise<boolean> {
  const minutes = numberOf('minutes', 10);
  say(`soak: ${engine}, ${minutes} minutes, minimal Argon2`);
  const summary = await proveSoak({
    engine,
    database: { file: join(folder, 'soak.sqlite') },
    minutes,
    onProgress: ({ seconds, requests, errors, memoryMostMB }) => {
      if (Math.floor(seconds / 10) % 6 === 0)
        say(`  ${seconds} s: ${requests} requests, ${errors} errors, ${memoryMostMB} MB`);
    },
  });
  print(summary);
  return summary.errors === 0;
}

async function fuzz(): Promise<boolean> {
  const seconds = numberOf('seconds', 60);
  say(`fuzz: ${seconds} s, --seed ${seed}`);
  const summary = await proveFuzz({ seed, seconds });
  print(summary);
  return summary.faults === 0;
}

async function files(): Promise<boolean> {
  say(`files: --seed ${seed}`);
  const summary = await proveFiles({
    ...(values.rounds !== undefined && { rounds: numberOf('rounds', 0) }),
    seed,
    onRound: (_round, { rounds, lost, findings }) => {
      if (rounds % 100 === 0) say([`  round ${rounds}: ${lost} lost`, ...findings].join('\n  '));
    },
  });
  print(summary);
  return summary.lost === 0;
}

async function ipc(): Promise<boolean> {
  const calls = numberOf('calls', 10_000);
  say(`ipc: ${calls} calls, --seed ${seed}`);
  const summary = await proveIpc({
    calls,
    seed,
    folder,
    onProgress: ({ calls: made }) => {
      if (made % 1000 === 0) say(`  ${made} calls`);
    },
  });
  print(summary);
  return summary.findings.length === 0;
}

/** The most milliseconds that the main thread may be held. */
const mostHeldMs = 50;

async function slow(): Promise<boolean> {
  const seconds = numberOf('seconds', 300);
  say(`slow: ${seconds} s, --seed ${seed}`);
  say(machine());
  console.table(costsBesideParse());
  const rows = await slowRows(folder);
  console.table(rows);
  const summary = await proveSlow({
    seed,
    seconds,
    folder,
    onSlower: ({ ms, stage, shape }) => say(`  ${ms.toFixed(1)} ms ${stage}: ${JSON.stringify(shape)}`),
  });
  print(summary);
  const holds = rows.filter(({ where }) => where !== 'check').map(({ heldCpuMs }) => heldCpuMs);
  const longest = Math.max(summary.longestHoldMs, summary.slowest?.ms ?? 0, ...holds);
  const ends = rows.filter(({ where }) => where === 'check').map(({ totalMs }) => totalMs);
  say(`check ended ${Math.max(...ends)} ms after the signal at the latest.`);
  say(`The longest hold of main: ${longest} ms; the goal is ${mostHeldMs}.`);
  return longest <= mostHeldMs;
}

async function loginTimes(): Promise<boolean> {
  const rounds = numberOf('rounds', 300);
  let isTold = false;
  for (const [index, [from, to]] of costChanges.entries()) {
    say(`login-times: ${rounds} wrong logins each after change ${index + 1} of ${costChanges.length}`);
    const times = await proveLoginTimes({ file: join(folder, `login-times-${index}.sqlite`), from, to, rounds });
    print(times);
    isTold ||= times.isTold;
  }
  return !isTold;
}

async function page(): Promise<boolean> {
  const rows = numberOf('rounds', 1_000);
  say(`page: all pairs of methods, and ${rows} rows of ten calls, --seed ${seed}`);
  const identities = {
    evilIdentity: makeCertificate({ commonName: 'Evil', names: ['127.0.0.4'] }),
    bankIdentity: makeCertificate({ commonName: 'Bank', names: ['127.0.0.3'] }),
  };
  const onProgress = ({ rows: played, findings }: { rows: number; findings: string[] }): void => {
    if (played % 500 === 0) say([`  ${played} rows`, ...findings].join('\n  '));
  };
  const hot = ['servers', 'sessions', 'session', 'calls'];
  const pairs = await provePage({ ...identities, rows: methodNames.length ** 2, length: 2, seed, folder, onProgress });
  print(pairs);
  const long = await provePage({ ...identities, rows, length: 10, seed, folder, groups: hot, onProgress });
  print(long);
  return pairs.findings.length === 0 && long.findings.length === 0;
}

async function renewals(): Promise<boolean> {
  const seconds = numberOf('seconds', 3600);
  say(`renewals: ${seconds} s, --seed ${seed}`);
  const onProgress = (summary: object): void => say(`  ${JSON.stringify(summary)}`);
  const summary = await proveRenewals({ folder, seconds, seed, onProgress });
  print(summary);
  return summary.findings.length === 0 && summary.logInsAskedFor === 0 && summary.sessionsEnded === 0;
}

async function packages(): Promise<boolean> {
  const reason = cannotTryPackages();
  if (reason !== undefined) refuse(`The packages cannot be tried: ${reason}.`);
  const summary = await provePackages(say);
  print(summary);
  return summary.wrong.length === 0;
}

async function cli(): Promise<boolean> {
  const { proveCli } = await import('./cli.ts');
  const summary = await proveCli(folder, say);
  print(summary);
  return summary.wrong.length === 0;
}

async function axe(): Promise<boolean> {
  const { proveAxe } = await import('./axe.ts');
  const summary = await proveAxe({
    only: values.only ?? '',
    onProgress: ({ screens, looks, findings }) => {
      if (screens % 20 === 0) say([`  ${screens} screens, ${looks} looks`, ...findings].join('\n  '));
    },
  });
  print(summary);
  return summary.violations === 0 && summary.looks > 0;
}

async function secrets(): Promise<boolean> {
  const { proveSecrets } = await import('./secrets.ts');
  const servers = numberOf('combinations', 6000);
  say(`secrets: ${servers} hostile servers, --seed ${seed}`);
  const summary = proveSecrets({ seed, servers });
  print(summary);
  return summary.leaks.length === 0;
}

async function findings(): Promise<boolean> {
  const { proveFindings, targetNames } = await import('./findings.ts');
  const names = targetNames.filter((name) => values.only?.split(',').includes(name) ?? true);
  if (names.length === 0) refuse(`There is no such server: the option --only takes some of ${targetNames.join()}.`);
  const runs = numberOf('rounds', 20);
  say(`findings: ${runs} runs each at ${names.join(', ')}`);
  const onRun = (name: string, found: readonly string[]): void => say(`  ${name}: ${found.join(', ') || 'nothing'}`);
  const summaries = await proveFindings({ names, runs, folder, onRun });
  for (const summary of summaries) print(summary);
  return summaries.every(({ right }) => right === runs);
}

async function stock(): Promise<boolean> {
  const { proveStock, whyNoStock } = await import('./stock.ts');
  const reason = whyNoStock();
  if (reason !== undefined) refuse(`No stock server can be run: ${reason}.`);
  const summary = await proveStock({ folder, say });
  print(summary);
  return summary.wrong.length === 0;
}

async function faults(): Promise<boolean> {
  const { chosenFaults, faultTable, proveFaults, unplantable } = await import('./faults.ts');
  const { plantedFaults } = await import('./planted-faults.ts');
  const planted = chosenFaults(plantedFaults, values.only, values.part);
  if (!planted) refuse('The option --part takes two numbers, such as 2/4.');
  if (planted.length === 0) refuse('The option --only takes a text of a file, a fault or a test.');
  const wrong = await unplantable(plantedFaults);
  for (const sentence of wrong) say(sentence);
  if (wrong.length > 0) return false;
  say(`faults: ${planted.length} of ${plantedFaults.length}, after their tests without any`);
  const { outcomes, unsound } = await proveFaults({
    planted,
    folder,
    onOutcome: ({ planted: { fault, file }, came, why, seconds }) =>
      say(`  ${came}, ${seconds} s: ${file}: ${fault}${why === '' ? '' : ` (${why})`}`),
  });
  for (const file of unsound) say(`${file} fails, or runs no test, without any fault.`);
  process.stdout.write(`${faultTable(outcomes)}\n`);
  return unsound.length === 0 && outcomes.every(({ came }) => came === 'found');
}

const doubles = async (): Promise<boolean> =>
  (await import('./double-commands.ts')).doubles({ only: values.only, say, print, refuse });

const doubleLoad = async (): Promise<boolean> =>
  (await import('./double-commands.ts')).doubleLoad({ folder, seed, rounds: numberOf('rounds', 100), print });

async function servers(): Promise<boolean> {
  const { proveServers } = await import('./servers.ts');
  const { serverNames } = await import('../servers/start-server.ts');
  const names: readonly string[] = serverNames;
  const only = values.only?.split(',') ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) refuse(`There is no server ${unknown}: the option --only takes some of ${names.join()}.`);
  say(`servers: ${only.join(', ')}`);
  const { table, ...summary } = await proveServers({ only, folder, onCompared: print });
  print(summary);
  say(table);
  return summary.code === 0 && summary.slow.length === 0;
}

async function orca(): Promise<boolean> {
  const why = await whyNoScreenReader();
  if (why !== undefined) {
    say(`orca: not proved, since ${why}.`);
    return false;
  }
  const display = await startVirtualDisplay();
  const summary = await proveOrca({
    folder,
    display: display.env.DISPLAY,
    renew: values.renew === true,
    onStep: ({ step, said }) => say([`  ${step}`, ...said].join('\n    ')),
  });
  display.close();
  print(summary);
  return summary.findings.length === 0;
}

const proofs: Partial<Record<string, (engine: Engine) => Promise<boolean>>> = {
  axe,
  cli,
  crash,
  'crash-logins': crashLogins,
  mocks: doubles,
  'mock-load': doubleLoad,
  soak,
  findings,
  faults,
  fuzz,
  files,
  ipc,
  slow,
  'login-times': loginTimes,
  orca,
  packages,
  page,
  renewals,
  secrets,
  servers,
  stock,
};
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const proof = proofs[positionals[0] ?? ''] ?? refuse('The name of a proof is missing or unknown.');
const { engine } = values;
if (engine !== undefined && engine !== 'sqlite' && engine !== 'postgres')
  refuse('The option --engine takes sqlite or postgres.');

// What a crash loses is the database's, so each of them is tried.
const engines: Engine[] = engine === undefined ? (proof === crash ? ['sqlite', 'postgres'] : ['sqlite']) : [engine];
let isGood = true;
for (const each of engines) isGood = (await proof(each)) && isGood;
process.exit(isGood ? 0 : 1);
