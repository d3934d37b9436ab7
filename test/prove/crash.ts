import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../scripts/postgres.mjs';
import type { Database } from '../../main/service/stores/open-stores.ts';
import { createApi, type AuthApi } from './api.ts';
import { checkRecord } from './crash-checks.ts';
import { loadService } from './crash-load.ts';
import { createCrashRecord, type CrashRecord, type CrashSummary } from './crash-record.ts';
import { createSeededRandom, type Random } from './random.ts';
import { forkService } from './run-service.ts';

const CLIENTS = 8;
/** The share of rounds in which the service is killed once more while it starts. */
const KILLED_WHILE_STARTING = 0.1;
/** Milliseconds that a service may take to find its database again. */
const BACK_WITHIN_MS = 30_000;

export type Engine = 'sqlite' | 'postgres';

/** A database server that can be killed beside the service. */
type Server = { kill(): Promise<void>; restart(): Promise<void> };

type CrashOptions = {
  engine: Engine;
  database: Database;
  /** The file of the model of a mock server, which is then on trial. */
  model?: string | undefined;
  /** The database server, which is killed instead of the service in every second round. */
  server?: Server;
  rounds: number;
  /** The number of registrations, logins and logouts that must be answered in all, at least. */
  operations: number;
  seed: number;
  /** Called after each round. */
  onRound?: (round: number, summary: CrashSummary) => void;
};

/** Gives a proof a new and empty database, in the folder if it is a file. */
export async function withDatabase<T>(
  engine: Engine,
  folder: string,
  prove: (database: Database, server?: Server) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return prove({ file: path.join(folder, 'service.sqlite') });
  const server = await startPostgres();
  try {
    return await prove({ url: server.url }, server);
  } finally {
    await server.stop();
  }
}

const nothingYet = (engine: CrashOptions['engine'], seed: number): CrashSummary => ({
  name: 'crash',
  engine,
  argon2: 'minimal',
  seed,
  rounds: 0,
  serverKills: 0,
  killsWhileStarting: 0,
  acknowledged: 0,
  inDoubt: 0,
  checks: 0,
  lost: 0,
  findings: [],
});

/** Starts the service on trial, which is another process after each kill. */
function createTrial(database: Database, model: string | undefined) {
  let service = forkService(database, model);
  return {
    errors: () => service.errors(),
    start: (): void => void (service = forkService(database, model)),
    /** Resolves with the way to the service of now, when it is ready. */
    ready: async (): Promise<AuthApi> => createApi(await service.ready()),
    kill: () => service.kill(),
    stop: () => service.stop(),
  };
}

type Trial = ReturnType<typeof createTrial>;

/** Starts the service again after a kill. Sometimes it is killed once more meanwhile. */
async function restart(trial: Trial, { summary }: CrashRecord, random: Random): Promise<AuthApi> {
  if (random.chance(KILLED_WHILE_STARTING)) {
    summary.killsWhileStarting++;
    trial.start();
    await delay(random.whole(0, 600));
    await trial.kill();
  }
  trial.start();
  return trial.ready();
}

/**
 * Puts the service under load until so many operations were answered. It then kills the service, or `server` where that
 * is given.
 * @returns the way to the service that runs afterwards
 */
async function killUnderLoad(
  { trial, api, record, random }: { trial: Trial; api: AuthApi; record: CrashRecord; random: Random },
  killAfter: number,
  server: Server | undefined,
): Promise<AuthApi> {
  const { summary } = record;
  const jitterMs = random.whole(0, 10);
  let hasEnded = false;
  let answered = 0;
  const time = Promise.withResolvers<void>();
  const isOver = (): boolean => hasEnded;
  const onDone = (): void => {
    summary.acknowledged++;
    if (++answered === killAfter) time.resolve();
  };
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => loadService(record, { api, client, isOver, onDone, random })),
  );
  await Promise.race([time.promise, clients]);
  await delay(jitterMs);

  if (!server) {
    const killed = trial.kill();
    hasEnded = true;
    await Promise.all([killed, clients]);
    return restart(trial, record, random);
  }
  summary.serverKills++;
  await server.kill();
  // For a moment requests go on against a service without its database.
  await delay(jitterMs * 10);
  hasEnded = true;
  await clients;
  await server.restart();
  await untilBack(api, record.tokens, BACK_WITHIN_MS);
  return api;
}

/**
 * Kills a service at random moments under load and looks, after each restart, for everything that was answered: an
 * account answered 201 is there as it was answered, a token answered 200 works, one that was logged out does not, and a
 * registration without an answer happened wholly or not at all. In the end everything is looked for once more.
 */
export async function proveCrash(options: CrashOptions): Promise<CrashSummary> {
  const { engine, database, server, rounds, operations, seed } = options;
  const random = createSeededRandom(seed);
  const trial = createTrial(database, options.model);
  const summary = nothingYet(engine, seed);
  const record = createCrashRecord(summary, { errors: trial.errors, losesDatabase: server !== undefined });
  try {
    let api = await trial.ready();
    for (let round = 0; round < rounds; round++) {
      const [accountsFrom, tokensFrom] = [record.accounts.length, record.tokens.length];
      // It is at least one, since the rounds before may have had all of them.
      const perRound = Math.max(1, Math.ceil((operations - summary.acknowledged) / (rounds - round)));
      const killAfter = round === rounds - 1 ? perRound : random.whole(1, 2 * perRound);
      api = await killUnderLoad({ trial, api, record, random }, killAfter, round % 2 === 1 ? server : undefined);
      await checkRecord(record, api, accountsFrom, tokensFrom);
      summary.rounds++;
      options.onRound?.(round, summary);
    }
    await checkRecord(record, api);
  } catch (error) {
    // A service that does not start again has lost everything.
    record.found(`${error instanceof Error ? error.message : String(error)} ${trial.errors()}`.trim());
  } finally {
    await trial.stop();
  }
  return summary;
}

/** Resolves when the service answers from its database again. */
async function untilBack(api: AuthApi, tokens: CrashRecord['tokens'], withinMs: number): Promise<void> {
  const token = tokens.at(-1)?.token ?? `1|${'a'.repeat(48)}`;
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const answer = await api.profile(token);
    if (answer?.status === 200 || answer?.status === 401) return;
    if (performance.now() > giveUpAt) throw new Error(`No answer from the database again: ${answer?.status}`);
    await delay(50);
  }
}
