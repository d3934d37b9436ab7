import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { operationAt } from './operations.ts';
import type { App } from './route-dependencies.ts';
import { createResponseTranslation, setCsrfCookie } from './translate-response.ts';
import { createRequestTranslation, isForgedRequest, originalMethod } from './translate-request.ts';

export type Translation = ReturnType<typeof createTranslation>;

/**
 * Makes the service answer as another API type: translates requests for its own routes, and adds what clients of that type
 * expect to responses: token, cookies and the status without a session.
 * @param options.servesAccountCalls whether a mock answers the calls about the account
 */
export function createTranslation(adapter: ApiAdapter, options: { servesAccountCalls: boolean }) {
  const { rewriteUrl, readFields } = createRequestTranslation(adapter, options);
  const translateResponse = createResponseTranslation({ adapter, sentMethod: originalMethod });

  return {
    rewriteUrl,

    /** Adds its hooks to the routes of the operations: after the parsers of bodies, and outside of fault injection. */
    register(app: App): void {
      app.addHook('onRoute', (route) => {
        const hooks = [route.preValidation ?? []].flat();
        const sending = [route.onSend ?? []].flat();
        if (options.servesAccountCalls && route.url === '/*' && !sending.includes(translateResponse))
          route.onSend = [...sending, translateResponse];
        // The route for HEAD is a copy of the one for GET.
        if (operationAt(route.url) === undefined || hooks.includes(readFields)) return;
        route.preValidation = [readFields, ...hooks];
        route.onSend = [...sending, translateResponse];
      });
    },

    /** Answers a request for the CSRF cookie; false for another request. */
    handleCsrf(request: FastifyRequest, reply: FastifyReply): boolean {
      const [path] = request.originalUrl.split('?', 1);
      if (request.method !== 'GET' || path !== adapter.csrfPath) return false;
      setCsrfCookie(reply, adapter.description);
      reply.code(204).send();
      return true;
    },

    isForged: isForgedRequest,

    methodsAt: (url: string): string[] => adapter.paths.callsAt(url).map(({ method }) => method),
  };
}
