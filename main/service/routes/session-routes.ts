import type { FastifyReply, FastifyRequest } from 'fastify';
import { demoUser } from '../data/demo-user.ts';
import { readBearer, secretMatches } from '../domain/bearer.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import { requestLanguage, sendError, messagesFor } from '../responses.ts';
import { ErrorResponse, ServerErrorResponse, LogoutResponse, ProfileResponse, toUser } from '../schemas.ts';
import type { AccountRecord } from '../stores/account-store.ts';

type Bearer = { tokenId: number; account: AccountRecord };

/** The two routes that need a token: profile and logout. */
export function sessionRoutes(app: App, { accounts, tokenUses, now }: RouteDependencies): void {
  app.decorateRequest('bearer', null);

  /** Runs before the body is read. */
  async function requireBearer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const sent = readBearer(request.headers.authorization);
    const session = sent && (await accounts.findSession(sent.tokenId));
    const isRight = session && secretMatches(sent.secret, session.secretDigest);
    if (!isRight || session.expiresAtMs <= now()) return sendError(request, reply, 'unauthenticated');
    tokenUses.note(sent.tokenId);
    request.setDecorator<Bearer>('bearer', { tokenId: sent.tokenId, account: session.account });
    return undefined;
  }

  app.get(
    '/perfil',
    {
      onRequest: requireBearer,
      schema: {
        operationId: 'profile',
        response: { 200: ProfileResponse, '4xx': ErrorResponse, '5xx': ServerErrorResponse },
      },
    },
    // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- this is not Express: Fastify awaits its handlers
    async (request) => {
      const { account } = request.getDecorator<Bearer>('bearer');
      const isDemo = account.name === demoUser.name && account.email === demoUser.email;
      return {
        ...toUser(account),
        ...(isDemo && (await import('../data/demo-details.ts')).demoDetails[requestLanguage(request)]),
      };
    },
  );

  app.post(
    '/salir',
    {
      onRequest: requireBearer,
      schema: {
        operationId: 'logout',
        response: { 200: LogoutResponse, '4xx': ErrorResponse, '5xx': ServerErrorResponse },
      },
    },
    async (request, reply) => {
      const { tokenId } = request.getDecorator<Bearer>('bearer');
      // A concurrent logout with the same token was first.
      if (!(await accounts.revokeToken(tokenId))) return sendError(request, reply, 'unauthenticated');
      return { message: messagesFor(request).loggedOut };
    },
  );
}
