import type { RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { HeaderList, TransportRequest } from '../../client/call.ts';
import type { StoredSession } from '../../account/config/config.ts';
import { isLocalServerId } from '../../account/config/server-ids.ts';
import type { SessionStore } from '../../account/sessions/session-store.ts';
import { type RedactedHeader, restoreSecrets, restoreSecretsInBody } from '../../client/recording/format-command.ts';
import { shortestWithinText } from '../../client/secrets/known-secrets.ts';
import { percentEncodeAll } from '../../interface/safe-path.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

/** A request to resend, with references in place of its secrets. */
export type ReplayRequest = {
  method: string;
  url: RedactedText;
  headers: readonly RedactedHeader[];
  body?: RedactedText;
};

export type ReplaySecretOptions = {
  secretRegistry: SecretRegistry;
  sessionStore: SessionStore;
  /** The token of a session, from the vault. */
  tokenOf: (sessionId: string) => Promise<string | undefined>;
};

type Destination = {
  server: Server;
  typed: Readonly<Record<string, string>>;
  /** Whether secrets without a session may come from the registry. */
  mayRecall: boolean;
  /** Whether an edit may have moved them. Values too short to be redacted anywhere in a text must be typed again then. */
  mayMove: boolean;
};

/** The values of a request's secrets, and the references without one. A token of another server is refused. */
export async function resolveSecrets(
  { secretRegistry, sessionStore, tokenOf }: ReplaySecretOptions,
  request: ReplayRequest,
  { server, typed, mayRecall, mayMove }: Destination,
): Promise<Result<{ values: Map<string, string>; missing: SecretReference[]; session: StoredSession | undefined }>> {
  const values = new Map<string, string>();
  const missing: SecretReference[] = [];
  let session: StoredSession | undefined;
  for (const reference of referencesIn(request)) {
    const { id, secret } = reference;
    const owner = secret === 'token' ? sessionStore.find(id) : undefined;
    if (owner && !isOriginOfToken(owner, server, request.url)) {
      return fail({ kind: 'other-address', baseUrl: owner.baseUrl });
    }
    const entered = typed[id];
    const known = owner || mayRecall ? secretRegistry.valueOf(id) : undefined;
    const value = entered || known || (owner && (await tokenOf(id)));
    if (!value || (!entered && mayMove && value.length < shortestWithinText)) {
      missing.push(reference);
      continue;
    }
    if (owner) session = owner;
    values.set(id, value);
    // Registered, so that it is redacted in the record of the replay, wherever the server repeats it.
    if (entered) secretRegistry.register(entered, secret);
    else if (owner) secretRegistry.bindToSession(value, id);
  }
  return ok({ values, missing, session });
}

/** Whether an address is below a base URL. Only what follows the base URL may be a secret. */
export function isBelowBaseUrl(url: RedactedText, baseUrl: string): boolean {
  return typeof url[0] === 'string' && url[0].startsWith(`${baseUrl}/`);
}

/**
 * True if a session's token may be sent to this address: only to its own server. The built-in server and mock servers
 * may listen anywhere, every other server only at the base URL that the token came from.
 */
function isOriginOfToken(session: StoredSession, server: Server, url: RedactedText): boolean {
  return session.serverId === server.id && (isLocalServerId(server.id) || isBelowBaseUrl(url, session.baseUrl));
}

/** Each secret of a request once, in the order of the request. */
export function referencesIn({ url, headers, body = [] }: ReplayRequest): SecretReference[] {
  const parts = [...url, ...headers.flatMap(({ value }) => value), ...body];
  const all = parts.filter((part) => typeof part !== 'string');
  return [...new Map(all.map((reference) => [reference.id, reference])).values()];
}

/** The request with the values of all its secrets. */
export function fillSecrets(request: ReplayRequest, values: ReadonlyMap<string, string>): TransportRequest {
  const valueOf = ({ id }: SecretReference): string | undefined => values.get(id);
  const headers: HeaderList = request.headers.map(({ name, value }) => [
    name,
    assertFilled(restoreSecrets(value, valueOf)),
  ]);
  return {
    method: request.method,
    url: assertFilled(restoreSecrets(request.url, valueOf, percentEncodeAll)),
    headers,
    body: request.body && assertFilled(restoreSecretsInBody(request, valueOf)),
  };
}

function assertFilled(text: RedactedText): string {
  return text
    .map((part) => {
      if (typeof part !== 'string') throw new Error('a secret was not put in');
      return part;
    })
    .join('');
}
