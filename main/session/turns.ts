import type { RegistrationPath } from '../../preload/contract/models.ts';
import { fail, type Result } from '../../preload/contract/result.ts';
import type { Reading } from '../client/read-answer.ts';

type Kind = 'login' | 'register' | 'check' | 'logout';

/** An answer of a server, and the path at which it made an account, if it did. */
export type Learned = { reading: Reading; registeredAt?: RegistrationPath | undefined };

/**
 * One piece of work about sessions, at one server. It is aborted when the person cancels it or goes elsewhere.
 * `learned` takes in every answer that can be read.
 */
export type Turn = { kind: Kind; serverId: string; signal: AbortSignal; learned: Learned[] };

export type Turns = ReturnType<typeof createTurns>;

/**
 * Lets one turn run at a time. A second one is refused, and only a logout may interrupt a check.
 * @param onEnd is given every turn that has ended
 */
export function createTurns(onEnd: (turn: Turn) => void) {
  let underway: Turn | undefined;
  let controller = new AbortController();

  /** Cancels what is under way. The work goes on to its end, and finds that its calls were cancelled. */
  function cancel(): void {
    if (underway) controller.abort();
  }

  return {
    /** Does the work, unless something else is under way. */
    async take<T>(kind: Kind, serverId: string, work: (turn: Turn) => Promise<Result<T>>): Promise<Result<T>> {
      if (underway && (kind !== 'logout' || underway.kind !== 'check')) return fail({ kind: 'not-now' });
      cancel();
      controller = new AbortController();
      const turn: Turn = { kind, serverId, signal: controller.signal, learned: [] };
      underway = turn;
      try {
        return await work(turn);
      } finally {
        if (underway === turn) underway = undefined;
        onEnd(turn);
      }
    },

    /** Says whether a turn was neither left nor interrupted. */
    isUnderway: (turn: Turn): boolean => underway === turn,
    /** Answers what is under way, if anything is. */
    current: (): Turn | undefined => underway,
    cancel,

    /** Ends whatever is under way, and waits for nothing: the work finds that it was left. */
    leave(): void {
      cancel();
      underway = undefined;
    },
  };
}
