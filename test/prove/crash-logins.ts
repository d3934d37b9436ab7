import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createApplication, type Application } from '../../main/application.ts';
import type { Ports } from '../../main/ports.ts';
import { openConfig } from '../../main/account/config/open-config.ts';
import { createStoredServer } from '../../main/account/config/config.ts';
import { createFileNotices } from '../../main/files/file-notices.ts';
import type { WindowState } from '../../preload/contract/models.ts';
import { portsWithoutWindow, refusingPerson } from './page-main.ts';

const PROCESS = fileURLToPath(new URL('./login-process.ts', import.meta.url));
/** There are fewer write points than this. */
const NEVER = 1_000_000;
/** Milliseconds after the log-in's answer at which the last of the kills comes. */
const LAST_KILL_MS = 500;
/** Milliseconds that the server takes for a profile, in turns. */
const PROFILE_MS = [0, 50];
const serverId = 'there';

type Round = {
  /** Milliseconds after the log-in's answer, or the write point, at which the process was ended. */
  at: number;
  how: 'kill' | 'kill when shown' | 'kill at a write' | 'power cut at a write';
  profileMs: number;
  /** Whether the server refused the new token at its profile. */
  refused: boolean;
  /** What the window was told before the end. */
  shown: 'kept' | 'in-memory' | 'no';
  /** Whether the next start had the session, with its token. */
  there: boolean;
  /** The tokens in the vault that no session of the settings had: as they were left, and after the next start. */
  orphansLeft: number;
  orphans: number;
};

export type CrashLoginsSummary = {
  name: 'crash-logins';
  seed: number;
  rounds: number;
  shown: number;
  inMemory: number;
  /** How many tokens without a session the next start found, and removed. */
  orphansLeft: number;
  orphans: number;
  lost: number;
  findings: string[];
};

/** The application of a folder, without a window. */
export async function openPlace(
  folder: string,
  onState: (state: WindowState) => void = () => undefined,
): Promise<{ application: Application }> {
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An event of this name has a state.
  const notify: Ports['notify'] = (name, payload) =>
    name === 'app.changed' ? onState(payload as WindowState) : undefined;
  const { dialogs } = refusingPerson();
  return { application: createApplication(await portsWithoutWindow(folder, config, { notices, notify, dialogs })) };
}

/** A server at which anybody logs in, and that tells when it has answered a log-in. */
async function startServer() {
  const given = new Set<string>();
  let settings = { profileMs: 0, refuses: false };
  let onLogin = (): void => undefined;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const say = (status: number, body: object): void =>
        void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      if (request.url?.endsWith('/login')) {
        const made = `${given.size + 1}|${randomBytes(20).toString('hex')}`;
        if (!settings.refuses) given.add(made);
        response.once('finish', () => onLogin());
        say(200, { token: made });
      } else if (!given.has(token)) say(401, { message: 'Unauthenticated.' });
      else setTimeout(() => say(200, { name: 'Ana', email: 'ana@example.test' }), settings.profileMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    next(to: typeof settings, loggedIn: () => void): void {
      settings = to;
      onLogin = loggedIn;
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

const Vault = z.object({ entries: z.array(z.object({ account: z.string() })) });
const Settings = z.object({ sessions: z.record(z.string(), z.object({ vaultAccount: z.string() })).default({}) });

/** Counts, as the files are, the tokens that no session has. */
function countOrphans(folder: string): number {
  const read = (name: string): unknown => {
    const file = path.join(folder, name);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  };
  const { entries } = Vault.catch({ entries: [] }).parse(read('vault.json'));
  const { sessions } = Settings.parse(read('config.json'));
  const owned = new Set(Object.values(sessions).map(({ vaultAccount }) => vaultAccount));
  return entries.filter(({ account }) => !owned.has(account)).length;
}

/** Runs the process to its end, and answers the session that it showed last. */
async function logIn(folder: string, email: string, death: Death, seed: number, onLogin: (kill: () => void) => void) {
  const args = [
    PROCESS,
    folder,
    email,
    String(death.dieAt ?? NEVER),
    death.powerCut ? 'power-cut' : 'kill',
    String(seed),
  ];
  const child = spawn(process.execPath, [...args, death.dieAt === undefined ? 'waits' : 'ends'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Each reads the same sources.
    env: { ...process.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? `${folder}.compiled` },
  });
  let error = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  const said: { id?: string; how: Round['shown']; points?: number } = { how: 'no' };
  createInterface(child.stdout).on('line', (line) => {
    const [what, first = '', second] = line.split(' ');
    if (what === 'shown') Object.assign(said, { id: first, how: second });
    if (what === 'shown' && death.whenShown) child.kill('SIGKILL');
    if (what === 'points') said.points = Number(first);
  });
  onLogin(() => child.kill('SIGKILL'));
  await once(child, 'close');
  return { ...said, error: child.signalCode === 'SIGKILL' || child.exitCode === 0 ? '' : error };
}

type Death = { ms?: number; whenShown?: true; dieAt?: number; powerCut?: boolean };

function howOf({ ms, whenShown, powerCut }: Death): Round['how'] {
  if (whenShown) return 'kill when shown';
  if (ms !== undefined) return 'kill';
  return powerCut ? 'power cut at a write' : 'kill at a write';
}

/** Starts the application again, and says what it has. */
async function lookAgain(folder: string, find: (what: string) => void) {
  const { application } = await openPlace(folder);
  const { sessionStore, session, state } = application.parts;
  const first = state.get().session;
  if (first.step === 'restoring' && !(await session.credentials.ofSession(first.sessionId)))
    find(`the next start shows ${first.sessionId}, which has no token`);
  await application.begin();
  const there = new Set<string>();
  for (const { id } of sessionStore.all()) if (await session.credentials.ofSession(id)) there.add(id);
  const onScreen = sessionStore.current(serverId)?.id;
  await application.close();
  return { there, onScreen, orphans: countOrphans(folder) };
}

/**
 * Logs in again and again, ends the process after the log-in's answer, and looks at what the next start has: each session
 * that was shown, unless it was said to be in memory only, and no token that no session has.
 * @param options.rounds how many kills are spread over half a second
 * @param options.points whether the process is ended at each write point, too, by a kill and by a power cut
 */
export async function proveCrashLogins(options: {
  folder: string;
  rounds: number;
  points: boolean;
  seed: number;
  onRound?: (round: Round, number: number) => void;
}): Promise<CrashLoginsSummary> {
  const { rounds, seed, onRound } = options;
  const folder = path.join(options.folder, 'logins');
  mkdirSync(folder, { recursive: true });
  const server = await startServer();
  const summary: CrashLoginsSummary = {
    name: 'crash-logins',
    seed,
    rounds: 0,
    shown: 0,
    inMemory: 0,
    orphansLeft: 0,
    orphans: 0,
    lost: 0,
    findings: [],
  };
  const kept = new Set<string>();

  async function round(death: Death, profileMs: number, refused: boolean): Promise<number | undefined> {
    const number = ++summary.rounds;
    const at = death.ms ?? death.dieAt ?? 0;
    const how = howOf(death);
    const find = (what: string): void => {
      summary.lost += 1;
      if (summary.findings.length < 10) summary.findings.push(`round ${number}, ${how} at ${at}: ${what}`);
    };
    const said = await logIn(folder, `ana${number}@example.test`, death, seed + number, (kill) =>
      server.next({ profileMs, refuses: refused }, () => {
        if (death.ms !== undefined) setTimeout(kill, death.ms);
      }),
    );
    if (said.error !== '') find(`the process ended by itself: ${said.error.slice(0, 500)}`);
    server.next({ profileMs: 0, refuses: false }, () => undefined);
    const orphansLeft = countOrphans(folder);
    const { there, onScreen, orphans } = await lookAgain(folder, find);
    if (said.how === 'kept' && said.id !== undefined) {
      kept.add(said.id);
      summary.shown += 1;
      if (onScreen !== said.id) find('the session that was on the screen is not there again');
    }
    if (said.how === 'in-memory') summary.inMemory += 1;
    for (const id of kept) if (!there.has(id)) find(`session ${id} was shown, and is gone`);
    for (const id of kept) if (!there.has(id)) kept.delete(id);
    if (orphans > 0) find(`${orphans} tokens are of no session`);
    summary.orphansLeft += orphansLeft;
    summary.orphans += orphans;
    const isThere = said.id !== undefined && there.has(said.id);
    onRound?.({ at, how, profileMs, refused, shown: said.how, there: isThere, orphansLeft, orphans }, number);
    return said.points;
  }

  try {
    const { application } = await openPlace(folder);
    const { config } = application.parts;
    const added = { ...createStoredServer(serverId, '', server.baseUrl), agreed: [server.baseUrl] };
    config.change({ servers: [...config.get().servers, added], activeServerId: serverId });
    await application.close();
    for (let number = 0; number < rounds; number++)
      await round({ ms: Math.round((number * LAST_KILL_MS) / rounds) }, PROFILE_MS[number % 2]!, number % 10 === 7);
    for (let number = 0; number < rounds / 10; number++) await round({ whenShown: true }, 0, false);
    const points = options.points ? ((await round({ dieAt: NEVER }, 0, false)) ?? 0) : 0;
    for (const powerCut of [false, true])
      for (let dieAt = 1; dieAt <= points; dieAt++) await round({ dieAt, powerCut }, 0, dieAt % 10 === 7);
  } finally {
    server.close();
  }
  return summary;
}
