import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { TokenDetails } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { canBeSent } from '../../client/header-text.ts';
import { parseBody } from '../../client/reading/body.ts';
import { readJsonWebToken } from '../../client/reading/json-web-token.ts';
import { displayFields } from '../../client/reading/profile.ts';
import { findToken } from '../../client/reading/token.ts';
import { createSecretFinder } from '../../client/secrets/mask-secrets.ts';
import { holdsSecret } from '../../client/secrets/is-secret.ts';
import type { SecretClipboard } from '../../files/secret-clipboard.ts';
import type { Credential } from '../../interface/credential.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { SessionStore } from './session-store.ts';
import type { ClientFor } from './sessions-options.ts';
import type { SessionCredential } from './session-tokens.ts';

type TokenOptions = {
  sessionStore: SessionStore;
  credentialOf: (sessionId: string) => Promise<SessionCredential | undefined>;
  clientFor: ClientFor;
  /** Main's own question. Succeeds when the person agreed. */
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  secretClipboard: SecretClipboard;
};

/** More than any token has that somebody reads. */
const mostClaims = 100;

/** What a token says of itself, without the token: nobody but its server can tell whether it is true. */
export function describeToken(token: string): TokenDetails {
  const read = readJsonWebToken(token);
  if (!read) return { form: 'opaque' };
  const { isKnownWithin } = createSecretFinder([token, ...token.split('.')]);
  const { fields, left: unread } = displayFields(
    read.claims,
    (text, naming, isNumber) => holdsSecret(text, naming, isNumber) || isKnownWithin(text),
  );
  const left = unread + Math.max(0, fields.length - mostClaims);
  return {
    form: 'jwt',
    algorithm: read.algorithm.slice(0, 20),
    claims: fields.slice(0, mostClaims),
    ...(left > 0 && { left }),
  };
}

/** Answers what the token of a session says of itself. */
export async function readTokenDetails(
  { sessionStore, credentialOf }: TokenOptions,
  id: string,
): Promise<Result<TokenDetails>> {
  if (!sessionStore.find(id)) return fail({ kind: 'not-now' });
  const kept = await credentialOf(id);
  return kept ? ok(describeToken(kept.token)) : fail({ kind: 'token-unreadable' });
}

/** Puts the token of a session into the clipboard, or the headers that carry it, once the person agreed to that. */
export async function copyToken(
  { sessionStore, credentialOf, clientFor, ask, secretClipboard }: TokenOptions,
  id: string,
  as: 'token' | 'header',
): Promise<Result<{ copied: boolean }>> {
  const stored = sessionStore.find(id);
  if (!stored) return fail({ kind: 'not-now' });
  const bound = await clientFor(stored.serverId, stored);
  if (!bound.ok) return bound;
  const agreed = await ask({
    kind: 'copy-token',
    as,
    account: stored.account,
    host: new URL(bound.value.baseUrl).host,
  });
  if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ copied: false }) : agreed;
  const kept = await credentialOf(id);
  // The application may have been locked while the question was open.
  if (!kept) return fail({ kind: 'token-unreadable' });
  const { headers } = bound.value.adapter.request('perfil', { credential: kept });
  const carrying = headers.filter(([, value]) => value.includes(kept.token));
  const header = carrying.map(([name, value]) => `${name}: ${value}`).join('\n');
  await secretClipboard.put(as === 'token' ? kept.token : header || `Authorization: Bearer ${kept.token}`);
  return ok({ copied: true });
}

/**
 * A token as it was pasted, without what it was copied with: blanks, line ends, its name in JSON, in settings or in a
 * command, the name of its header and its scheme.
 */
export const normalizePastedToken = (pasted: string): string =>
  pasted
    .trim()
    .replace(/^(?:-H|--header)[\s=]+/, '')
    .replaceAll(/^["'`]+|["'`,;]+$/g, '')
    .replace(/^(?:export\s+)?(?:\w*token|jwt|bearer)["']?\s*(?::|=(?!=*$))\s*["'`]?/i, '')
    .replace(/^authorization["']?\s*[:=]\s*["'`]?/i, '')
    .replace(/^\s*(?:bearer|token)(?:\s+|$)/i, '')
    .replaceAll(/[\s\u200B-\u200D\u2060\uFEFF]+/g, '');

/**
 * What a session is kept by, of what was pasted; undefined where no call can carry it. A cookie comes with its name, as
 * browsers and `Cookie` headers have it, and beside others: its name alone may not be known of a description.
 */
export function parsePastedCredential(adapter: ApiAdapter, pasted: string): SessionCredential | undefined {
  const pairs = pasted
    .trim()
    .replace(/^(?:set-)?cookie\s*:/i, '')
    .split(';');
  const rawHeaders = pairs.map((pair) => ['Set-Cookie', pair.replaceAll(/\s/g, '')] as const);
  const named = adapter.features.cookie
    ? adapter.credentialAfter('csrf', { status: 200, rawHeaders, body: '' }, {})
    : {};
  const answered = named.token === undefined ? answeredCredential(adapter, pasted.trim()) : named;
  const token = answered.token ?? normalizePastedToken(pasted);
  if (token === '' || !canBeSent(token)) return undefined;
  return { ...adapter.withToken(answered, token), token };
}

/** What a session is kept by, of the whole answer to a log-in; nothing of a text that is no JSON. */
function answeredCredential(adapter: ApiAdapter, body: string): Credential {
  if (!/^[{[]/.test(body)) return {};
  const given = adapter.credentialAfter('login', { status: 200, rawHeaders: [], body }, {});
  const token = given.token ?? findToken(parseBody(body).json, '', {})?.value;
  return token === undefined || adapter.features.cookie ? {} : { ...given, token };
}
