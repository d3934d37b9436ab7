import type { CallFilter, CallPage, CallSummary, RecordedCall, ReplayOf } from '../../../preload/contract/calls.ts';
import type { CallLimits } from '../../../preload/contract/settings.ts';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { ReceivedResponse } from '../../client/parse-response.ts';
import type { TransportCall } from '../../client/call.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import { createLazyDatabase } from '../../files/lazy-database.ts';
import { CallStore } from './call-store.ts';
import { RecordingQueue } from './recording-queue.ts';
import { InMemoryBodyStore, type InMemoryBodies } from '../../client/recording/in-memory-bodies.ts';
import { recordedCall } from '../../client/recording/recorded-call.ts';
import { isLong, recordOnWorker } from '../../client/recording/recording-job.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

/** The check that sent a call. It has its own registry: a lock clears the application's while the check still logs out. */
export type CheckOrigin = { startedAtMs: number; secrets: SecretRegistry };

const emptyPage: CallPage = { calls: [], total: 0, more: false, runs: [] };

/** As many ids as the registry holds secrets. */
const maxSentIds = 20_000;

export type CallHistoryOptions = {
  file: string;
  secretRegistry: SecretRegistry;
  limits: () => CallLimits;
  /** The pinned response format of a server. */
  pathsOf: (serverId: string) => ReceivedResponse['paths'];
  onRecorded: (summary: CallSummary) => void;
  /** Called with the number of stored calls, at most once in a turn of the event loop. */
  onCounted: (count: number) => void;
  onFileNotice: (notice: FileNotice) => void;
  warn: (message: string, error: unknown) => void;
};

/**
 * Records every call of the application as it was sent, without its secrets. Recording never delays a call or makes it
 * fail: it happens after the response was handed on, and a failed write is logged once.
 */
export class CallHistory {
  readonly #options: CallHistoryOptions;
  readonly #database: ReturnType<typeof createLazyDatabase<CallStore>>;
  readonly #bodies = new InMemoryBodyStore();
  readonly #sentIds = new Set<string>();
  readonly #queue = new RecordingQueue((task) => this.#runOrWarn(task));
  #isCountScheduled = false;

  constructor(options: CallHistoryOptions) {
    this.#options = options;
    this.#database = createLazyDatabase({ ...options, name: 'calls.sqlite', open: (file) => new CallStore(file) });
  }

  /** Records a call; `origin` marks it as one of that check. Long bodies are redacted on the worker thread. */
  record(serverId: string, call: TransportCall, origin?: CheckOrigin): void {
    const { pathsOf, secretRegistry } = this.#options;
    const secrets = origin?.secrets ?? secretRegistry;
    const mark = origin ? { contractRun: origin.startedAtMs } : {};
    const paths = pathsOf(serverId);
    const add = ({ recorded, inMemory }: ReturnType<typeof recordedCall>): void =>
      this.#add({ ...recorded, ...mark }, inMemory);
    if (isLong(call)) this.#queue.add(recordOnWorker(serverId, call, secrets, paths).then((made) => () => add(made)));
    else this.#queue.add(() => add(recordedCall(serverId, call, secrets, paths)));
  }

  /** Records a resent call and returns its record, even if it could not be written. */
  async recordReplay(serverId: string, call: TransportCall, replayOf: ReplayOf): Promise<RecordedCall> {
    const { pathsOf, secretRegistry } = this.#options;
    const { recorded, inMemory } = await recordOnWorker(serverId, call, secretRegistry, pathsOf(serverId));
    const replay = { ...recorded, replayOf };
    await this.#queue.settled();
    this.#runOrWarn(() => this.#add(replay, inMemory));
    return this.#bodies.withBodies(replay);
  }

  list(filter: CallFilter, offset: number): Result<CallPage> {
    this.#queue.flush();
    return ok(this.#database.opened()?.list(filter, offset) ?? emptyPage);
  }

  count(): number {
    this.#queue.flush();
    return this.#storedCount();
  }

  /** Whether a call was sent since the application started. */
  isFromThisRun(id: string): boolean {
    return this.#sentIds.has(id);
  }

  /** All calls that match, the oldest first. */
  findAll(filter: CallFilter): RecordedCall[] {
    this.#queue.flush();
    return this.#database.opened()?.findAll(filter) ?? [];
  }

  get(id: string): Result<RecordedCall> {
    this.#queue.flush();
    const call = this.#database.opened()?.get(id);
    return call ? ok(call) : fail({ kind: 'not-now' });
  }

  /** A call with the bodies that are in memory only. */
  getWithBodies(id: string): Result<RecordedCall> {
    const stored = this.get(id);
    return stored.ok ? ok(this.#bodies.withBodies(stored.value)) : stored;
  }

  /** Writes the text of a response that is in memory only into the file. */
  saveText(id: string): Result<null> {
    const stored = this.get(id);
    const call = stored.ok ? this.#bodies.withText(stored.value) : undefined;
    if (!call) return fail({ kind: 'not-now' });
    try {
      this.#database.opened()?.replace(call);
      return ok(null);
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
  }

  /** Drops the bodies that are in memory only. */
  clearBodies(): void {
    this.#bodies.clear();
  }

  pin(id: string, pinned: boolean): Result<CallSummary> {
    const summary = this.#database.opened()?.pin(id, pinned);
    return summary ? ok(summary) : fail({ kind: 'not-now' });
  }

  clear(serverId: string | undefined, pinnedToo: boolean): Result<CallPage> {
    this.#queue.flush();
    this.#scheduleCount();
    this.#bodies.clear();
    const { warn } = this.#options;
    const store = this.#database.opened();
    try {
      store?.clear({ serverId, pinnedToo });
    } catch (error) {
      warn('calls could not be removed', error);
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
    try {
      store?.shrink();
    } catch (error) {
      warn('the file of calls could not be made smaller', error);
    }
    return ok(emptyPage);
  }

  /** Resolves once all calls that were recorded so far are written. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  close(): void {
    this.#queue.flush();
    this.#bodies.clear();
    this.#database.close();
  }

  #storedCount(): number {
    return this.#database.opened()?.totals().count ?? 0;
  }

  #add(recorded: RecordedCall, bodies: InMemoryBodies): void {
    this.#sentIds.add(recorded.id);
    const [oldest] = this.#sentIds;
    if (oldest !== undefined && this.#sentIds.size > maxSentIds) this.#sentIds.delete(oldest);
    this.#bodies.add(recorded.id, bodies);
    const { limits, onRecorded } = this.#options;
    const summary = this.#database.opened()?.add(recorded, limits());
    if (summary) onRecorded(summary);
    this.#scheduleCount();
  }

  #scheduleCount(): void {
    if (this.#isCountScheduled) return;
    this.#isCountScheduled = true;
    setImmediate(() => {
      this.#isCountScheduled = false;
      this.#options.onCounted(this.#storedCount());
    });
  }

  #runOrWarn(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#options.warn('a call could not be recorded', error);
    }
  }
}
