import type { RecordedCall, ReplayChange, ReplayOutcome } from '../../preload/contract/calls.ts';
import type { Server } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { operations, operationUrls, type Operation } from '../client/base-url.ts';
import { wayOf } from '../config/way.ts';
import type { ProductionGuard } from '../servers/production-guard.ts';
import type { AgreedPlaces } from '../servers/agreed-places.ts';
import type { Transports } from '../servers/transports.ts';
import { addressOf } from '../session/held-sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { framing, headersOf } from './commands.ts';
import type { Calls } from './calls.ts';
import { changed, changesFor, type ReplayRequest } from './mutations.ts';
import {
  goesWhereItCameFrom,
  isUnder,
  referencesIn,
  secretsOf,
  withValues,
  type ReplaySecretOptions,
} from './replay-secrets.ts';

/** A call that can be replayed, and where it went. */
type Replayable = {
  call: RecordedCall;
  server: Server;
  operation: Operation | undefined;
  request: ReplayRequest;
};

/** These change nothing that lasts at a server, unless they are changed themselves. */
const harmless: ReadonlySet<Operation | undefined> = new Set<Operation>(['login', 'perfil']);

export type ReplayOptions = ReplaySecretOptions & {
  calls: Calls;
  state: Pick<AppStateHolder, 'get'>;
  production: ProductionGuard;
  transports: Pick<Transports, 'for' | 'wentBy'>;
  places: Pick<AgreedPlaces, 'agree'>;
};

export type Replay = ReturnType<typeof createReplay>;

/**
 * Sends recorded requests once more, one at a time, through the transport of their server and recorded as any other
 * call. It knows nothing of what an answer means: no session begins or ends here by a replay.
 */
export function createReplay(options: ReplayOptions) {
  const { held, production } = options;
  let underway: AbortController | undefined;
  /** It is settled when nothing is under way. */
  let ending: Promise<unknown> = Promise.resolve();

  return {
    /** Answers the changes with which a call can be replayed now. It fails when the call cannot be replayed at all. */
    changes(id: string): Result<{ changes: ReplayChange[] }> {
      const found = replayable(options, id);
      if (!found.ok) return found;
      const { server, operation, request } = found.value;
      const own = new Set(referencesIn(request).map((reference) => reference.id));
      const others = held
        .all()
        .filter((session) => session.loggedOutAt === undefined && !own.has(session.id))
        .filter((session) => goesWhereItCameFrom(session, server, request.url));
      return ok({
        changes: changesFor(
          request,
          operation,
          others.map((session) => session.id),
        ),
      });
    },

    /**
     * Sends the request of a call, as it was or with one change. If a secret is neither known nor `typed`, nothing is
     * sent, and the references of those are answered. On a production server its host must have been typed before
     * anything that changes the server, and before any changed request.
     */
    async replay(
      id: string,
      change: ReplayChange | undefined,
      typed: Readonly<Record<string, string>> = {},
    ): Promise<Result<ReplayOutcome>> {
      if (underway) return fail({ kind: 'not-now' });
      const found = replayable(options, id);
      if (!found.ok) return found;
      const { server, operation, request } = found.value;
      const wanted = change ? changed(request, operation, change) : request;
      if (!wanted) return fail({ kind: 'not-replayable', problem: 'not-applicable' });
      // A session that is gone has no address any more to compare.
      if (change && 'sessionId' in change && !held.find(change.sessionId)) return fail({ kind: 'not-now' });
      const allowed = change || !harmless.has(operation) ? production.check(server.id) : ok(null);
      if (!allowed.ok) return allowed;
      const controller = new AbortController();
      underway = controller;
      try {
        const sending = send(options, found.value, change, wanted, typed, controller.signal);
        ending = sending.catch(() => undefined);
        return await sending;
      } finally {
        underway = undefined;
      }
    },

    /** Ends what is under way, if anything is. */
    cancel: (): Result<null> => {
      underway?.abort();
      return ok(null);
    },

    /** Ends what is under way, and waits until it is recorded. */
    async close(): Promise<void> {
      underway?.abort();
      await ending;
    },
  };
}

function replayable({ calls, state }: Pick<ReplayOptions, 'calls' | 'state'>, id: string): Result<Replayable> {
  const found = calls.get(id);
  if (!found.ok) return found;
  const call = found.value;
  const { servers, builtIn } = state.get();
  const server = servers.find((each) => each.id === call.serverId);
  if (!server) return fail({ kind: 'not-replayable', problem: 'no-server' });
  const { baseUrl } = server;
  if (baseUrl === '') {
    return fail(
      builtIn.state === 'failed' ? { kind: 'built-in-stopped', message: builtIn.message } : { kind: 'not-now' },
    );
  }
  const { method, url, head, body, added = [] } = call.request;
  if (!isUnder(url, baseUrl)) return fail({ kind: 'not-replayable', problem: 'other-address' });
  if (body?.form === 'described') return fail({ kind: 'not-replayable', problem: 'not-applicable' });
  const urls = operationUrls(baseUrl);
  return ok({
    call,
    server,
    operation: operations.find((each) => url.length === 1 && url[0] === urls[each]),
    request: {
      method,
      url,
      // What was added for the server is added again, as it is now.
      headers: headersOf(head.text).filter(({ name }) => !framing.has(name.toLowerCase()) && !added.includes(name)),
      ...(body && { body: body.text }),
    },
  });
}

async function send(
  options: ReplayOptions,
  { call, server }: Replayable,
  change: ReplayChange | undefined,
  request: ReplayRequest,
  typed: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Result<ReplayOutcome>> {
  // What was typed for a server that was reached in another way then would go to somebody else now.
  const isSameWay = options.transports.wentBy(call.id, wayOf(server));
  const secrets = await secretsOf(options, request, server, typed, isSameWay);
  if (!secrets.ok) return secrets;
  const { values, missing, session } = secrets.value;
  if (missing.length > 0) return ok({ outcome: 'secrets-missing', missing });
  // A token goes by the way of its session, whatever the server's is by now.
  const way = session ? addressOf(session).way : wayOf(server);
  const allowed = await options.places.agree(server.id, { url: server.baseUrl, proxy: way.proxy });
  if (!allowed.ok) return allowed;
  const transport = await options.transports.for(server, way);
  const sent = await transport.send(withValues(request, values), {
    signal,
    // Of the two addresses of localhost, secrets go to the one that had them.
    loopbackAddress: values.size > 0 ? (session?.loopbackAddress ?? loopbackOf(call)) : undefined,
    // An idle connection that turns out to be dead would be a failure of ours.
    freshConnection: true,
    recorded: false,
  });
  const replayOf = { id: call.id, ...(change && { change }) };
  return ok({ outcome: 'sent', call: await options.calls.recordReplay(server.id, sent.call, replayOf) });
}

/** Returns the address of this computer that a request went to, if it went to one. */
function loopbackOf({ remote = '', proxy }: RecordedCall): string | undefined {
  const [, v6, v4] = /^(?:\[(::1)\]|(127(?:\.\d{1,3}){3})):\d+$/.exec(remote) ?? [];
  return proxy === undefined ? (v6 ?? v4) : undefined;
}
