import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type {
  EditableRequest,
  EditedRequest,
  RecordedCall,
  RedactedText,
  ReplayOf,
  ReplayOutcome,
} from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import { sendAndInterpret } from '../../client/interpret.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { Servers } from '../../account/servers/servers.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import { framing, parseHeaders } from '../../client/recording/format-command.ts';
import { joined } from '../../client/recording/redacted-text.ts';
import type { CallHistory } from './call-history.ts';
import { toRecordedRequest, toEditableRequest, applyEdits } from './edited-request.ts';
import {
  isBelowBaseUrl,
  resolveSecrets,
  fillSecrets,
  type ReplayRequest,
  type ReplaySecretOptions,
} from './replay-secrets.ts';

/** A call that can be replayed, and where it went. */
type Replayable = {
  call: RecordedCall;
  server: Server;
  operation: Operation | undefined;
  adapter: ApiAdapter;
  request: ReplayRequest;
};

/** These change nothing that lasts at a server, unless they are edited. */
const harmless: ReadonlySet<Operation | undefined> = new Set<Operation>(['login', 'perfil']);

export type ReplayOptions = ReplaySecretOptions & {
  calls: CallHistory;
  state: Pick<AppStateHolder, 'get'>;
  servers: Pick<Servers, 'production' | 'consent' | 'transports' | 'clients'>;
};

export type Replay = ReturnType<typeof createReplay>;

/**
 * Sends recorded requests once more, one at a time, through the transport of their server and recorded as any other
 * call. It knows nothing of what an answer means: no session begins or ends here by a replay.
 */
export function createReplay(options: ReplayOptions) {
  let underway: AbortController | undefined;
  /** It is settled when nothing is under way. */
  let ending: Promise<unknown> = Promise.resolve();
  const keepPace = createPace(() => options.state.get().settings.callsPerSecond);

  return {
    /** Returns the request of a call as a person may edit it. It fails when the call cannot be replayed. */
    editable(id: string): Result<EditableRequest> {
      const found = replayable(options, id);
      return found.ok ? ok(toEditableRequest(found.value.request, found.value.server.baseUrl)) : found;
    },

    /** Answers what a person made of a request, as it would be recorded. Nothing is sent. */
    edited: (id: string, request: EditedRequest) => editedOf(replayable(options, id), request),

    /**
     * Sends the request of a call, as it was or as it was edited. If a secret is neither known nor `typed`, nothing is
     * sent, and the references of those are returned. On a production server its host must have been typed before
     * anything that changes the server, and before any edited request.
     */
    async replay(
      id: string,
      request: EditedRequest | undefined,
      typed: Readonly<Record<string, string>> = {},
    ): Promise<Result<ReplayOutcome>> {
      if (underway) return fail({ kind: 'not-now' });
      const found = replayable(options, id);
      if (!found.ok) return found;
      const { server, operation } = found.value;
      const wanted = wantedOf(found.value, request);
      if (!wanted.ok) return wanted;
      const allowed = request || !harmless.has(operation) ? options.servers.production.check(server.id) : ok(null);
      if (!allowed.ok) return allowed;
      const controller = new AbortController();
      underway = controller;
      try {
        if (request && !(await keepPace(controller.signal))) return fail({ kind: 'cancelled' });
        const sending = send(options, found.value, wanted.value, {
          isEdited: request !== undefined,
          typed,
          signal: controller.signal,
        });
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

/** A request that is to be sent, and the operation that it is: an edited one may be another. */
type Wanted = Pick<Replayable, 'request' | 'operation'>;

function wantedOf(
  { server, adapter, operation, request }: Replayable,
  edit: EditedRequest | undefined,
): Result<Wanted> {
  if (!edit) return ok({ request, operation });
  const edited = applyEdits(request, edit, server.baseUrl);
  return edited.ok ? ok({ request: edited.value, operation: operationOf(edited.value, adapter) }) : edited;
}

/** An edited request that is the recorded one is only sent again. */
const isSame = (recorded: ReplayRequest, sent: ReplayRequest): boolean =>
  isDeepStrictEqual(plain(recorded), plain(sent));

const pieces = (text: RedactedText): RedactedText => joined(text).filter((part) => part !== '');

const plain = ({ method, url, headers, body = [] }: ReplayRequest): unknown => [
  method,
  pieces(url),
  headers.map(({ name, value }) => [name, pieces(value)]),
  pieces(body),
];

function operationOf(
  { method, url }: Pick<ReplayRequest, 'method' | 'url'>,
  adapter: ApiAdapter,
): Operation | undefined {
  const [address] = url;
  return url.length === 1 && typeof address === 'string' ? adapter.operationOf(method, address) : undefined;
}

function editedOf(found: Result<Replayable>, request: EditedRequest): Result<RecordedCall['request']> {
  const wanted = found.ok ? wantedOf(found.value, request) : found;
  return wanted.ok ? ok(toRecordedRequest(wanted.value.request)) : wanted;
}

/** Waits until an edited request may follow the last one, at the pace of contract runs. Answers false once it is cancelled. */
function createPace(callsPerSecond: () => number) {
  let last = -Infinity;
  return async (signal: AbortSignal): Promise<boolean> => {
    const rest = Math.max(0, last + 1000 / callsPerSecond() - performance.now());
    const isOver = await wait(rest, true, { signal }).catch(() => false);
    if (isOver) last = performance.now();
    return isOver;
  };
}

function replayable(
  { calls, state, servers: all }: Pick<ReplayOptions, 'calls' | 'state' | 'servers'>,
  id: string,
): Result<Replayable> {
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
  if (!isBelowBaseUrl(url, baseUrl)) return fail({ kind: 'not-replayable', problem: 'other-address' });
  if (body?.form === 'described') return fail({ kind: 'not-replayable', problem: 'not-applicable' });
  const wire = all.clients.readingAdapter(server);
  if (!wire.ok) return wire;
  return ok({
    call,
    server,
    adapter: wire.value,
    operation: operationOf({ method, url }, wire.value),
    request: {
      method,
      url,
      // What was added for the server is added again, as it is now.
      headers: parseHeaders(head.text).filter(({ name }) => !framing.has(name.toLowerCase()) && !added.includes(name)),
      ...(body && { body: body.text }),
    },
  });
}

type SendOptions = { isEdited: boolean; typed: Readonly<Record<string, string>>; signal: AbortSignal };

async function send(
  options: ReplayOptions,
  { call, server, adapter, request: recorded }: Replayable,
  { operation, request }: Wanted,
  { isEdited, typed, signal }: SendOptions,
): Promise<Result<ReplayOutcome>> {
  // What the file says of a call that was not sent in this run is no proof of where its secrets went.
  const mayRecall = options.calls.isFromThisRun(call.id);
  const secrets = await resolveSecrets(options, request, { server, typed, mayRecall, mayMove: isEdited });
  if (!secrets.ok) return secrets;
  const { values, missing, session } = secrets.value;
  if (missing.length > 0) return ok({ outcome: 'secrets-missing', missing });
  const allowed = await options.servers.consent.confirmOrigin(server.id, server);
  if (!allowed.ok) return allowed;
  const transport = await options.servers.transports.for(server.id);
  const how = {
    signal,
    // Of the two addresses of localhost, secrets go to the one that had them.
    loopbackAddress: values.size > 0 ? (session?.loopbackAddress ?? loopbackOf(call)) : undefined,
    // An idle connection that turns out to be dead would be a failure of ours.
    freshConnection: true,
    recorded: false,
  };
  const filled = fillSecrets(request, values);
  const sent = operation
    ? await sendAndInterpret(transport, filled, operation, { adapter, pinned: server.pinned }, how)
    : await transport.send(filled, how);
  const replayOf: ReplayOf = { id: call.id, ...(!isSame(recorded, request) && { change: 'edited' }) };
  return ok({ outcome: 'sent', call: await options.calls.recordReplay(server.id, sent.call, replayOf) });
}

/** Returns the address of this computer that a request went to, if it went to one. */
function loopbackOf({ remote = '', proxy }: RecordedCall): string | undefined {
  const [, v6, v4] = /^(?:\[(::1)\]|(127(?:\.\d{1,3}){3})):\d+$/.exec(remote) ?? [];
  return proxy === undefined ? (v6 ?? v4) : undefined;
}
