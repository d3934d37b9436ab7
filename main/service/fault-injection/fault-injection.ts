import { setTimeout as delay } from 'node:timers/promises';
import type { FaultKind } from '../../../preload/contract/names.ts';
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { ErrorResponders } from '../mock/mock-routes.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import type { WrappedDependencies } from '../server.ts';
import { operationAt, operationOf } from '../operations.ts';
import { sendError, sendInternalError, sendTooManyRequests } from '../responses.ts';
import { alterResponse, type AlterationDependencies, type RequestDecision } from './alter-response.ts';
import { dialects } from './dialects.ts';
import { createFaultPlan, type FaultPlan, type TriggeredFaults } from './faults.ts';
import { createRequestLog, type RequestLogEntry } from './request-log.ts';
import type { FaultInjectionSettings } from './fault-injection-settings.ts';
import { createDefectiveStore, createDefectiveTokenStore, createSecretGenerator } from './defective-store.ts';
import { createDefectActivations } from './defects.ts';
import { addAccountDefectHooks } from './account-defect-hooks.ts';
import { createDefectiveAccountCalls } from './defective-account-calls.ts';

type FaultInjectionState = FaultInjectionSettings & {
  /** Whether anything is simulated. */
  isOn: boolean;
  /** The remaining count of each fault; undefined for a probability. */
  left: (number | undefined)[];
};

export type FaultInjectionControl = {
  get(): FaultInjectionState;
  /** Applies from the next request on. A change of faults or seed restarts both. */
  set(changes: Partial<FaultInjectionSettings>): FaultInjectionState;
  /** The logged requests, the newest first. */
  requests(): RequestLogEntry[];
  clearRequests(): void;
  /** Sets the one listener for logged requests. */
  onRequest(listener: () => void): void;
};

/** Calls a hook's `done` with what a promise resolves to, unless that is undefined: the request is answered then. */
async function callbackOf<T>(
  work: Promise<T | undefined>,
  done: (error: Error | null, value?: T) => void,
): Promise<void> {
  let value: T | undefined;
  try {
    value = await work;
  } catch (cause) {
    return done(cause instanceof Error ? cause : new Error(String(cause)));
  }
  if (value !== undefined) done(null, value);
}

/** The error responses of the service itself. */
const defaultResponders: ErrorResponders = {
  failed: (request, reply) => void sendInternalError(request, reply),
  throttled: (request, reply, seconds) => void sendTooManyRequests(request, reply, seconds),
  unauthenticated: (request, reply) => void sendError(request, reply, 'unauthenticated'),
};

/** Simulates the faults before an operation: `true` to go on, undefined if the request was answered. */
async function injectFaults(
  { latencyMs, other }: TriggeredFaults,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
  responders: ErrorResponders,
): Promise<true | undefined> {
  if (latencyMs !== undefined) {
    // Ended when the service closes.
    await delay(latencyMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  }
  const { kind, value = 0 } = other ?? {};
  if (kind === '500') responders.failed(request, reply, value);
  else if (kind === '429') responders.throttled(request, reply, value);
  else if (kind === 'expired') responders.unauthenticated(request, reply, value);
  else return true;
  return undefined;
}

function faultKindsOf(fired: TriggeredFaults | undefined): FaultKind[] {
  const kinds: FaultKind[] = fired?.latencyMs === undefined ? [] : ['latency'];
  return fired?.other ? [...kinds, fired.other.kind] : kinds;
}

/** The request decorator with what was decided for a request. */
const DECISION = 'faultInjectionDecision';
const decisionOf = (request: FastifyRequest): RequestDecision | null =>
  request.getDecorator<RequestDecision | null>(DECISION);

/** Simulated faults, vulnerabilities and response formats, to test clients against. */
export class FaultInjection implements FaultInjectionControl {
  readonly #activations = createDefectActivations();
  readonly #log = createRequestLog();
  #settings: FaultInjectionSettings;
  #plan: FaultPlan = createFaultPlan([], 1);
  #isOn = false;
  #secretOf: AlterationDependencies['secretOf'] = () => undefined;

  constructor(initial: Partial<FaultInjectionSettings>) {
    this.#settings = { faults: [], seed: 1, defects: [], accountDefects: [], keepRequests: 0, ...initial };
    this.set(this.#settings);
  }

  get(): FaultInjectionState {
    return { ...this.#settings, isOn: this.#isOn, left: this.#plan.left() };
  }

  set(changes: Partial<FaultInjectionSettings>): FaultInjectionState {
    this.#settings = { ...this.#settings, ...changes };
    const { dialect, faults, seed, keepRequests } = this.#settings;
    const defects = [...this.#settings.defects, ...this.#settings.accountDefects];
    if (changes.faults !== undefined || changes.seed !== undefined) this.#plan = createFaultPlan(faults, seed);
    this.#isOn = dialect !== undefined || faults.length > 0 || defects.length > 0;
    this.#log.setCapacity(keepRequests);
    this.#activations.setActive(defects);
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

  /** Wraps what the routes use with the simulated vulnerabilities. */
  wrap({ accounts, passwords, mockTokens, accountCalls }: WrappedDependencies, now: () => number): WrappedDependencies {
    const activations = this.#activations;
    const defective = createDefectiveStore(accounts, activations, now);
    this.#secretOf = defective.secretOf;
    const wrapped: Pick<WrappedDependencies, 'accounts' | 'passwords'> = {
      accounts: defective.store,
      passwords: {
        ...passwords,
        matches: async (password, hash) =>
          (hash !== undefined || !activations.isOn('unknown-email-by-time')) && passwords.matches(password, hash),
      },
    };
    return {
      ...wrapped,
      mockTokens: mockTokens && {
        tokenStore: createDefectiveTokenStore(mockTokens.tokenStore, activations),
        createSecret: createSecretGenerator(activations),
        ignoresCpassword: () => activations.isOn('cpassword-ignored'),
      },
      ...(accountCalls && createDefectiveAccountCalls({ ...wrapped, accountCalls }, activations, defective)),
    };
  }

  /** Logs all requests, and simulates faults around the five operations, whose routes know nothing of it. */
  addHooks(app: App, { accounts, now, tokenLifetimeSeconds, accountCalls }: RouteDependencies): void {
    app.decorateRequest(DECISION, null);
    const closing = new AbortController();
    const parts = { accounts, now, tokenLifetimeSeconds, secretOf: this.#secretOf };
    if (accountCalls) addAccountDefectHooks(app, { ...parts, activations: this.#activations });
    const simulateFaults: onRequestHookHandler = (request, reply, done) => {
      if (!this.#isOn) return done();
      void callbackOf(this.#decide(request, reply, closing.signal), (error) => (error ? done(error) : done()));
    };
    const alter: onSendHookHandler = (request, reply, payload, done) => {
      const decision = decisionOf(request);
      if (decision === null || typeof payload !== 'string') return done(null, payload);
      void callbackOf(alterResponse(request, reply, payload, decision, parts), done);
    };
    app.addHook('preClose', (done) => {
      closing.abort();
      done();
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#log.isOn())
        this.#log.addWhenClosed(request, reply, now, () => faultKindsOf(decisionOf(request)?.fired));
      done();
    });
    app.addHook('onRoute', (route) => {
      const hooks = [route.onRequest ?? []].flat();
      // The route for HEAD is a copy of the one for GET.
      if (operationAt(route.url) === undefined || hooks.includes(simulateFaults)) return;
      route.onRequest = [simulateFaults, ...hooks];
      route.preValidation = [this.#repeatPassword, ...[route.preValidation ?? []].flat()];
      route.onSend = [...[route.onSend ?? []].flat(), alter];
    });
  }

  /** Picks the faults of a request and simulates those that come before its operation. */
  #decide(request: FastifyRequest, reply: FastifyReply, closing: AbortSignal): Promise<true | undefined> {
    const settings = this.#settings;
    // The service's own texts within the response are in the language of the format.
    if (settings.dialect !== undefined) request.headers['accept-language'] = dialects[settings.dialect].language;
    const operation = operationOf(request);
    const fired = operation === undefined ? {} : this.#plan.pick(operation);
    if (operation !== undefined) request.setDecorator<RequestDecision>(DECISION, { operation, settings, fired });
    return injectFaults(fired, request, reply, closing, request.routeOptions.config.refusals ?? defaultResponders);
  }

  readonly #repeatPassword: preValidationHookHandler = (request, _reply, done) => {
    const { body } = request;
    if (this.#activations.isOn('cpassword-ignored') && typeof body === 'object' && body !== null && 'password' in body)
      request.body = { ...body, cpassword: body.password };
    done();
  };
}
