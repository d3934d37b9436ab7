import { demoUser } from '../data/demo-user.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import { requestLanguage, sendError, messagesFor } from '../responses.ts';
import { ErrorResponse, ServerErrorResponse, LogoutResponse, ProfileResponse, toUser } from '../schemas.ts';
import { bearerOf, type BearerCheck } from './require-bearer.ts';

/** The two routes that need a token: profile and logout. */
export function sessionRoutes(app: App, { accounts }: RouteDependencies, requireBearer: BearerCheck): void {
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
      const { account } = bearerOf(request);
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
      const { tokenId } = bearerOf(request);
      // A concurrent logout with the same token was first.
      if (!(await accounts.revokeToken(tokenId))) return sendError(request, reply, 'unauthenticated');
      return { message: messagesFor(request).loggedOut };
    },
  );
}
