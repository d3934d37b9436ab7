import path from 'node:path';
import type {
  ExchangeFilter,
  ExchangeLimits,
  ExchangePage,
  ExchangeSummary,
  RecordedExchange,
  ReplayOf,
} from '../../preload/contract/exchanges.ts';
import type { FileNotice } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { Answer } from '../client/read-answer.ts';
import type { Exchange } from '../client/transport.ts';
import { setDatabaseAside } from '../files/set-aside.ts';
import { openExchangeStore, problemOf, type ExchangeStore } from './exchange-store.ts';
import { recordedExchange } from './recorded-exchange.ts';
import type { SecretReferences } from './secret-references.ts';

/** A contract run, with the secrets that it knows also after the application forgot them. */
export type OfRun = { known: SecretReferences };

export type Exchanges = ReturnType<typeof createExchanges>;

/**
 * Every call the application makes, as it went over the wire, without its secrets. Recording never holds a call up or
 * lets it fail: it happens after the answer was handed on, and what cannot be written is said once in the log.
 */
export function createExchanges(options: {
  file: string;
  references: SecretReferences;
  limits: () => ExchangeLimits;
  /** Where an environment's answers have their parts. */
  pathsOf: (environmentId: string) => Answer['paths'];
  onRecorded: (summary: ExchangeSummary) => void;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
}) {
  const { file, references, limits, pathsOf, onRecorded, onFileNotice, warn } = options;
  let store: ExchangeStore | undefined;
  let broken = false;
  let waiting: { environmentId: string; exchange: Exchange; run: OfRun | undefined }[] = [];

  /** Opened by the first exchange or the first look, not at the start. */
  function opened(): ExchangeStore | undefined {
    if (store || broken) return store;
    try {
      store = openExchangeStore(file);
    } catch (error) {
      store = openAfter(error);
    }
    broken = !store;
    return store;
  }

  /** A damaged file is kept beside a new one; what is of a newer version, or cannot be read now, stays in its place. */
  function openAfter(error: unknown): ExchangeStore | undefined {
    warn('exchanges.sqlite could not be used as it was', error);
    const problem = problemOf(error);
    if (problem !== 'broken') {
      onFileNotice({ file: 'exchanges.sqlite', problem });
      return undefined;
    }
    try {
      const kept = setDatabaseAside(file);
      const anew = openExchangeStore(file);
      onFileNotice({ file: 'exchanges.sqlite', problem: 'set-aside', kept: path.basename(kept) });
      return anew;
    } catch (cause) {
      onFileNotice({ file: 'exchanges.sqlite', problem: 'unreadable' });
      warn('exchanges cannot be recorded', cause);
      return undefined;
    }
  }

  function keep(recorded: RecordedExchange): void {
    const summary = opened()?.add(recorded, limits());
    if (summary) onRecorded(summary);
  }

  const recordedOf = (environmentId: string, exchange: Exchange, known = references): RecordedExchange =>
    recordedExchange(environmentId, exchange, known, pathsOf(environmentId));

  function orWarn(work: () => void): void {
    try {
      work();
    } catch (error) {
      warn('an exchange could not be recorded', error);
    }
  }

  function flush(): void {
    const written = waiting;
    waiting = [];
    for (const { environmentId, exchange, run } of written) {
      orWarn(() =>
        keep({ ...recordedOf(environmentId, exchange, run?.known), ...(run && { contractRun: true as const }) }),
      );
    }
  }

  return {
    /** Called while the answer is on its way to whoever asked; with `run`, the exchange is marked as one of it. */
    record(environmentId: string, exchange: Exchange, run?: OfRun): void {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ environmentId, exchange, run });
    },

    /** Records a replay, and answers the record of it, also when it cannot be written. */
    recordReplay(environmentId: string, exchange: Exchange, replayOf: ReplayOf): RecordedExchange {
      flush();
      const recorded = { ...recordedOf(environmentId, exchange), replayOf };
      orWarn(() => keep(recorded));
      return recorded;
    },

    list: (filter: ExchangeFilter, offset: number): Result<ExchangePage> => {
      flush();
      return ok(opened()?.list(filter, offset) ?? { exchanges: [], total: 0, more: false });
    },

    /** All that a filter finds, oldest first. */
    every(filter: ExchangeFilter): RecordedExchange[] {
      flush();
      return opened()?.every(filter) ?? [];
    },

    /** One that was recorded elsewhere. */
    add: keep,

    get(id: string): Result<RecordedExchange> {
      flush();
      const exchange = opened()?.get(id);
      return exchange ? ok(exchange) : fail({ kind: 'not-now' });
    },

    pin(id: string, pinned: boolean): Result<ExchangeSummary> {
      const summary = opened()?.pin(id, pinned);
      return summary ? ok(summary) : fail({ kind: 'not-now' });
    },

    clear(environmentId: string | undefined, pinnedToo: boolean): Result<ExchangePage> {
      flush();
      try {
        opened()?.clear({ ...(environmentId !== undefined && { environmentId }), pinnedToo });
      } catch (error) {
        warn('exchanges could not be removed', error);
        return fail({ kind: 'file-failed', code: error instanceof Error && 'code' in error ? String(error.code) : '' });
      }
      try {
        opened()?.shrink();
      } catch (error) {
        warn('the file of exchanges could not be made smaller', error);
      }
      return ok({ exchanges: [], total: 0, more: false });
    },

    /** Writes what is waiting now, while its secrets are known. */
    flush,

    /** Writes what is waiting. */
    close(): void {
      flush();
      store?.close();
    },
  };
}
