import { z } from 'zod';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type {
  Behaviour,
  BuiltInCounts,
  BuiltInData,
  ClockMove,
  LoggedRequest,
} from '../../preload/contract/built-in-server.ts';
import type { AppState } from '../../preload/contract/models.ts';
import type { RunStep } from '../../preload/contract/contract-runs.ts';
import { builtInId } from '../config/config.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Controls, StartedBuiltIn } from './controls.ts';

/** The least time between two such events, since each makes an open list ask anew. */
const TELL_EVERY_MS = 100;

/** The stores of the service reject with this while their database cannot be used. */
const Unavailable = z.object({
  code: z.literal('LLAVERO_STORE_UNAVAILABLE'),
  reason: z.enum(['full', 'read-only', 'locked', 'unreachable', 'failing']),
});

/** Makes a value of a database that cannot be used now. Everything else that is thrown is a bug. */
export async function unlessUnavailable<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const read = Unavailable.safeParse(error);
    if (!read.success) throw error;
    return fail({ kind: 'database-unavailable', reason: read.data.reason });
  }
}

/** Says to the service what the window asks of its clock. */
export const clockMoves: Record<ClockMove, Parameters<Controls['clock']['move']>[0]> = {
  minute: { advanceMs: 60_000 },
  hour: { advanceMs: 3_600_000 },
  'newest-token-end': { to: 'newest-token-end' },
  now: { to: 'now' },
};

/** Says how the service behaves. */
export function behaviourOf({ behaviour }: Pick<Controls, 'behaviour'>): Behaviour {
  const { isOn, dialect = null, wrong, faults, left, seed } = behaviour.get();
  return { isOn, dialect, wrong: [...wrong], faults: [...faults], left: left.map((each) => each ?? null), seed };
}

/**
 * Controls the service as this application runs it: its start and end, how it behaves, and what it holds. How it
 * behaves is part of the state, so that the mark in the window is always true.
 */
export function createBuiltInServer(options: {
  /** Starts the service. It never rejects. */
  start: () => Promise<StartedBuiltIn>;
  state: AppStateHolder;
  /** Called soon after the service answered requests. */
  onRequest: () => void;
}) {
  const { state } = options;
  let starting = Promise.withResolvers<StartedBuiltIn>();
  let pauseClients: Controls['clients']['pause'] = () => undefined;
  let close = async (): Promise<void> => undefined;

  /** Waits for the start; fails when the service could not be started. */
  async function controls(): Promise<Result<Controls>> {
    const started = await starting.promise;
    return started.controls ? ok(started.controls) : fail({ kind: 'built-in-stopped', message: started.message });
  }

  /** Follows its requests, and the faults that they use up. */
  function follow(of: Controls): void {
    let isTelling = false;
    of.behaviour.onRequest(() => {
      // Most requests under load change nothing, so the state is not made anew for those.
      const { left } = state.get().behaviour;
      if (of.behaviour.get().left.some((each, index) => (each ?? null) !== left[index])) {
        state.set({ behaviour: behaviourOf(of) });
      }
      if (isTelling) return;
      isTelling = true;
      setTimeout(() => {
        isTelling = false;
        options.onRequest();
      }, TELL_EVERY_MS).unref();
    });
  }

  async function start(): Promise<StartedBuiltIn> {
    const started = await options.start();
    close = started.close;
    state.set({ builtIn: started.status });
    if (started.controls) {
      follow(started.controls);
      pauseClients = started.controls.clients.pause;
    }
    starting.resolve(started);
    return started;
  }

  /** Starts it once more where it could not be started. Whoever asks for it meanwhile waits. */
  async function startAgain(): Promise<Result<AppState>> {
    if (state.get().builtIn.state === 'failed') {
      starting = Promise.withResolvers();
      state.set({ builtIn: { state: 'starting' } });
      void start();
    }
    const { status } = await starting.promise;
    return status.state === 'failed' ? fail({ kind: 'built-in-stopped', message: status.message }) : ok(state.get());
  }

  return {
    handlers: { ...builtInHandlers(controls, state), start: startAgain },
    controls,
    start,

    /** A contract run does wrong on purpose what a client should not, and is no client of which to say so. */
    runStepped({ underWay }: RunStep): void {
      pauseClients(underWay?.serverId === builtInId);
    },

    started: (): Promise<StartedBuiltIn> => starting.promise,
    close: (): Promise<void> => close(),
  };
}

/** Makes what the window may ask of the built-in server, and do with what it holds. */
function builtInHandlers(
  controlsWhenStarted: () => Promise<Result<Controls>>,
  state: AppStateHolder,
): Omit<Handlers['builtIn'], 'start'> {
  const withControls = async <T>(work: (controls: Controls) => Promise<Result<T>> | Result<T>): Promise<Result<T>> => {
    const found = await controlsWhenStarted();
    return found.ok ? unlessUnavailable(async () => work(found.value)) : found;
  };

  async function countsOf({ data, behaviour }: Controls): Promise<Result<BuiltInCounts>> {
    const none = { offset: 0, limit: 1 };
    const [accounts, sessions] = await Promise.all([data.accounts(none), data.sessions(none)]);
    return ok({ accounts: accounts.total, sessions: sessions.total, requests: behaviour.requests().length });
  }

  async function dataOf({ data }: Controls): Promise<Result<BuiltInData>> {
    const { total } = await data.accounts({ offset: 0, limit: 1 });
    return ok({ accounts: total, canUndo: data.canUndo(), snapshots: data.snapshots() });
  }

  /** Acts on everything that the service holds, and answers what it holds then. */
  const withData = (
    work: (data: Controls['data']) => ReturnType<Controls['data']['undo']>,
  ): Promise<Result<BuiltInData>> =>
    withControls(async (controls) => {
      const done = await work(controls.data);
      return done.ok ? dataOf(controls) : fail({ kind: 'copy-failed', reason: done.kind });
    });

  return {
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
        state.set({ behaviour: behaviourOf(controls) });
        return ok(state.get());
      }),
    accounts: (page) => withControls(async ({ data }) => ok(await data.accounts(page))),
    sessions: (page) => withControls(async ({ data }) => ok(await data.sessions(page))),
    expire: ({ id }) => withControls(async ({ data }) => ok({ done: await data.expire(id) })),
    revoke: ({ id }) => withControls(async ({ data }) => ok({ done: await data.revoke(id) })),
    signEveryoneOut: () => withControls(async ({ data }) => ok({ ended: await data.signEveryoneOut() })),
    requests: () => withControls(({ behaviour }) => ok(behaviour.requests())),
    clearRequests: () =>
      withControls(({ behaviour, clients }) => {
        behaviour.clearRequests();
        clients.clear();
        return ok<LoggedRequest[]>([]);
      }),
    clientReport: () => withControls(({ clients }) => ok(clients.lines())),
    moveClock: ({ to }) =>
      withControls(async ({ clock }) => {
        const moved = await clock.move(clockMoves[to]);
        if (!moved.ok) return fail({ kind: 'clock-not-moved', reason: moved.kind });
        state.set({ clockAheadMs: moved.clock.aheadMs });
        return ok(state.get());
      }),
    counts: () => withControls(countsOf),
    data: () => withControls(dataOf),
    reset: ({ set, seed }) => withData((data) => data.reset(set, seed)),
    undo: () => withData((data) => data.undo()),
    snapshot: () => withData((data) => data.snapshot()),
    restore: ({ id }) => withData((data) => data.restore(id)),
    removeSnapshot: ({ id }) => withData((data) => data.removeSnapshot(id)),
  };
}
