import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createTokenSecret, digestOf } from '../domain/bearer.ts';
import { chooseLanguage } from '../language.ts';
import type { Language } from '../messages.ts';
import type { App, Parts } from '../parts.ts';
import { refuse, refuseThrottled, textsFor } from '../replies.ts';
import { dialects, say, type DialectName } from './dialects.ts';
import {
  createFaultPlan,
  formatFault,
  operations,
  type Fault,
  type FaultPlan,
  type Fired,
  type Operation,
} from './faults.ts';
import { readOutcome } from './outcomes.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import { spoil } from './spoil.ts';
import { partsGoneWrong, wrongs, type WrongName } from './wrongs.ts';

/** How the service is to misbehave. */
export type BehaviourSettings = {
  /** How it speaks; in its own way when absent. */
  dialect?: DialectName | undefined;
  faults: readonly Fault[];
  /** Decides every probability and every random latency: the same seed gives the same run. */
  seed: number;
  wrong: readonly WrongName[];
  /** How many of the last requests are kept, 0 for none; at most 10 000. */
  keepRequests: number;
};

export type BehaviourState = BehaviourSettings & {
  /** Whether anything is on that makes it misbehave. */
  isOn: boolean;
  /** For each fault, how many requests it will still meet; nothing for a probability. */
  left: (number | undefined)[];
};

export type Behaviour = {
  get(): BehaviourState;
  /** Counts from the next request on. Faults and seed begin anew when either is given; the rest stays as it is. */
  set(changes: Partial<BehaviourSettings>): BehaviourState;
  /** The newest first, as far as they are kept. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** Calls whenever a request was added to the log; one listener. */
  onRequest(listener: () => void): void;
};

const isOperation = (text: string): text is Operation => operations.some((operation) => operation === text);

/** What was decided for one request when it came: a change meanwhile is for the next one. */
type Round = { operation: Operation; settings: BehaviourSettings; fired: Fired };

/** Of a request that a route of the interface was found for. */
function operationOf(request: FastifyRequest): Operation | undefined {
  const last = request.routeOptions.url?.split('/').at(-1) ?? '';
  return isOperation(last) ? last : undefined;
}

const unknownEmailTexts: Record<Language, string> = {
  en: 'No account has this email.',
  es: 'Ninguna cuenta tiene este correo.',
};

/** Goes on with what a piece of work answers; nothing says that there is no more to do. */
async function settle<T>(work: Promise<T | undefined>, goOn: (error: Error | null, value?: T) => void): Promise<void> {
  let value: T | undefined;
  try {
    value = await work;
  } catch (cause) {
    return goOn(cause instanceof Error ? cause : new Error(String(cause)));
  }
  if (value !== undefined) goOn(null, value);
}

/** Puts what a wrong mode says too much of into an answer of our own: into its user, where it has one. */
function withExtras(body: Record<string, unknown>, extras: Record<string, string>): Record<string, unknown> {
  const { user } = body;
  return typeof user === 'object' ? { ...body, user: { ...user, ...extras } } : { ...body, ...extras };
}

/** For people: what is on, in the words of the options; nothing when all is well. */
export function describeBehaviour({ dialect, faults, seed, wrong }: BehaviourSettings): string {
  return [
    ...(dialect === undefined ? [] : [`dialect ${dialect}`]),
    ...(faults.length === 0 ? [] : [`faults ${faults.map(formatFault).join(' ')} with seed ${seed}`]),
    ...(wrong.length === 0 ? [] : [`wrong on purpose: ${wrong.join(', ')}`]),
  ].join('; ');
}

/**
 * Makes the service misbehave as told, for whoever tests a client against it. All of it stands around the routes,
 * which know nothing of it: it changes the parts they are made of, and what they answer.
 */
export function createBehaviour(initial: Partial<BehaviourSettings>) {
  let settings: BehaviourSettings = { faults: [], seed: 1, wrong: [], keepRequests: 0, ...initial };
  let plan: FaultPlan = createFaultPlan(settings.faults, settings.seed);
  let isOn = false;
  const log = createRequestLog();
  let onRequest = (): void => undefined;
  const rounds = new WeakMap<FastifyRequest, Round>();

  function apply(changes: Partial<BehaviourSettings>): void {
    settings = { ...settings, ...changes };
    if (changes.faults !== undefined || changes.seed !== undefined) {
      plan = createFaultPlan(settings.faults, settings.seed);
    }
    isOn = settings.dialect !== undefined || settings.faults.length > 0 || settings.wrong.length > 0;
    log.keep(settings.keepRequests);
  }
  apply(settings);

  const get = (): BehaviourState => ({ ...settings, isOn, left: plan.left() });

  /** `true` to go on; nothing when the request was answered in the operation's place. */
  async function begin(request: FastifyRequest, reply: FastifyReply, closing: AbortSignal): Promise<true | undefined> {
    const operation = operationOf(request);
    if (operation === undefined) return true;
    const fired = plan.pick(operation);
    rounds.set(request, { operation, settings, fired });
    if (fired.latencyMs !== undefined) {
      // A service that closes waits for nobody.
      await delay(fired.latencyMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
    }
    const { kind, value = 0 } = fired.other ?? {};
    if (kind === '500') {
      reply.code(500).send({ message: textsFor(request).refusals.failure, request_id: request.id });
    } else if (kind === '429') refuseThrottled(request, reply, value);
    else if (kind === 'expired') refuse(request, reply, 'unauthenticated');
    else return true;
    return undefined;
  }

  /** A token for whoever registered, as some dialects give one. */
  async function issueToken(
    accountId: number,
    { accounts, now, tokenLifetimeSeconds, ...parts }: Parts,
  ): Promise<string> {
    const secret = (parts.createSecret ?? createTokenSecret)();
    const createdAtMs = now();
    const expiresAtMs = createdAtMs + tokenLifetimeSeconds * 1000;
    const id = await accounts.createToken({ accountId, secretDigest: digestOf(secret), createdAtMs, expiresAtMs });
    return `${id}|${secret}`;
  }

  /** The text to send in the place of ours, after the reply has got its status and headers; nothing when it is sent. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: string,
    { operation, settings: { dialect: name, wrong }, fired }: Round,
    parts: Parts,
  ): Promise<string | undefined> {
    let text = payload;

    if (name !== undefined || wrong.length > 0) {
      const body: unknown = JSON.parse(payload);
      const status = reply.statusCode;
      const extras: Record<string, string> = {};
      let isUnknownEmail = false;
      for (const each of wrong) {
        const addition = await wrongs[each].add?.({ operation, status, sent: request.body, body }, parts);
        Object.assign(extras, addition?.extras);
        isUnknownEmail ||= addition?.isUnknownEmail ?? false;
      }
      const language = chooseLanguage(request.headers['accept-language']);
      if (name === undefined) {
        if (typeof body === 'object' && (isUnknownEmail || Object.keys(extras).length > 0)) {
          const said = { ...body, ...(isUnknownEmail && { message: unknownEmailTexts[language] }) };
          text = JSON.stringify(withExtras(said, extras));
        }
      } else {
        const dialect = dialects[name];
        const retryAfter = Number(reply.getHeader('retry-after'));
        const outcome = readOutcome(operation, { status, retryAfter, body, language, isUnknownEmail });
        if (outcome.kind === 'registered' && dialect.issuesTokenOnRegistration) {
          outcome.token = await issueToken(outcome.user.id, parts);
        }
        const said = say(
          dialect,
          outcome.kind,
          { ...outcome, nowMs: parts.now(), path: request.routeOptions.url ?? '' },
          extras,
        );
        reply.removeHeader('content-type').removeHeader('www-authenticate');
        // In one of its own headers, or nowhere.
        if (outcome.kind === 'throttled') reply.removeHeader('retry-after');
        reply.code(said.status).headers(said.headers);
        text = said.text;
      }
    }
    return fired.other ? spoil(reply, text, fired.other) : text;
  }

  return {
    /** What to build the routes of. */
    partsOf: (parts: Parts): Parts => partsGoneWrong(parts, (name) => isOn && settings.wrong.includes(name)),

    /** Keeps the log of requests, also of those that no route is found for: on the application, before its own hooks. */
    watch(app: App, now: () => number): void {
      app.addHook('onRequest', (request, reply, done) => {
        if (log.isOn()) {
          const atMs = now();
          const startedAt = performance.now();
          // Not `onResponse`, which a connection that is cut has none of.
          reply.raw.once('close', () => {
            const { latencyMs, other } = rounds.get(request)?.fired ?? {};
            log.add({
              id: request.id,
              atMs,
              method: request.method,
              route: request.routeOptions.url ?? null,
              status: reply.raw.headersSent ? reply.raw.statusCode : null,
              durationMs: Math.round(performance.now() - startedAt),
              faults: [...(latencyMs === undefined ? [] : ['latency' as const]), ...(other ? [other.kind] : [])],
            });
            onRequest();
          });
        }
        done();
      });
    },

    /** Stands around the routes of a scope. Off, it costs each request two comparisons. */
    surround(scope: App, parts: Parts): void {
      const closing = new AbortController();
      scope.addHook('preClose', (done) => {
        closing.abort();
        done();
      });
      scope.addHook('onRequest', (request, reply, done) => {
        if (!isOn) return done();
        const { dialect } = settings;
        // Its own language, so that our texts in its answers are of it too.
        if (dialect !== undefined) request.headers['accept-language'] = dialects[dialect].language;
        void settle(begin(request, reply, closing.signal), (error) => (error ? done(error) : done()));
      });
      scope.addHook('onSend', (request, reply, payload, done) => {
        const round = rounds.get(request);
        if (round === undefined || typeof payload !== 'string') return done(null, payload);
        void settle(answer(request, reply, payload, round, parts), done);
      });
    },

    control: {
      get,
      set(changes) {
        apply(changes);
        return get();
      },
      requests: () => log.list(),
      clearRequests: () => log.clear(),
      onRequest: (listener) => void (onRequest = listener),
    } satisfies Behaviour,
  };
}

export type MisbehavingService = ReturnType<typeof createBehaviour>;
