import type { RunStep } from '../../preload/contract/contract-runs.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { behaviourOf, clockMoves, unlessUnavailable } from '../built-in-server/built-in-server.ts';
import { isDoubleId } from '../config/config.ts';
import { answerState } from '../ipc/answer-state.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { Log } from '../log.ts';
import { stoppedDouble, type DoubleFacts } from '../state/project-state.ts';
import { createDoubleFiles, type DoubleFiles } from './double-files.ts';
import { createDoubles, type Doubles } from './doubles.ts';
import { createMeasuring, type RunsForDoubles } from './measuring.ts';
import { createModelFiles, type ModelFileOptions } from './model-files.ts';
import { createProofs, type Proofs } from './proofs.ts';
import { createRunningDoubles, type RunningDoubles } from './running-doubles.ts';
import { startDoubleService } from './start-double-service.ts';

/** Where the first double listens, if nothing else does. */
const firstPort = 4860;

/**
 * Holds the doubles of the window: servers that were measured, and are imitated on this computer, each with a port, a
 * model and accounts of its own.
 */
export function createDoublesRoom(
  options: Pick<Parameters<typeof createDoubles>[0], 'config' | 'state' | 'language'> &
    Pick<ModelFileOptions, 'chooseFile'> & {
      /** The folder of all doubles. */
      folder: string;
      runs: () => Promise<RunsForDoubles>;
      /** Makes sure that a server which runs here does so. */
      ready: (serverId: string) => Promise<Result<null>>;
      log: Log;
    },
) {
  const { config, state, log } = options;
  const files = createDoubleFiles(options.folder);
  const known = new Map<string, DoubleFacts>();
  const settings = () => config.get().service;

  /** The state is told of a copy, so that one of before stays as it was. */
  function tell(id: string, facts: DoubleFacts | undefined): void {
    if (facts) known.set(id, facts);
    else known.delete(id);
    state.set({ doubles: new Map(known) });
  }

  const running: RunningDoubles = createRunningDoubles({
    model: files.model,
    start: (id, model) =>
      startDoubleService(model, {
        file: files.database(id),
        port: doubles.stored(id)?.port ?? firstPort,
        settings: settings(),
        log,
      }),
    onChange: (id, facts) => tell(id, facts && { ...facts, proving: known.get(id)?.proving }),
    onListening: (id, port) => doubles.change(id, { port }),
  });
  const proofs = createProofs({
    files,
    pathsOf: (id) => doubles.find(id)?.pinned,
    async startAside(model) {
      const { startService } = await import('../service/server.ts');
      // Limits that were not measured would only make this wait.
      const rateLimit = model.rules.failedLogins.calls.length > 0 ? 'on' : 'off';
      const { argon2 } = settings();
      const started = await startService({ database: { file: ':memory:' }, port: 0, model, rateLimit, argon2 });
      return started.ok ? started.service : undefined;
    },
    onProgress: (id, proving) => tell(id, { ...(known.get(id) ?? stoppedDouble), proving }),
    onCompared: (id, compared) => doubles.change(id, { compared }),
    report: log.report,
  });
  const measuring = createMeasuring({ ...options, callsPerSecond: () => config.get().settings.callsPerSecond });
  const doubles: Doubles = createDoubles({ ...options, files, running, proofs, measuring });

  return {
    doubles,
    files,
    handlers: doubleHandlers({ ...options, doubles, files, running, proofs }),

    /** Makes sure that a double runs. Of any other server it says nothing. */
    ready: async (id: string): Promise<Result<null>> =>
      isDoubleId(id) && doubles.stored(id) ? running.start(id) : ok(null),

    runStepped: (step: RunStep): void => doubles.runStepped(step),
    removed: (id: string): Promise<void> => doubles.removed(id),

    async close(): Promise<void> {
      await proofs.close();
      await running.close();
    },
  };
}

type HandlerOptions = Pick<Parameters<typeof createDoublesRoom>[0], 'state' | 'chooseFile' | 'runs'> & {
  doubles: Doubles;
  files: DoubleFiles;
  running: RunningDoubles;
  proofs: Proofs;
};

/** Makes what the window may ask of doubles. */
function doubleHandlers({
  state,
  chooseFile,
  runs,
  doubles,
  files,
  running,
  proofs,
}: HandlerOptions): Handlers['doubles'] {
  const then = answerState(state.get);
  const models = createModelFiles({ chooseFile, runs, files, doubles });
  const ofDouble = async <T>(id: string, work: () => Promise<Result<T>> | Result<T>): Promise<Result<T>> =>
    doubles.stored(id) ? work() : fail({ kind: 'not-now' });

  return {
    make: ({ serverId, measure }) => doubles.make(serverId, measure),
    measureAgain: ({ id }) => doubles.measureAgain(id),
    cancel: () => then(doubles.cancel().then(() => ok(null))),
    compare: ({ id }) =>
      then(
        ofDouble(id, () => {
          if (doubles.stored(id)?.originId === undefined) return fail({ kind: 'not-now' });
          proofs.begin(id);
          return ok(null);
        }),
      ),
    start: ({ id }) => then(ofDouble(id, () => running.start(id))),
    stop: ({ id }) =>
      then(
        ofDouble(id, async () => {
          await running.stop(id);
          return ok(null);
        }),
      ),
    details: ({ id }) => ofDouble(id, async () => (await import('./details.ts')).detailsOf(id, files)),
    moveClock: ({ id, to }) =>
      then(
        running.control(id, ({ clock }) =>
          unlessUnavailable(async () => {
            const moved = await clock.move(clockMoves[to]);
            if (!moved.ok) return fail({ kind: 'clock-not-moved', reason: moved.kind });
            return ok({ clockAheadMs: moved.clock.aheadMs });
          }),
        ),
      ),
    behave: ({ id, change: { wrong, faults, seed } }) =>
      then(
        running.control(id, (controls) => {
          const possible = faults?.map(controls.possibleFault).filter((each) => each !== undefined);
          if (possible?.length !== faults?.length) return fail({ kind: 'invalid-fault' });
          controls.behaviour.set({
            ...(wrong && { wrong }),
            ...(possible && { faults: possible }),
            ...(seed !== undefined && { seed }),
          });
          return ok({ behaviour: behaviourOf(controls) });
        }),
      ),
    exportModel: ({ id }) => ofDouble(id, () => models.exportModel(id)),
    shareFinding: (which) => models.shareFinding(which),
    importModel: () => models.importModel(),
  };
}
