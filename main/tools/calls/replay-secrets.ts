import type { RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { HeaderList, TransportRequest } from '../../client/call.ts';
import { isLocalServerId, type StoredSession } from '../../account/config/config.ts';
import type { SessionStore } from '../../account/sessions/session-store.ts';
import { type RedactedHeader, restoreSecrets, restoreSecretsInBody } from '../../client/recording/format-command.ts';
import { shortestWithinText } from '../../client/secrets/known-secrets.ts';
import { percentEncodeAll } from '../../interface/safe-path.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

/** A recorded request as it is sent again, with references where its secrets were. */
export type ReplayRequest = {
  method: string;
  url: RedactedText;
  headers: readonly RedactedHeader[];
  body?: RedactedText;
};

export type ReplaySecretOptions = {
  secretRegistry: SecretRegistry;
  sessionStore: SessionStore;
  /** Returns the token of a session, out of the vault. */
  tokenOf: (sessionId: string) => Promise<string | undefined>;
};

/** For which request secrets are wanted. */
type Wanted = {
  server: Server;
  typed: Readonly<Record<string, string>>;
  /** Whether secrets without a session may be taken from what this run knows. */
  mayRecall: boolean;
  /** Whether they may stand elsewhere now: those that no record would be searched for are typed again then. */
  mayMove: boolean;
};

/** The values of the secrets of a request, of which some may be missing; a token of another server is refused. */
export async function resolveSecrets(
  { secretRegistry, sessionStore, tokenOf }: ReplaySecretOptions,
  request: ReplayRequest,
  { server, typed, mayRecall, mayMove }: Wanted,
): Promise<Result<{ values: Map<string, string>; missing: SecretReference[]; session: StoredSession | undefined }>> {
  const values = new Map<string, string>();
  const missing: SecretReference[] = [];
  let session: StoredSession | undefined;
  for (const reference of referencesIn(request)) {
    const { id, secret } = reference;
    const owner = secret === 'token' ? sessionStore.find(id) : undefined;
    if (owner && !goesWhereItCameFrom(owner, server, request.url)) {
      return fail({ kind: 'other-address', baseUrl: owner.baseUrl });
    }
    const given = typed[id];
    const known = owner || mayRecall ? secretRegistry.valueOf(id) : undefined;
    const value = given || known || (owner && (await tokenOf(id)));
    if (!value || (!given && mayMove && value.length < shortestWithinText)) {
      missing.push(reference);
      continue;
    }
    if (owner) session = owner;
    values.set(id, value);
    // The secret is cut out of the record of the replay, whatever the server makes of it.
    if (given) secretRegistry.register(given, secret);
    else if (owner) secretRegistry.bindToSession(value, id);
  }
  return ok({ values, missing, session });
}

/** Says whether an address is under a base URL. Only what follows the base URL may be a secret. */
export function isBelowBaseUrl(url: RedactedText, baseUrl: string): boolean {
  return typeof url[0] === 'string' && url[0].startsWith(`${baseUrl}/`);
}

/**
 * True if a session's token may go to this address: that of its own server. The built-in server and doubles may listen
 * anywhere, every other server only at the base URL that the token came from.
 */
function goesWhereItCameFrom(session: StoredSession, server: Server, url: RedactedText): boolean {
  return session.serverId === server.id && (isLocalServerId(server.id) || isBelowBaseUrl(url, session.baseUrl));
}

/** Returns each secret of a request once, in the order of the request. */
export function referencesIn({ url, headers, body = [] }: ReplayRequest): SecretReference[] {
  const parts = [...url, ...headers.flatMap(({ value }) => value), ...body];
  const all = parts.filter((part) => typeof part !== 'string');
  return [...new Map(all.map((reference) => [reference.id, reference])).values()];
}

/** Returns a request as it is to be sent, with the values of all its secrets. */
export function fillSecrets(request: ReplayRequest, values: ReadonlyMap<string, string>): TransportRequest {
  const valueOf = ({ id }: SecretReference): string | undefined => values.get(id);
  const headers: HeaderList = request.headers.map(({ name, value }) => [name, whole(restoreSecrets(value, valueOf))]);
  return {
    method: request.method,
    url: whole(restoreSecrets(request.url, valueOf, percentEncodeAll)),
    headers,
    body: request.body && whole(restoreSecretsInBody(request, valueOf)),
  };
}

/** Returns a text whose secrets are all in it. */
function whole(text: RedactedText): string {
  return text
    .map((part) => {
      if (typeof part !== 'string') throw new Error('a secret was not put in');
      return part;
    })
    .join('');
}
