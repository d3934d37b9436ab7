import type {
  CallFilter,
  CallLimits,
  CallPage,
  CallSummary,
  RecordedCall,
  ReplayOf,
} from '../../preload/contract/calls.ts';
import type { FileNotice } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { Answer } from '../client/read-answer.ts';
import type { Call } from '../client/call.ts';
import { codeOf } from '../error-code.ts';
import { createCallFile } from './call-file.ts';
import type { CallStore } from './call-store.ts';
import { recordedCall } from './recorded-call.ts';
import type { SecretReferences } from './secret-references.ts';

/** A contract run, with the secrets that it knows also after the application forgot them. */
export type OfRun = { known: SecretReferences };

export type Calls = ReturnType<typeof createCalls>;

/**
 * Every call the application makes, as it went over the wire, without its secrets. Recording never holds a call up or
 * lets it fail: it happens after the answer was handed on, and what cannot be written is said once in the log.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and share one file and one queue.
export function createCalls(options: {
  file: string;
  references: SecretReferences;
  limits: () => CallLimits;
  /** Where a server's answers have their parts. */
  pathsOf: (serverId: string) => Answer['paths'];
  onRecorded: (summary: CallSummary) => void;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
}) {
  const { file, references, limits, pathsOf, onRecorded, onFileNotice, warn } = options;
  const { opened, close: closeFile } = createCallFile({ file, onFileNotice, warn });

  function keep(recorded: RecordedCall): void {
    const summary = opened()?.add(recorded, limits());
    if (summary) onRecorded(summary);
  }

  const recordedOf = (serverId: string, call: Call, known = references): RecordedCall =>
    recordedCall(serverId, call, known, pathsOf(serverId));

  function orWarn(work: () => void): void {
    try {
      work();
    } catch (error) {
      warn('a call could not be recorded', error);
    }
  }

  const { put, flush } = createQueue<{ serverId: string; call: Call; run: OfRun | undefined }>(
    ({ serverId, call, run }) =>
      orWarn(() => keep({ ...recordedOf(serverId, call, run?.known), ...(run && { contractRun: true as const }) })),
  );

  return {
    /** Called while the answer is on its way to whoever asked; with `run`, the call is marked as one of it. */
    record(serverId: string, call: Call, run?: OfRun): void {
      put({ serverId, call, run });
    },

    /** Records a replay, and answers the record of it, also when it cannot be written. */
    recordReplay(serverId: string, call: Call, replayOf: ReplayOf): RecordedCall {
      flush();
      const recorded = { ...recordedOf(serverId, call), replayOf };
      orWarn(() => keep(recorded));
      return recorded;
    },

    list: (filter: CallFilter, offset: number): Result<CallPage> => {
      flush();
      return ok(opened()?.list(filter, offset) ?? { calls: [], total: 0, more: false });
    },

    /** All that a filter finds, oldest first. */
    every(filter: CallFilter): RecordedCall[] {
      flush();
      return opened()?.every(filter) ?? [];
    },

    /** One that was recorded elsewhere. */
    add: keep,

    get(id: string): Result<RecordedCall> {
      flush();
      const call = opened()?.get(id);
      return call ? ok(call) : fail({ kind: 'not-now' });
    },

    pin(id: string, pinned: boolean): Result<CallSummary> {
      const summary = opened()?.pin(id, pinned);
      return summary ? ok(summary) : fail({ kind: 'not-now' });
    },

    clear(serverId: string | undefined, pinnedToo: boolean): Result<CallPage> {
      flush();
      return removeCalls(opened(), { serverId, pinnedToo }, warn);
    },

    /** Writes what is waiting now, while its secrets are known. */
    flush,

    /** Writes what is waiting. */
    close(): void {
      flush();
      closeFile();
    },
  };
}

/** Keeps values until the event loop's turn is over, or until `flush`. */
function createQueue<T>(take: (value: T) => void) {
  let waiting: T[] = [];
  function flush(): void {
    const taken = waiting;
    waiting = [];
    taken.forEach(take);
  }
  return {
    put: (value: T): void => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(value);
    },
    flush,
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
    return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
  }
  try {
    store?.shrink();
  } catch (error) {
    warn('the file of calls could not be made smaller', error);
  }
  return ok({ calls: [], total: 0, more: false });
}
