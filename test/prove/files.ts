import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStoredServer, type Config } from '../../main/account/config/config.ts';
import { openConfig } from '../../main/account/config/open-config.ts';
import { backupPathOf } from '../../main/files/recoverable-file.ts';
import { createFileNotices } from '../../main/files/file-notices.ts';
import { Vault } from '../../main/account/vault/vault.ts';
import { createFakeCipher } from '../support/fake-cipher.ts';
import { createSeededRandom } from './random.ts';

const PROCESS = fileURLToPath(new URL('./files-process.ts', import.meta.url));
/** There are fewer points than this, so such a process lives to its end. */
const NEVER = 1_000_000;
const AT_ONCE = 2;

type FilesSummary = {
  name: 'files';
  seed: number;
  rounds: number;
  /** The number of write points of one run, by how the profile was before. */
  points: Record<string, number>;
  kills: number;
  powerCuts: number;
  /** How many files held what was there before the interrupted change (`old`), and how many the change itself. */
  old: number;
  new: number;
  lost: number;
  findings: string[];
};

/** This server must outlive everything, since the process never changes it. */
const kept = { name: 'kept', baseUrl: 'https://kept.example.test' };

async function openProfile(folder: string) {
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  const vault = new Vault({
    file: path.join(folder, 'vault.json'),
    cipher: createFakeCipher(),
    onFileNotice: notices.add,
  });
  await vault.open();
  return { config, vault, notices };
}

async function makeProfile(folder: string): Promise<void> {
  const { config, vault } = await openProfile(folder);
  const { servers } = config.get();
  const added = createStoredServer('kept', kept.name, kept.baseUrl);
  config.change({ servers: [...servers, added], lastEmails: { changed: '0' } });
  await config.flushWithBackup();
  await vault.setPassword('kept', 'ana', 'kept');
  await vault.setPassword('changed', 'ana', '0');
  await vault.settled();
}

/** How a profile is before the process opens it. `makeProfile` makes the profile itself. */
const states: Record<string, (folder: string) => void> = {
  good: () => undefined,
  'damaged settings': (folder) => writeFileSync(path.join(folder, 'config.json'), '{"settings":'),
  'damaged vault': (folder) => writeFileSync(path.join(folder, 'vault.json'), ''),
};

type Said = { begun: Record<string, string>; done: Record<string, string>; points: number | undefined };

async function run(folder: string, dieAt: number, powerCut: boolean, seed: number): Promise<Said & { error: string }> {
  const args = [PROCESS, folder, String(dieAt), powerCut ? 'power-cut' : 'kill', String(seed)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  await once(child, 'close');
  const said: Said = { begun: {}, done: {}, points: undefined };
  for (const line of out.trim().split('\n')) {
    const [what = '', how, number] = line.split(' ');
    if (what === 'points') said.points = Number(how);
    else if (how === 'begun' || how === 'done') said[how][what] = number ?? '';
  }
  return { ...said, error: child.signalCode === 'SIGKILL' || child.exitCode === 0 ? '' : error };
}

type Death = { name: string; dieAt: number; powerCut: boolean };

/** Lists every point of every state, by a kill and by a power cut. The last ones may come in another order. */
const allDeaths = (points: Record<string, number>): Death[] =>
  [false, true].flatMap((powerCut) =>
    Object.entries(points).flatMap(([name, count]) =>
      Array.from({ length: count }, (_, index) => ({ name, dieAt: index + 1, powerCut })),
    ),
  );

const isWhole = ({ servers }: Config): boolean =>
  servers.some(({ id, baseUrl }) => id === 'kept' && baseUrl === kept.baseUrl);

type Findings = ReturnType<typeof createFindings>;

function createFindings(seed: number) {
  const summary: FilesSummary = {
    name: 'files',
    seed,
    rounds: 0,
    points: {},
    kills: 0,
    powerCuts: 0,
    old: 0,
    new: 0,
    lost: 0,
    findings: [],
  };
  const find = (what: string): void => {
    summary.lost++;
    if (summary.findings.length < 10) summary.findings.push(what);
  };
  return { summary, find };
}

/** Makes a profile in each state, in a folder of that name, and counts the write points of one run on a copy of it. */
async function makeProfiles(root: string, seed: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, prepare] of Object.entries(states)) {
    const folder = path.join(root, name);
    mkdirSync(folder);
    await makeProfile(folder);
    prepare(folder);
    cpSync(folder, `${folder}.counted`, { recursive: true });
    const { points, error } = await run(`${folder}.counted`, NEVER, false, seed);
    if (points === undefined) throw new Error(`The process did not come to its end: ${error}`);
    counts[name] = points;
  }
  return counts;
}

/** Opens what a process left. All must be there as before or after the change that was interrupted. */
async function check(folder: string, where: string, { begun, done }: Said, { find, summary }: Findings): Promise<void> {
  const { config, vault, notices } = await openProfile(folder);
  const found: Record<string, string | undefined> = {
    config: isWhole(config.get()) ? config.get().lastEmails['changed'] : undefined,
    vault:
      ((await vault.getPassword('kept', 'ana')) === 'kept' && (await vault.getPassword('changed', 'ana'))) || undefined,
  };
  for (const [file, value] of Object.entries(found)) {
    const isNew = value === (begun[file] ?? '0');
    if (isNew) summary.new++;
    else if (value === (done[file] ?? '0')) summary.old++;
    else find(`${where}: ${file} holds ${value}, begun ${begun[file]}, done ${done[file]}`);
  }
  // Only what was damaged before is put back.
  const bad = notices.list().filter(({ problem }) => problem !== 'restored' || !where.startsWith('damaged'));
  if (bad.length > 0) find(`${where}: ${JSON.stringify(bad)}`);
  await config.flushWithBackup();
  const left = readdirSync(folder).filter((name) => name.includes('tmp'));
  if (left.length > 0) find(`${where}: temporary files are left: ${left.join()}`);
  config.change({ lastEmails: { changed: 'after' } });
  await config.flushWithBackup();
  const copy = backupPathOf(path.join(folder, 'config.json'));
  if (!readFileSync(copy, 'utf8').includes('after')) find(`${where}: the copy of the settings was not renewed`);
  await vault.setPassword('changed', 'ana', 'after');
  await vault.settled();
  const again = await openProfile(folder);
  const after = [again.config.get().lastEmails['changed'], await again.vault.getPassword('changed', 'ana')];
  if (after.some((value) => value !== 'after')) find(`${where}: a later change was not kept: ${after.join()}`);
}

/**
 * Ends a process that changes settings and tokens at every write point in turn, by a kill or by a power cut that takes
 * along what was not synced, and opens what is left. Both must be there whole, as they were before or after the
 * interrupted change, with every change that was said to be done. The next change must be kept, too.
 */
export async function proveFiles(options: {
  /** The number of deaths, twice that of the points unless given. Fewer are spread over the points. */
  rounds?: number;
  seed: number;
  onRound?: (round: number, summary: FilesSummary) => void;
}): Promise<FilesSummary> {
  const { seed, onRound } = options;
  const random = createSeededRandom(seed);
  const root = mkdtempSync(path.join(tmpdir(), 'llavero-files-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  // Ctrl+C ends the process in the middle of it.
  process.once('exit', remove);
  const findings = createFindings(seed);
  const { find, summary } = findings;

  async function round(number: number, { name, dieAt, powerCut }: Death): Promise<void> {
    const where = `${name}, point ${dieAt}, ${powerCut ? 'power cut' : 'kill'}`;
    const folder = path.join(root, `round ${number}`);
    cpSync(path.join(root, name), folder, { recursive: true });
    const said = await run(folder, dieAt, powerCut, random.whole(0, 1e9));
    if (said.error !== '') find(`${where}: the process ended by itself: ${said.error.slice(0, 500)}`);
    await check(folder, where, said, findings);
    rmSync(folder, { recursive: true });
    summary.rounds++;
    if (powerCut) summary.powerCuts++;
    else summary.kills++;
    onRound?.(number, summary);
  }

  try {
    summary.points = await makeProfiles(root, seed);
    const all = allDeaths(summary.points);
    const rounds = options.rounds ?? all.length;
    // More rounds than points begin again. Fewer are spread, from a place of their own in each run.
    const step = Math.max(1, all.length / rounds);
    const from = random.whole(0, all.length);
    const deaths = Array.from({ length: rounds }, (_, index) => all[(from + Math.floor(index * step)) % all.length]!);
    for (let next = 0; next < rounds; next += AT_ONCE)
      await Promise.all(deaths.slice(next, next + AT_ONCE).map((death, index) => round(next + index, death)));
  } finally {
    process.off('exit', remove);
    remove();
  }
  return summary;
}
