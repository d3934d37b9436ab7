import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RenewalRequest } from '../../interface/server-request.ts';
import { createTokenSecret, tokenDigest, readToken, secretMatches, secretOfRefresh } from '../domain/bearer.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { sendError } from '../responses.ts';
import { toUser, type LoginResponse } from '../schemas.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import { EXPIRED_TOKEN_RETENTION_MS } from '../token-sweep.ts';
import { recordTokens } from '../translate-response.ts';

/** Answers a request that renews a session. */
export type RefreshHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  sent: RenewalRequest,
) => Promise<FastifyReply>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Renews sessions of another API type, at the route of the login. */
    renew?: RefreshHandler;
  }
}

type Issued = { token: string; refreshToken: string; expiresAtMs: number };

/** Issues a token, with a refresh token if the API type renews sessions. */
export async function issueToken(
  { accounts, now, tokenLifetimeSeconds }: Pick<RouteDependencies, 'accounts' | 'now' | 'tokenLifetimeSeconds'>,
  accountId: number,
): Promise<Issued> {
  const refreshSecret = createTokenSecret();
  const secret = secretOfRefresh(refreshSecret);
  const createdAtMs = now();
  const expiresAtMs = createdAtMs + tokenLifetimeSeconds * 1000;
  const id = await accounts.createToken({ accountId, secretDigest: tokenDigest(secret), createdAtMs, expiresAtMs });
  return { token: `${id}|${secret}`, refreshToken: `${id}|${refreshSecret}`, expiresAtMs };
}

/** The response to a login. */
export function createLoginResponse(
  reply: FastifyReply,
  account: AccountRecord,
  issued: Issued,
): z.infer<typeof LoginResponse> {
  const { token, refreshToken, expiresAtMs } = issued;
  recordTokens(reply, { refreshToken });
  return {
    token,
    token_type: 'Bearer' as const,
    expires_at: new Date(expiresAtMs).toISOString(),
    user: toUser(account),
  };
}

/** Revokes a token and responds with a new one, like a login. A refresh token is valid for thirty days longer than its token. */
export function createRefreshHandler(parts: RouteDependencies): RefreshHandler {
  const { accounts, now } = parts;
  return async (request, reply, { token, isRefreshToken }) => {
    const sent = readToken(token);
    const session = sent && (await accounts.findSession(sent.tokenId));
    const isRight =
      session && secretMatches(isRefreshToken ? secretOfRefresh(sent.secret) : sent.secret, session.secretDigest);
    const endsAtMs = (session?.expiresAtMs ?? 0) + (isRefreshToken ? EXPIRED_TOKEN_RETENTION_MS : 0);
    // A concurrent request with the same refresh token was first.
    const isDone = isRight && endsAtMs > now() && (await accounts.revokeToken(sent.tokenId));
    if (!isDone) return sendError(request, reply, 'unauthenticated');
    return reply.send(createLoginResponse(reply, session.account, await issueToken(parts, session.account.id)));
  };
}
