import { setTimeout as delay } from 'node:timers/promises';
import type { FaultKind } from '../../../preload/contract/names.ts';
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { Passwords } from '../domain/passwords.ts';
import type { ErrorResponders } from '../mock/mock-routes.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import type { AccountStore } from '../stores/account-store.ts';
import { operationAt, operationOf } from '../operations.ts';
import { sendError, sendInternalError, sendTooManyRequests } from '../responses.ts';
import { alterResponse, type AlterationDependencies, type RequestDecision } from './alter-response.ts';
import { dialects } from './dialects.ts';
import { createFaultPlan, type FaultPlan, type TriggeredFaults } from './faults.ts';
import { createRequestLog, type RequestLogEntry } from './request-log.ts';
import type { FaultInjectionSettings } from './fault-injection-settings.ts';
import { createDefectiveStore } from './defective-store.ts';
import { createDefectActivations } from './defects.ts';

type BehaviourState = FaultInjectionSettings & {
  /** Whether it misbehaves on purpose in any way. */
  isOn: boolean;
  /** For each fault, how many requests it will still meet; undefined for a probability. */
  left: (number | undefined)[];
};

export type FaultInjectionControl = {
  get(): BehaviourState;
  /** Changes the behaviour from the next request on. Faults and seed begin again when either is given. */
  set(changes: Partial<FaultInjectionSettings>): BehaviourState;
  /** Answers the requests that are kept, the newest first. */
  requests(): RequestLogEntry[];
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
const ownRefusals: ErrorResponders = {
  failed: (request, reply) => void sendInternalError(request, reply),
  throttled: (request, reply, seconds) => void sendTooManyRequests(request, reply, seconds),
  unauthenticated: (request, reply) => void sendError(request, reply, 'unauthenticated'),
};

/** Waits and answers as the faults say: `true` to go on, undefined when the request was answered. */
async function meet(
  { latencyMs, other }: TriggeredFaults,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
  refusals: ErrorResponders,
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

function faultKindsOf(fired: TriggeredFaults | undefined): FaultKind[] {
  const kinds: FaultKind[] = fired?.latencyMs === undefined ? [] : ['latency'];
  return fired?.other ? [...kinds, fired.other.kind] : kinds;
}

/**
 * Makes the service misbehave on purpose, to test a client against it. All of it stands around the routes,
 * which know nothing of it: it wraps the store and the passwords, and changes what is answered.
 */
export class FaultInjection implements FaultInjectionControl {
  readonly activations = createDefectActivations();
  readonly #log = createRequestLog();
  readonly #rounds = new WeakMap<FastifyRequest, RequestDecision>();
  #settings: FaultInjectionSettings;
  #plan: FaultPlan = createFaultPlan([], 1);
  #isOn = false;
  #secretOf: AlterationDependencies['secretOf'] = () => undefined;

  constructor(initial: Partial<FaultInjectionSettings>) {
    this.#settings = { faults: [], seed: 1, defects: [], keepRequests: 0, ...initial };
    this.set(this.#settings);
  }

  get(): BehaviourState {
    return { ...this.#settings, isOn: this.#isOn, left: this.#plan.left() };
  }

  set(changes: Partial<FaultInjectionSettings>): BehaviourState {
    this.#settings = { ...this.#settings, ...changes };
    const { dialect, faults, seed, defects, keepRequests } = this.#settings;
    if (changes.faults !== undefined || changes.seed !== undefined) this.#plan = createFaultPlan(faults, seed);
    this.#isOn = dialect !== undefined || faults.length > 0 || defects.length > 0;
    this.#log.setCapacity(keepRequests);
    this.activations.setActive(defects);
    return this.get();
  }

  requests(): RequestLogEntry[] {
    return this.#log.list();
  }

  clearRequests(): void {
    this.#log.clear();
  }

  onRequest(listener: () => void): void {
    this.#log.onAdd(listener);
  }

  /** Wraps the store with what the wrong modes do to tokens. */
  accounts(store: AccountStore, now: () => number): AccountStore {
    const wrong = createDefectiveStore(store, this.activations, now);
    this.#secretOf = wrong.secretOf;
    return wrong.store;
  }

  passwords(passwords: Passwords): Passwords {
    const isUnasked = (hash: string | undefined) =>
      hash === undefined && this.activations.isOn('unknown-email-by-time');
    return {
      ...passwords,
      matches: async (password, hash) => (isUnasked(hash) ? false : passwords.matches(password, hash)),
    };
  }

  /** Keeps the log of requests, also of those that no route is found for, and stands around the five operations. */
  plugin(app: App, { accounts, now, tokenLifetimeSeconds }: RouteDependencies): void {
    const closing = new AbortController();
    const parts = { accounts, now, tokenLifetimeSeconds, secretOf: this.#secretOf };
    const first: onRequestHookHandler = (request, reply, done) => {
      // While all is well, this is all that a request meets.
      if (!this.#isOn) return done();
      void settle(this.#meet(request, reply, closing.signal), (error) => (error ? done(error) : done()));
    };
    const last: onSendHookHandler = (request, reply, payload, done) => {
      const round = this.#rounds.get(request);
      if (round === undefined || typeof payload !== 'string') return done(null, payload);
      void settle(alterResponse(request, reply, payload, round, parts), done);
    };
    app.addHook('preClose', (done) => {
      closing.abort();
      done();
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#log.isOn())
        this.#log.addWhenClosed(request, reply, now, () => faultKindsOf(this.#rounds.get(request)?.fired));
      done();
    });
    app.addHook('onRoute', (route) => {
      const hooks = [route.onRequest ?? []].flat();
      // The route for HEAD is a copy of the one for GET.
      if (operationAt(route.url) === undefined || hooks.includes(first)) return;
      route.onRequest = [first, ...hooks];
      route.preValidation = [this.#repeatPassword, ...[route.preValidation ?? []].flat()];
      route.onSend = [...[route.onSend ?? []].flat(), last];
    });
  }

  /** Decides what a request meets, and does it, before anything of its route is done. */
  #meet(request: FastifyRequest, reply: FastifyReply, closing: AbortSignal): Promise<true | undefined> {
    const settings = this.#settings;
    // The dialect has a language, so our texts in its answers are of that language too.
    if (settings.dialect !== undefined) request.headers['accept-language'] = dialects[settings.dialect].language;
    const operation = operationOf(request);
    const fired = operation === undefined ? {} : this.#plan.pick(operation);
    if (operation !== undefined) this.#rounds.set(request, { operation, settings, fired });
    return meet(fired, request, reply, closing, request.routeOptions.config.refusals ?? ownRefusals);
  }

  /** Makes `cpassword` equal to the password, whatever was sent. */
  readonly #repeatPassword: preValidationHookHandler = (request, _reply, done) => {
    const { body } = request;
    if (this.activations.isOn('cpassword-ignored') && typeof body === 'object' && body !== null && 'password' in body)
      request.body = { ...body, cpassword: body.password };
    done();
  };
}
