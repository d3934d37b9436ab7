import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Parts, Refusals } from '../parts.ts';
import { operationOf } from '../operations.ts';
import { refuse, refuseFailure, refuseThrottled } from '../replies.ts';
import { alterAnswer, type Round } from './altered-answers.ts';
import { dialects } from './dialects.ts';
import { createFaultPlan, type FaultKind, type FaultPlan, type Fired } from './faults.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import type { BehaviourSettings } from './settings.ts';
import { createWrongUses, partsGoneWrong } from './wrongs.ts';

type BehaviourState = BehaviourSettings & {
  /** Whether it misbehaves on purpose in any way. */
  isOn: boolean;
  /** For each fault, how many requests it will still meet; undefined for a probability. */
  left: (number | undefined)[];
};

export type Behaviour = {
  get(): BehaviourState;
  /** Changes the behaviour from the next request on. Faults and seed begin anew when either is given. */
  set(changes: Partial<BehaviourSettings>): BehaviourState;
  /** Answers the requests that are kept, the newest first. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** Calls the one listener whenever a request was added to the log. */
  onRequest(listener: () => void): void;
};

/** Goes on with what a piece of work resolves to; undefined says that there is no more to do. */
async function settle<T>(work: Promise<T | undefined>, goOn: (error: Error | null, value?: T) => void): Promise<void> {
  let value: T | undefined;
  try {
    value = await work;
  } catch (cause) {
    return goOn(cause instanceof Error ? cause : new Error(String(cause)));
  }
  if (value !== undefined) goOn(null, value);
}

/** How the service itself answers to what the faults say. */
const ownRefusals: Refusals = {
  failed: (request, reply) => void refuseFailure(request, reply),
  throttled: (request, reply, seconds) => void refuseThrottled(request, reply, seconds),
  unauthenticated: (request, reply) => void refuse(request, reply, 'unauthenticated'),
};

/** Waits and answers as the faults say: `true` to go on, undefined when the request was answered. */
async function meet(
  { latencyMs, other }: Fired,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
  refusals: Refusals,
): Promise<true | undefined> {
  if (latencyMs !== undefined) {
    // A service that closes waits for nobody.
    await delay(latencyMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  }
  const { kind, value = 0 } = other ?? {};
  if (kind === '500') refusals.failed(request, reply, value);
  else if (kind === '429') refusals.throttled(request, reply, value);
  else if (kind === 'expired') refusals.unauthenticated(request, reply, value);
  else return true;
  return undefined;
}

function faultKindsOf(fired: Fired | undefined): FaultKind[] {
  const kinds: FaultKind[] = fired?.latencyMs === undefined ? [] : ['latency'];
  return fired?.other ? [...kinds, fired.other.kind] : kinds;
}

/**
 * Makes the service misbehave on purpose, for whoever tests a client against it. All of it stands around the routes,
 * which know nothing of it: it changes the parts they are made of, and what they answer.
 */
export function createBehaviour(initial: Partial<BehaviourSettings>) {
  let settings: BehaviourSettings = { faults: [], seed: 1, wrong: [], keepRequests: 0, ...initial };
  let plan: FaultPlan = createFaultPlan(settings.faults, settings.seed);
  let isOn = false;
  const log = createRequestLog();
  const rounds = new WeakMap<FastifyRequest, Round>();
  const uses = createWrongUses();

  function apply(changes: Partial<BehaviourSettings>): void {
    settings = { ...settings, ...changes };
    if (changes.faults !== undefined || changes.seed !== undefined) {
      plan = createFaultPlan(settings.faults, settings.seed);
    }
    isOn = settings.dialect !== undefined || settings.faults.length > 0 || settings.wrong.length > 0;
    log.keep(settings.keepRequests);
    uses.follow(settings.wrong);
  }
  apply(settings);

  /** Decides what a request meets. Only those for a route of the interface meet anything. */
  function decide(request: FastifyRequest): Fired {
    const operation = operationOf(request);
    if (operation === undefined) return {};
    const fired = plan.pick(operation);
    rounds.set(request, { operation, settings, fired });
    return fired;
  }

  const get = (): BehaviourState => ({ ...settings, isOn, left: plan.left() });
  const control: Behaviour = {
    get,
    set(changes) {
      apply(changes);
      return get();
    },
    requests: log.list,
    clearRequests: log.clear,
    onRequest: log.onAdd,
  };

  return {
    control,

    /** What to build the routes of. */
    partsOf: (parts: Parts): Parts => partsGoneWrong(parts, uses),

    /** Keeps the log of requests, also of those that no route is found for: on the application, before its own hooks. */
    watch(app: App, now: () => number): void {
      app.addHook('onRequest', (request, reply, done) => {
        if (log.isOn()) log.addWhenClosed(request, reply, now, () => faultKindsOf(rounds.get(request)?.fired));
        done();
      });
    },

    /** Stands around the routes of a scope. While it is off, it costs each request two comparisons. */
    surround(scope: App, parts: Parts): void {
      const closing = new AbortController();
      scope.addHook('preClose', (done) => {
        closing.abort();
        done();
      });
      scope.addHook('onRequest', (request, reply, done) => {
        if (!isOn) return done();
        const { dialect } = settings;
        // The dialect has a language, so our texts in its answers are of that language too.
        if (dialect !== undefined) request.headers['accept-language'] = dialects[dialect].language;
        const met = meet(decide(request), request, reply, closing.signal, parts.refusals ?? ownRefusals);
        void settle(met, (error) => (error ? done(error) : done()));
      });
      scope.addHook('onSend', (request, reply, payload, done) => {
        const round = rounds.get(request);
        if (round === undefined || typeof payload !== 'string') return done(null, payload);
        void settle(alterAnswer(request, reply, payload, round, parts), done);
      });
    },
  };
}

export type MisbehavingService = ReturnType<typeof createBehaviour>;
