import { fail, type Result } from '../../../preload/contract/result.ts';
import type { Config } from '../config/config.ts';
import type { ObservedResponse } from '../servers/server-store.ts';
import type { SessionsOptions } from './sessions-options.ts';

/** A `retry` is a check that no user asked for; `account` changes or deletes one, and is never interrupted. */
type Kind = 'login' | 'register' | 'check' | 'retry' | 'logout' | 'account';

/**
 * A running login, check or logout at one server. Cancelled by the user or by switching servers.
 * `learned` collects the interpreted responses.
 */
export type RunningOperation = { kind: Kind; serverId: string; signal: AbortSignal; learned: ObservedResponse[] };

/** Runs one operation at a time and refuses a second one. A logout may interrupt a check, and anything a retry. */
export class ExclusiveOperation {
  readonly #options: Pick<SessionsOptions, 'config' | 'learnFrom'>;
  #running: RunningOperation | undefined;
  #controller = new AbortController();

  constructor(options: Pick<SessionsOptions, 'config' | 'learnFrom'>) {
    this.#options = options;
  }

  async run<T>(
    kind: Kind,
    serverId: string,
    work: (running: RunningOperation) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const before = this.#running?.kind;
    const mayInterrupt = before === undefined || before === 'retry' || (before === 'check' && kind === 'logout');
    if (!mayInterrupt) return fail({ kind: 'not-now' });
    this.cancel();
    this.#controller = new AbortController();
    const running: RunningOperation = { kind, serverId, signal: this.#controller.signal, learned: [] };
    this.#running = running;
    try {
      return await work(running);
    } finally {
      if (this.#running === running) this.#running = undefined;
      this.#options.config.change(this.takeLearnedChanges(running));
    }
  }

  /** The changes of the configuration that the responses so far lead to. A second call returns none of them again. */
  takeLearnedChanges({ serverId, learned }: RunningOperation): Partial<Config> {
    const responses = learned.splice(0);
    return responses.length > 0 ? this.#options.learnFrom(serverId, responses) : {};
  }

  /** False once the operation was abandoned or interrupted. */
  isRunning(running: RunningOperation): boolean {
    return this.#running === running;
  }

  current(): RunningOperation | undefined {
    return this.#running;
  }

  /** Aborts the requests of the running operation, which still runs to its end. */
  cancel(): void {
    if (this.#running) this.#controller.abort();
  }

  /** Cancels, and lets another operation begin at once. */
  abandon(): void {
    this.cancel();
    this.#running = undefined;
  }
}
