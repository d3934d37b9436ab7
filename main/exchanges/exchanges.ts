import path from 'node:path';
import type {
  ExchangeFilter,
  ExchangeLimits,
  ExchangePage,
  ExchangeSummary,
  RecordedExchange,
} from '../../preload/contract/exchanges.ts';
import type { FileNotice } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { Operation } from '../client/base-url.ts';
import { createSecretFinder, hideIn } from '../client/hide-secrets.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import { readAnswer, type Answer } from '../client/read-answer.ts';
import { receivedHeaders } from '../client/reading/headers.ts';
import type { Exchange } from '../client/transport.ts';
import { understandingOf } from '../session/understanding.ts';
import { setDatabaseAside } from '../files/set-aside.ts';
import { openExchangeStore, problemOf, type ExchangeStore } from './exchange-store.ts';
import { redactExchange } from './redact.ts';
import type { SecretReferences } from './secret-references.ts';

const operations: readonly Operation[] = ['registro', 'register', 'login', 'perfil', 'salir'];

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
  let waiting: { environmentId: string; exchange: Exchange }[] = [];

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

  function write(environmentId: string, exchange: Exchange): void {
    try {
      const summary = opened()?.add(recordedOf(environmentId, exchange), limits());
      if (summary) onRecorded(summary);
    } catch (error) {
      warn('an exchange could not be recorded', error);
    }
  }

  function flush(): void {
    const written = waiting;
    waiting = [];
    for (const { environmentId, exchange } of written) write(environmentId, exchange);
  }

  function recordedOf(environmentId: string, exchange: Exchange): RecordedExchange {
    const { id, startedAt, request, response, failure, timings, remote, proxy, security, reusedConnection } = exchange;
    const operation = operations.find((each) => pathOf(request.url).endsWith(`/${each}`));
    const paths = pathsOf(environmentId);
    const answer = response && {
      status: response.status,
      headers: receivedHeaders(response.rawHeaders),
      body: response.body,
      url: request.url,
      ...(paths && { paths }),
    };
    const reading = operation && answer && !failure ? readAnswer(operation, answer) : undefined;
    const redacted = redactExchange(exchange, references, reading?.meaning.token);
    const { hide } = createSecretFinder(references.watched().map(([value]) => value));
    return {
      id,
      environmentId,
      startedAt,
      ...redacted,
      ...(failure && { failure: hideIn(appErrorOfFailure(failure), hide) }),
      timings,
      ...(remote !== undefined && { remote }),
      ...(proxy !== undefined && { proxy }),
      ...(security && { security }),
      reusedConnection,
      ...(operation && reading && { understood: hideIn(understandingOf(operation, reading), hide) }),
    };
  }

  return {
    /** Called by a transport while the answer is on its way to whoever asked. */
    record(environmentId: string, exchange: Exchange): void {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ environmentId, exchange });
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
    add(exchange: RecordedExchange): void {
      const summary = opened()?.add(exchange, limits());
      if (summary) onRecorded(summary);
    },

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
      opened()?.clear({ ...(environmentId !== undefined && { environmentId }), pinnedToo });
      return ok({ exchanges: [], total: 0, more: false });
    },

    /** Writes what is waiting. */
    close(): void {
      flush();
      store?.close();
    },
  };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '';
}
