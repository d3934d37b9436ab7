import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBearer, secretMatches } from '../domain/bearer.ts';
import { sendError } from '../responses.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import type { AccountRecord } from '../stores/account-store.ts';

/** The session of a request. */
type Bearer = { tokenId: number; account: AccountRecord };

const BEARER = 'bearer';

export const bearerOf = (request: FastifyRequest): Bearer => request.getDecorator<Bearer>(BEARER);

/** The hook of the routes that need a token, which runs before the body is read. */
export function createBearerCheck(app: App, { accounts, tokenUses, now }: RouteDependencies) {
  app.decorateRequest(BEARER, null);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const sent = readBearer(request.headers.authorization);
    const session = sent && (await accounts.findSession(sent.tokenId));
    const isRight = session && secretMatches(sent.secret, session.secretDigest);
    if (!isRight || session.expiresAtMs <= now()) return sendError(request, reply, 'unauthenticated');
    tokenUses.note(sent.tokenId);
    request.setDecorator<Bearer>(BEARER, { tokenId: sent.tokenId, account: session.account });
    return undefined;
  };
}

export type BearerCheck = ReturnType<typeof createBearerCheck>;
