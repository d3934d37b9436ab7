import { fail, type Result } from '../../../preload/contract/result.ts';
import type { Config } from '../config/config.ts';
import type { ObservedResponse, SessionsOptions } from './sessions-options.ts';

/** A `retry` is a check that nobody asked for. */
type Kind = 'login' | 'register' | 'check' | 'retry' | 'logout';

/**
 * One piece of work about sessions, at one server. It is aborted when the person cancels it or goes elsewhere.
 * `learned` takes in every answer that can be read.
 */
export type RunningOperation = { kind: Kind; serverId: string; signal: AbortSignal; learned: ObservedResponse[] };

/**
 * Lets one attempt run at a time. A second one is refused; only a logout may interrupt a check, and anything a check that
 * nobody asked for.
 */
export class ExclusiveOperation {
  readonly #options: Pick<SessionsOptions, 'config' | 'learnFrom'>;
  #underWay: RunningOperation | undefined;
  #controller = new AbortController();

  constructor(options: Pick<SessionsOptions, 'config' | 'learnFrom'>) {
    this.#options = options;
  }

  async run<T>(
    kind: Kind,
    serverId: string,
    work: (attempt: RunningOperation) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const before = this.#underWay?.kind;
    const mayInterrupt = before === undefined || before === 'retry' || (before === 'check' && kind === 'logout');
    if (!mayInterrupt) return fail({ kind: 'not-now' });
    this.cancel();
    this.#controller = new AbortController();
    const attempt: RunningOperation = { kind, serverId, signal: this.#controller.signal, learned: [] };
    this.#underWay = attempt;
    try {
      return await work(attempt);
    } finally {
      if (this.#underWay === attempt) this.#underWay = undefined;
      this.#options.config.change(this.takeLearnedChanges(attempt));
    }
  }

  /** What the answers of an attempt say of their server, once: the next change of the configuration takes it along. */
  takeLearnedChanges({ serverId, learned }: RunningOperation): Partial<Config> {
    const answers = learned.splice(0);
    return answers.length > 0 ? this.#options.learnFrom(serverId, answers) : {};
  }

  /** Whether an attempt was neither left nor interrupted. */
  isRunning(attempt: RunningOperation): boolean {
    return this.#underWay === attempt;
  }

  current(): RunningOperation | undefined {
    return this.#underWay;
  }

  /** Cancels what is under way. The work goes on to its end, and finds that its calls were cancelled. */
  cancel(): void {
    if (this.#underWay) this.#controller.abort();
  }

  /** Ends what is under way, and waits for nothing: the work finds that it was left. */
  abandon(): void {
    this.cancel();
    this.#underWay = undefined;
  }
}
