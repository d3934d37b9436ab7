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

/** A recorded call that can be resent. */
type Replayable = {
  call: RecordedCall;
  server: Server;
  operation: Operation | undefined;
  adapter: ApiAdapter;
  request: ReplayRequest;
};

/** The request to send and its operation, which an edit may have changed. */
type Outgoing = Pick<Replayable, 'request' | 'operation'>;

type TypedSecrets = Readonly<Record<string, string>>;

/** Operations that change nothing permanent at a server, unless they are edited. */
const harmless: ReadonlySet<Operation | undefined> = new Set<Operation>(['login', 'profile']);

export type ReplayOptions = ReplaySecretOptions & {
  calls: CallHistory;
  state: Pick<AppStateHolder, 'get'>;
  servers: Pick<Servers, 'production' | 'consent' | 'transports' | 'clients'>;
};

/**
 * Resends recorded requests, one at a time, through the transport of their server. A response is recorded and never
 * interpreted for the application: no session begins or ends by it.
 */
export class Replay {
  readonly #options: ReplayOptions;
  #running: AbortController | undefined;
  #finished: Promise<unknown> = Promise.resolve();
  /** When the last edited request was sent, in milliseconds of `performance.now()`. */
  #lastEditedMs = -Infinity;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /** The request of a call for the editor; fails if the call cannot be resent. */
  editable(id: string): Result<EditableRequest> {
    const found = this.#find(id);
    return found.ok ? ok(toEditableRequest(found.value.request, found.value.server.baseUrl)) : found;
  }

  /** An edited request as it would be recorded. Nothing is sent. */
  edited(id: string, request: EditedRequest): Result<RecordedCall['request']> {
    const found = this.#find(id);
    const outgoing = found.ok ? outgoingOf(found.value, request) : found;
    return outgoing.ok ? ok(toRecordedRequest(outgoing.value.request)) : outgoing;
  }

  /**
   * Resends a request, as recorded or as `edit` has it. If a secret is neither known nor typed, nothing is sent and the
   * missing references are returned. At a production server, the host must have been typed before an edited request or
   * one that changes something.
   */
  async replay(id: string, edit: EditedRequest | undefined, typed: TypedSecrets = {}): Promise<Result<ReplayOutcome>> {
    if (this.#running) return fail({ kind: 'not-now' });
    const found = this.#find(id);
    if (!found.ok) return found;
    const { server, operation } = found.value;
    const outgoing = outgoingOf(found.value, edit);
    if (!outgoing.ok) return outgoing;
    const { production } = this.#options.servers;
    const allowed = edit || !harmless.has(operation) ? production.check(server.id) : ok(null);
    if (!allowed.ok) return allowed;
    const running = new AbortController();
    this.#running = running;
    try {
      if (edit && !(await this.#waitForRate(running.signal))) return fail({ kind: 'cancelled' });
      const sending = this.#send(found.value, outgoing.value, { isEdited: !!edit, typed, signal: running.signal });
      this.#finished = sending.catch(() => undefined);
      return await sending;
    } finally {
      this.#running = undefined;
    }
  }

  cancel(): Result<null> {
    this.#running?.abort();
    return ok(null);
  }

  /** Cancels the request, and waits until it is recorded. */
  async close(): Promise<void> {
    this.#running?.abort();
    await this.#finished;
  }

  /** Keeps edited requests to the rate of checks; false if cancelled. */
  async #waitForRate(signal: AbortSignal): Promise<boolean> {
    const { callsPerSecond } = this.#options.state.get().settings;
    const waitMs = Math.max(0, this.#lastEditedMs + 1000 / callsPerSecond - performance.now());
    const isDue = await wait(waitMs, true, { signal }).catch(() => false);
    if (isDue) this.#lastEditedMs = performance.now();
    return isDue;
  }

  #find(id: string): Result<Replayable> {
    const stored = this.#options.calls.get(id);
    if (!stored.ok) return stored;
    const call = stored.value;
    const { servers, builtIn } = this.#options.state.get();
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
    const adapter = this.#options.servers.clients.readingAdapter(server);
    if (!adapter.ok) return adapter;
    // The transport adds the server's extra headers again, with their values of today.
    const isOwn = ({ name }: { name: string }) => !framing.has(name.toLowerCase()) && !added.includes(name);
    const request = { method, url, headers: parseHeaders(head.text).filter(isOwn), ...(body && { body: body.text }) };
    return ok({ call, server, adapter: adapter.value, operation: operationOf(request, adapter.value), request });
  }

  async #send(
    { call, server, adapter, request: recorded }: Replayable,
    { operation, request }: Outgoing,
    { isEdited, typed, signal }: { isEdited: boolean; typed: TypedSecrets; signal: AbortSignal },
  ): Promise<Result<ReplayOutcome>> {
    const { calls, servers } = this.#options;
    // The file of calls can be changed by others: it is no proof of which server a secret was sent to.
    const mayRecall = calls.isFromThisRun(call.id);
    const secrets = await resolveSecrets(this.#options, request, { server, typed, mayRecall, mayMove: isEdited });
    if (!secrets.ok) return secrets;
    const { values, missing, session } = secrets.value;
    if (missing.length > 0) return ok({ outcome: 'secrets-missing', missing });
    const allowed = await servers.consent.confirmOrigin(server.id, server);
    if (!allowed.ok) return allowed;
    const transport = await servers.transports.for(server.id);
    const sendOptions = {
      signal,
      // Of the two addresses of localhost, secrets go to the one that they came from.
      loopbackAddress: values.size > 0 ? (session?.loopbackAddress ?? loopbackOf(call)) : undefined,
      // An idle connection that turns out to be closed would be recorded as a failure of the server.
      freshConnection: true,
      recorded: false,
    };
    const filled = fillSecrets(request, values);
    const sent = operation
      ? await sendAndInterpret(transport, filled, operation, { adapter, pinned: server.pinned }, sendOptions)
      : await transport.send(filled, sendOptions);
    const replayOf: ReplayOf = { id: call.id, ...(!isSameRequest(recorded, request) && { change: 'edited' }) };
    return ok({ outcome: 'sent', call: await calls.recordReplay(server.id, sent.call, replayOf) });
  }
}

function outgoingOf(
  { server, adapter, operation, request }: Replayable,
  edit: EditedRequest | undefined,
): Result<Outgoing> {
  if (!edit) return ok({ request, operation });
  const edited = applyEdits(request, edit, server.baseUrl);
  return edited.ok ? ok({ request: edited.value, operation: operationOf(edited.value, adapter) }) : edited;
}

function operationOf(
  { method, url }: Pick<ReplayRequest, 'method' | 'url'>,
  adapter: ApiAdapter,
): Operation | undefined {
  const [address] = url;
  return url.length === 1 && typeof address === 'string' ? adapter.operationOf(method, address) : undefined;
}

/** An edited request that equals the recorded one counts as not edited. */
const isSameRequest = (one: ReplayRequest, other: ReplayRequest): boolean =>
  isDeepStrictEqual(comparable(one), comparable(other));

const comparableText = (text: RedactedText): RedactedText => joined(text).filter((part) => part !== '');

const comparable = ({ method, url, headers, body = [] }: ReplayRequest): unknown => [
  method,
  comparableText(url),
  headers.map(({ name, value }) => [name, comparableText(value)]),
  comparableText(body),
];

/** The loopback address that a request went to, if it went to one. */
function loopbackOf({ remote = '', proxy }: RecordedCall): string | undefined {
  const [, v6, v4] = /^(?:\[(::1)\]|(127(?:\.\d{1,3}){3})):\d+$/.exec(remote) ?? [];
  return proxy === undefined ? (v6 ?? v4) : undefined;
}
