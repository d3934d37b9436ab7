import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { behaviourOf } from '../built-in-server/built-in-server.ts';
import type { Controls } from '../built-in-server/controls.ts';
import type { ServerModel } from '../service/double/model.ts';
import type { ModelRead } from '../service/double/read-model.ts';
import { stoppedDouble, type DoubleFacts } from '../state/project-state.ts';
import type { StartedDouble } from './start-double-service.ts';

type Running = { controls: Controls | undefined; close: () => Promise<void> };

export type RunningDoubles = ReturnType<typeof createRunningDoubles>;

/** Starts doubles and stops them, and says how each is. Each does one thing at a time. */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and share what runs.
export function createRunningDoubles(options: {
  model: (id: string) => Promise<ModelRead>;
  start: (id: string, model: ServerModel) => Promise<StartedDouble>;
  /** Called with what is known of a double whenever that changes. */
  onChange: (id: string, facts: DoubleFacts | undefined) => void;
  /** Called with the port of a double that was started. */
  onListening: (id: string, port: number) => void;
}) {
  const { onChange } = options;
  const facts = new Map<string, DoubleFacts>();
  const running = new Map<string, Running>();
  /** What was last begun with each. It never rejects. */
  const turns = new Map<string, Promise<unknown>>();
  let isClosed = false;

  /** Says something new of a double, unless it is gone. */
  function tell(id: string, changed: Partial<DoubleFacts>): void {
    const next = { ...(facts.get(id) ?? stoppedDouble), ...changed };
    facts.set(id, next);
    onChange(id, next);
  }

  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const result = (turns.get(id) ?? Promise.resolve()).then(work);
    turns.set(
      id,
      result.catch(() => undefined),
    );
    return result;
  }

  /** Most requests change nothing that is shown. */
  function follow(id: string, controls: Controls): void {
    controls.behaviour.onRequest(() => {
      const left = facts.get(id)?.behaviour.left ?? [];
      const isOther = controls.behaviour.get().left.some((each, index) => (each ?? null) !== left[index]);
      if (isOther && running.has(id)) tell(id, { behaviour: behaviourOf(controls) });
    });
  }

  async function startNow(id: string): Promise<Result<null>> {
    if (running.has(id)) return ok(null);
    if (isClosed) return fail({ kind: 'not-now' });
    tell(id, { ...stoppedDouble, run: { state: 'starting' } });
    const model = await options.model(id);
    const started: StartedDouble = model.ok
      ? await options.start(id, model.model)
      : { ok: false, message: model.sentence };
    if (!started.ok) {
      tell(id, { run: { state: 'failed', message: started.message } });
      return fail({ kind: 'double-stopped', message: started.message });
    }
    const { controls, close, status } = started.started;
    running.set(id, { controls, close });
    if (controls) follow(id, controls);
    options.onListening(id, started.port);
    tell(id, { run: { state: 'running' }, baseUrl: status.state === 'running' ? status.baseUrl : '' });
    return ok(null);
  }

  async function stopNow(id: string): Promise<void> {
    const found = running.get(id);
    running.delete(id);
    await found?.close();
    tell(id, stoppedDouble);
  }

  const stop = (id: string): Promise<void> => inTurn(id, () => stopNow(id));

  return {
    /** Succeeds when the double runs. */
    start: (id: string): Promise<Result<null>> => inTurn(id, () => startNow(id)),
    stop,
    isRunning: (id: string): boolean => running.has(id),

    /** Stops a double that is no more, and forgets it. */
    async forget(id: string): Promise<void> {
      await stop(id);
      facts.delete(id);
      onChange(id, undefined);
    },

    /** Acts on a double that runs, and says how it is then. */
    async control(
      id: string,
      work: (controls: Controls) => Promise<Result<Partial<DoubleFacts>>> | Result<Partial<DoubleFacts>>,
    ): Promise<Result<null>> {
      const controls = running.get(id)?.controls;
      if (!controls) return fail({ kind: 'not-now' });
      const changed = await work(controls);
      if (!changed.ok) return changed;
      tell(id, changed.value);
      return ok(null);
    },

    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...turns.keys()].map(stop));
    },
  };
}
