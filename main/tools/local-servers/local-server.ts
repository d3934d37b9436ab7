import { z } from 'zod';
import type { ServerBehaviour, BehaviourChange, ClockPreset } from '../../../preload/contract/local-servers.ts';
import { accountDefectNames, type AccountDefectName, type VulnerabilityName } from '../../../preload/contract/names.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { ExtendedService } from '../../service/fault-injection/extended-service.ts';
import { stoppedServer, type LocalServerStatus } from '../../account/state/project-state.ts';

/** A service that runs, or why it could not be started, in one English sentence. */
export type StartedService = { ok: true; service: ExtendedService } | { ok: false; message: string };

type Controls = Required<Pick<ExtendedService, 'faultInjection' | 'data' | 'clock' | 'clients'>>;

/** The service with all its controls. */
export type ControlledService = ExtendedService & { [K in keyof Controls]-?: NonNullable<Controls[K]> };

/** The stores of the service reject with this while their database cannot be used. */
const Unavailable = z.object({
  code: z.literal('LLAVERO_STORE_UNAVAILABLE'),
  reason: z.enum(['full', 'read-only', 'locked', 'unreachable', 'failing']),
});

/** Turns the error of an unavailable database into a failure. Every other throw is a bug. */
async function catchUnavailable<T>(work: () => Promise<Result<T>> | Result<T>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const read = Unavailable.safeParse(error);
    if (!read.success) throw error;
    return fail({ kind: 'database-unavailable', reason: read.data.reason });
  }
}

const clockMoves = {
  minute: { advanceMs: 60_000 },
  hour: { advanceMs: 3_600_000 },
  'newest-token-end': { to: 'newest-token-end' },
  now: { to: 'now' },
} as const satisfies Record<ClockPreset, unknown>;

function behaviourOf({ faultInjection }: ControlledService): ServerBehaviour {
  const { isOn, dialect = null, defects, accountDefects, faults, left, seed } = faultInjection.get();
  const all = [...defects, ...accountDefects];
  return { isOn, dialect, defects: all, faults: [...faults], left: left.map((each) => each ?? null), seed };
}

const isAccountDefect = (name: VulnerabilityName): name is AccountDefectName =>
  accountDefectNames.some((each) => each === name);

const isControlled = (service: ExtendedService): service is ControlledService =>
  [service.faultInjection, service.data, service.clock, service.clients].every((each) => each !== undefined);

type LocalServerOptions = {
  /** Starts the service. It never rejects. */
  start: () => Promise<StartedService>;
  /** The failure that names a server which could not be started. */
  failure: 'built-in-stopped' | 'mock-stopped';
  onChange: (facts: LocalServerStatus) => void;
  /** Called for each request that it answered. */
  onRequest?: (() => void) | undefined;
};

/**
 * A server on this computer: the built-in server or a mock server. Starts and stops run one after the other, and every
 * change of its status is reported.
 */
export class LocalServer implements AsyncDisposable {
  readonly #options: LocalServerOptions;
  #status = stoppedServer;
  #service: ExtendedService | undefined;
  readonly #first = Promise.withResolvers<void>();
  /** The last start or stop. It never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#service !== undefined;
  }

  /** Succeeds when the server runs. */
  start = (): Promise<Result<null>> => this.#runExclusive(() => this.#startNow());

  stop = (): Promise<void> => this.#runExclusive(() => this.#stopNow());

  /** Waits for the first start, and for another one that is under way; fails if that failed. */
  async started(): Promise<Result<null>> {
    await this.#first.promise;
    await this.#last;
    return this.#outcome();
  }

  /** Runs `work` once the service has started. */
  async withService<T>(work: (service: ControlledService) => Promise<Result<T>> | Result<T>): Promise<Result<T>> {
    const started = await this.started();
    if (!started.ok) return started;
    const service = this.#service;
    if (!service || !isControlled(service)) return fail({ kind: 'not-now' });
    return catchUnavailable(() => work(service));
  }

  /** Changes the given parts; an invalid fault changes nothing. */
  setBehaviour({ dialect, defects, faults, seed }: BehaviourChange): Promise<Result<null>> {
    return this.withService(async (service) => {
      const { validateFault } = await import('../../service/fault-injection/faults.ts');
      const possible = faults?.map(validateFault).filter((each) => each !== undefined);
      if (possible?.length !== faults?.length) return fail({ kind: 'invalid-fault' });
      service.faultInjection.set({
        ...(dialect !== undefined && { dialect: dialect ?? undefined }),
        ...(defects && {
          defects: defects.filter((name) => !isAccountDefect(name)),
          accountDefects: defects.filter(isAccountDefect),
        }),
        ...(possible && { faults: possible }),
        ...(seed !== undefined && { seed }),
      });
      this.#updateStatus({ behaviour: behaviourOf(service) });
      return ok(null);
    });
  }

  moveClock = ({ to }: { to: ClockPreset }): Promise<Result<null>> =>
    this.withService(async ({ clock }) => {
      const moved = await clock.move(clockMoves[to]);
      if (!moved.ok) return fail({ kind: 'clock-not-moved', reason: moved.kind });
      this.#updateStatus({ clockAheadMs: moved.clock.aheadMs });
      return ok(null);
    });

  /** A check makes a client's mistakes on purpose, so it is left out of the client report. */
  pauseClientReport = (isPaused: boolean): void => this.#service?.clients?.pause(isPaused);

  /** Stops the server, which starts no more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  #runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #outcome(): Result<null> {
    const { run } = this.#status;
    return run.state === 'failed' ? fail({ kind: this.#options.failure, message: run.message }) : ok(null);
  }

  #updateStatus(changed: Partial<LocalServerStatus>): void {
    this.#status = { ...this.#status, ...changed };
    this.#options.onChange(this.#status);
  }

  async #startNow(): Promise<Result<null>> {
    if (this.#service) return ok(null);
    if (this.#isClosed) return fail({ kind: 'not-now' });
    this.#updateStatus({ ...stoppedServer, run: { state: 'starting' } });
    const started = await this.#options.start();
    if (started.ok) {
      const { service } = started;
      this.#service = service;
      if (isControlled(service)) service.faultInjection.onRequest(() => this.#onRequest(service));
      this.#updateStatus({ run: { state: 'running' }, baseUrl: service.baseUrl });
    } else {
      this.#updateStatus({ run: { state: 'failed', message: started.message } });
    }
    this.#first.resolve();
    return this.#outcome();
  }

  async #stopNow(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.close();
    this.#updateStatus(stoppedServer);
  }

  /** Reports the behaviour if the request used up a fault, as few do. */
  #onRequest(service: ControlledService): void {
    const { left } = this.#status.behaviour;
    const isOther = service.faultInjection.get().left.some((each, index) => (each ?? null) !== left[index]);
    if (isOther && this.#service === service) this.#updateStatus({ behaviour: behaviourOf(service) });
    this.#options.onRequest?.();
  }
}
