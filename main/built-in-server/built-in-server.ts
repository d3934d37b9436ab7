import { z } from 'zod';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { Behaviour, Copies, LoggedRequest } from '../../preload/contract/built-in-server.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Controls } from './controls.ts';

/** How it behaves at every start. */
export const behavesWell: Behaviour = { isOn: false, dialect: null, wrong: [], faults: [], left: [], seed: 1 };

/** However many requests come: each telling makes an open list ask anew. */
const TELL_EVERY_MS = 100;

/** What its stores reject with while their database cannot be used. */
const Unavailable = z.object({
  code: z.literal('LLAVERO_STORE_UNAVAILABLE'),
  reason: z.enum(['full', 'read-only', 'locked', 'unreachable', 'failing']),
});

/** A database that cannot be used now is a value; everything else that is thrown is a bug. */
export async function unlessUnavailable<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const read = Unavailable.safeParse(error);
    if (!read.success) throw error;
    return fail({ kind: 'database-unavailable', reason: read.data.reason });
  }
}

function behaviourOf({ behaviour }: Controls): Behaviour {
  const { isOn, dialect = null, wrong, faults, left, seed } = behaviour.get();
  return { isOn, dialect, wrong: [...wrong], faults: [...faults], left: left.map((each) => each ?? null), seed };
}

/**
 * The embedded service as a service that misbehaves, and what it holds. How it behaves is part of the state, so that the mark
 * in the window is always true.
 * @param options.controls resolves once the service runs; fails when it could not start
 */
export function createBuiltInServer(options: {
  controls: () => Promise<Result<Controls>>;
  state: AppStateHolder;
  /** Told within a moment that the service answered requests. */
  onRequest: () => void;
}) {
  const { state } = options;

  const withControls = async <T>(work: (controls: Controls) => Promise<Result<T>> | Result<T>): Promise<Result<T>> => {
    const controls = await options.controls();
    return controls.ok ? unlessUnavailable(async () => work(controls.value)) : controls;
  };

  async function copiesOf({ data }: Controls): Promise<Result<Copies>> {
    const { total } = await data.accounts({ offset: 0, limit: 1 });
    return ok({ accounts: total, canUndo: data.canUndo(), snapshots: data.snapshots() });
  }

  /** Does something with the copies, and answers what there is then. */
  const withCopies = (
    work: (data: Controls['data']) => ReturnType<Controls['data']['undo']>,
  ): Promise<Result<Copies>> =>
    withControls(async (controls) => {
      const done = await work(controls.data);
      return done.ok ? copiesOf(controls) : fail({ kind: 'copy-failed', reason: done.kind });
    });

  const handlers: Handlers['builtIn'] = {
    choices: () => withControls(({ choices }) => ok(choices)),
    behave: ({ dialect, wrong, faults, seed }) =>
      withControls((controls) => {
        const possible = faults?.map(controls.possibleFault).filter((each) => each !== undefined);
        if (possible?.length !== faults?.length) return fail({ kind: 'invalid-fault' });
        controls.behaviour.set({
          ...(dialect !== undefined && { dialect: dialect ?? undefined }),
          ...(wrong && { wrong }),
          ...(possible && { faults: possible }),
          ...(seed !== undefined && { seed }),
        });
        return ok(state.change({ behaviour: behaviourOf(controls) }));
      }),
    accounts: (page) => withControls(async ({ data }) => ok(await data.accounts(page))),
    sessions: (page) => withControls(async ({ data }) => ok(await data.sessions(page))),
    expire: ({ id }) => withControls(async ({ data }) => ok({ done: await data.expire(id) })),
    revoke: ({ id }) => withControls(async ({ data }) => ok({ done: await data.revoke(id) })),
    signEveryoneOut: () => withControls(async ({ data }) => ok({ ended: await data.signEveryoneOut() })),
    requests: () => withControls(({ behaviour }) => ok(behaviour.requests())),
    clearRequests: () =>
      withControls(({ behaviour }) => {
        behaviour.clearRequests();
        return ok<LoggedRequest[]>([]);
      }),
    copies: () => withControls(copiesOf),
    reset: ({ set, seed }) => withCopies((data) => data.reset(set, seed)),
    undo: () => withCopies((data) => data.undo()),
    snapshot: () => withCopies((data) => data.snapshot()),
    restore: ({ id }) => withCopies((data) => data.restore(id)),
    removeSnapshot: ({ id }) => withCopies((data) => data.removeSnapshot(id)),
  };

  return {
    handlers,

    /** Follows a service that has just started. */
    follow(controls: Controls): void {
      let isTelling = false;
      controls.behaviour.onRequest(() => {
        const { left } = behaviourOf(controls);
        const before = state.get().behaviour;
        if (left.some((each, index) => each !== before.left[index])) state.change({ behaviour: behaviourOf(controls) });
        if (isTelling) return;
        isTelling = true;
        setTimeout(() => {
          isTelling = false;
          options.onRequest();
        }, TELL_EVERY_MS).unref();
      });
    },
  };
}
