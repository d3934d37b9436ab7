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
import type { Clients } from '../servers/clients.ts';
import type { ConfirmQuestion } from '../servers/consent.ts';
import type { CredentialStore, SessionCredential } from './credential-store.ts';

type TokenOptions = {
  sessionStore: Pick<SessionStore, 'find'>;
  credentials: Pick<CredentialStore, 'ofSession'>;
  clientFor: Clients['for'];
  ask: ConfirmQuestion;
  secretClipboard: SecretClipboard;
};

const mostClaims = 100;

/** The claims of a token, unverified and without the token itself. */
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

export async function readTokenDetails(
  { sessionStore, credentials }: TokenOptions,
  id: string,
): Promise<Result<TokenDetails>> {
  if (!sessionStore.find(id)) return fail({ kind: 'not-now' });
  const credential = await credentials.ofSession(id);
  return credential ? ok(describeToken(credential.token)) : fail({ kind: 'token-unreadable' });
}

/** Copies the token of a session, or the headers with it, if the user agrees. */
export async function copyToken(
  { sessionStore, credentials, clientFor, ask, secretClipboard }: TokenOptions,
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
  // Read after the question: the application may have been locked meanwhile.
  const credential = await credentials.ofSession(id);
  if (!credential) return fail({ kind: 'token-unreadable' });
  const { headers } = bound.value.adapter.request('profile', { credential });
  const carrying = headers.filter(([, value]) => value.includes(credential.token));
  const header = carrying.map(([name, value]) => `${name}: ${value}`).join('\n');
  await secretClipboard.put(as === 'token' ? credential.token : header || `Authorization: Bearer ${credential.token}`);
  return ok({ copied: true });
}

/** A pasted token without white space, its name in JSON, settings or a command, its header name and its scheme. */
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
 * The credential in a pasted text; undefined if no request can carry it. Cookies are pasted as `name=value; …`, also with
 * others beside the session's, whose name the API description may not have.
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
  const read = named.token === undefined ? credentialInResponse(adapter, pasted.trim()) : named;
  const token = read.token ?? normalizePastedToken(pasted);
  if (token === '' || !canBeSent(token)) return undefined;
  return { ...adapter.authenticator.withToken(read, token), token };
}

/** The credential in the pasted response of a login; none unless it is JSON. */
function credentialInResponse(adapter: ApiAdapter, body: string): Credential {
  if (!/^[{[]/.test(body)) return {};
  const given = adapter.credentialAfter('login', { status: 200, rawHeaders: [], body }, {});
  const token = given.token ?? findToken(parseBody(body).json, '', {})?.value;
  return token === undefined || adapter.features.cookie ? {} : { ...given, token };
}
