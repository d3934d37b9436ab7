import type { CallFilter, CallPage, CallSummary, RecordedCall, ReplayOf } from '../../../preload/contract/calls.ts';
import type { CallLimits } from '../../../preload/contract/settings.ts';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { ReceivedResponse } from '../../client/parse-response.ts';
import type { TransportCall } from '../../client/call.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import { createLazyDatabase } from '../../files/lazy-database.ts';
import { openCallStore, type CallStore } from './call-store.ts';
import { InMemoryBodyStore, type InMemoryBodies } from '../../client/recording/in-memory-bodies.ts';
import { recordedCall } from '../../client/recording/recorded-call.ts';
import { isLong, recordOnWorker } from '../../client/recording/recording-job.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

/** A contract run by when it began, with the secrets that it still knows after the application forgot them. */
export type CheckOrigin = { startedAtMs: number; secrets: SecretRegistry };

const nothingKept: CallPage = { calls: [], total: 0, more: false, runs: [] };

/** As many as there are secrets that may be known of them. */
const mostOfRun = 20_000;

/** Where calls are kept, and who is told of them. */
export type CallHistoryOptions = {
  file: string;
  secretRegistry: SecretRegistry;
  limits: () => CallLimits;
  /** Returns where a server's answers have their parts. */
  pathsOf: (serverId: string) => ReceivedResponse['paths'];
  onRecorded: (summary: CallSummary) => void;
  /** Called with the number of the calls that are kept, once for what changes it in one turn of the event loop. */
  onCounted: (count: number) => void;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
};

/**
 * Keeps every call that the application makes, as it went over the wire, without its secrets. Recording never holds a
 * call up or lets it fail: it happens after the answer was handed on, and what cannot be written is said once in the
 * log.
 */
export class CallHistory {
  readonly #options: CallHistoryOptions;
  readonly #file: ReturnType<typeof createLazyDatabase<CallStore>>;
  readonly #bodies = new InMemoryBodyStore();
  readonly #ofThisRun = new Set<string>();
  readonly #queue = createQueue((work) => this.#orWarn(work));
  #telling = false;

  constructor(options: CallHistoryOptions) {
    this.#options = options;
    const { file, onFileNotice, warn } = options;
    this.#file = createLazyDatabase({ file, name: 'calls.sqlite', open: openCallStore, onFileNotice, warn });
  }

  /** Takes a call while its answer goes to the caller. `run` marks it as a call of that run. */
  record(serverId: string, call: TransportCall, run?: CheckOrigin): void {
    const { pathsOf, secretRegistry } = this.#options;
    const known = run?.secrets ?? secretRegistry;
    const more = run ? { contractRun: run.startedAtMs } : {};
    const paths = pathsOf(serverId);
    const keep = ({ recorded, inMemory }: ReturnType<typeof recordedCall>): void =>
      this.#keep({ ...recorded, ...more }, inMemory);
    // Long ones are read on the other thread.
    if (isLong(call)) this.#queue.put(recordOnWorker(serverId, call, known, paths).then((made) => () => keep(made)));
    else this.#queue.put(() => keep(recordedCall(serverId, call, known, paths)));
  }

  /** Records a replay and answers its record, even if it cannot be written. */
  async recordReplay(serverId: string, call: TransportCall, replayOf: ReplayOf): Promise<RecordedCall> {
    const { pathsOf, secretRegistry } = this.#options;
    const { recorded, inMemory } = await recordOnWorker(serverId, call, secretRegistry, pathsOf(serverId));
    const replay = { ...recorded, replayOf };
    await this.#queue.settled();
    this.#orWarn(() => this.#keep(replay, inMemory));
    return this.#bodies.withBodies(replay);
  }

  list(filter: CallFilter, offset: number): Result<CallPage> {
    this.#queue.flush();
    return ok(this.#file.opened()?.list(filter, offset) ?? nothingKept);
  }

  /** Answers how many calls are kept. */
  count(): number {
    this.#queue.flush();
    return this.#count();
  }

  /** Whether a call was sent in this run of the application. */
  isFromThisRun(id: string): boolean {
    return this.#ofThisRun.has(id);
  }

  /** Answers all that a filter finds, the oldest first. */
  findAll(filter: CallFilter): RecordedCall[] {
    this.#queue.flush();
    return this.#file.opened()?.every(filter) ?? [];
  }

  get(id: string): Result<RecordedCall> {
    this.#queue.flush();
    const call = this.#file.opened()?.get(id);
    return call ? ok(call) : fail({ kind: 'not-now' });
  }

  /** Answers a call as it is shown in this run, with what of its bodies is in memory only. */
  getWithBodies(id: string): Result<RecordedCall> {
    const found = this.get(id);
    return found.ok ? ok(this.#bodies.withBodies(found.value)) : found;
  }

  /** Writes the text of an answer that is in memory only into the file. */
  keepText(id: string): Result<null> {
    const found = this.get(id);
    const call = found.ok ? this.#bodies.withText(found.value) : undefined;
    if (!call) return fail({ kind: 'not-now' });
    try {
      this.#file.opened()?.replace(call);
      return ok(null);
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
  }

  /** Lets go what is in memory only. */
  forgetBodies(): void {
    this.#bodies.clear();
  }

  pin(id: string, pinned: boolean): Result<CallSummary> {
    const summary = this.#file.opened()?.pin(id, pinned);
    return summary ? ok(summary) : fail({ kind: 'not-now' });
  }

  clear(serverId: string | undefined, pinnedToo: boolean): Result<CallPage> {
    this.#queue.flush();
    this.#tellCount();
    this.#bodies.clear();
    return removeCalls(this.#file.opened(), { serverId, pinnedToo }, this.#options.warn);
  }

  /** Settles when all that was recorded is written. The list of calls waits for it. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Writes what can be written at once. */
  close(): void {
    this.#queue.flush();
    this.#bodies.clear();
    this.#file.close();
  }

  #count(): number {
    return this.#file.opened()?.count() ?? 0;
  }

  #keep(recorded: RecordedCall, inMemory: InMemoryBodies): void {
    this.#ofThisRun.add(recorded.id);
    const [oldest] = this.#ofThisRun;
    if (oldest !== undefined && this.#ofThisRun.size > mostOfRun) this.#ofThisRun.delete(oldest);
    this.#bodies.add(recorded.id, inMemory);
    const { limits, onRecorded } = this.#options;
    const summary = this.#file.opened()?.add(recorded, limits());
    if (summary) onRecorded(summary);
    this.#tellCount();
  }

  #tellCount(): void {
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      this.#options.onCounted(this.#count());
    });
  }

  #orWarn(work: Work): void {
    try {
      work();
    } catch (error) {
      this.#options.warn('a call could not be recorded', error);
    }
  }
}

type Work = () => void;

/**
 * Keeps work until the event loop's turn is over, or until `flush`. It is done in its order: what comes after work that
 * is still being prepared waits for it.
 */
function createQueue(take: (work: Work) => void) {
  const waiting: { work: Work | undefined; prepared: Promise<void> }[] = [];

  function flush(): void {
    while (waiting[0]?.work) {
      const { work } = waiting.shift()!;
      if (work) take(work);
    }
  }

  return {
    put(work: Work | Promise<Work>): void {
      if (waiting.length === 0) setImmediate(flush);
      if (typeof work === 'function') return void waiting.push({ work, prepared: Promise.resolve() });
      const entry: (typeof waiting)[number] = { work: undefined, prepared: Promise.resolve() };
      const failed = (error: unknown) => (): never => {
        throw error;
      };
      entry.prepared = work.catch(failed).then((done) => {
        entry.work = done;
        flush();
      });
      waiting.push(entry);
    },
    flush,
    async settled(): Promise<void> {
      while (waiting.length > 0) {
        await waiting[0]?.prepared;
        flush();
      }
    },
  };
}

function removeCalls(
  store: CallStore | undefined,
  which: Parameters<CallStore['clear']>[0],
  warn: (what: string, error: unknown) => void,
): Result<CallPage> {
  try {
    store?.clear(which);
  } catch (error) {
    warn('calls could not be removed', error);
    return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
  }
  try {
    store?.shrink();
  } catch (error) {
    warn('the file of calls could not be made smaller', error);
  }
  return ok(nothingKept);
}
