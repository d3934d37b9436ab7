import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { operationAt } from './operations.ts';
import type { App } from './route-dependencies.ts';
import { createResponseTranslation, setCsrfCookie } from './translate-response.ts';
import { createRequestTranslation, isForgedRequest, originalMethod } from './translate-request.ts';

/** Makes an application answer at the addresses of another interface, in its encoding and with its credential. */
export type Translation = ReturnType<typeof createTranslation>;

/**
 * Translates what comes in into requests to our own routes, and puts what the interface's own client looks for into the
 * answers: its token, its cookies and its status of "no session".
 */
export function createTranslation(adapter: ApiAdapter) {
  const { rewriteUrl, readFields } = createRequestTranslation(adapter);
  const translateAnswer = createResponseTranslation({ adapter, sentMethod: originalMethod });

  return {
    rewriteUrl,

    /** Stands around the routes of the operations: nearer to them than what reads bodies, farther than what alters answers. */
    register(app: App): void {
      app.addHook('onRoute', (route) => {
        const hooks = [route.preValidation ?? []].flat();
        // The route for HEAD is a copy of the one for GET.
        if (operationAt(route.url) === undefined || hooks.includes(readFields)) return;
        route.preValidation = [readFields, ...hooks];
        route.onSend = [...[route.onSend ?? []].flat(), translateAnswer];
      });
    },

    /** Answers the call for the cookie against forged requests, if a request is that. */
    handleCsrf(request: FastifyRequest, reply: FastifyReply): boolean {
      const [path] = request.originalUrl.split('?', 1);
      if (request.method !== 'GET' || path !== adapter.csrfPath) return false;
      setCsrfCookie(reply, adapter.description);
      reply.code(204).send();
      return true;
    },

    isForged: isForgedRequest,

    methodsAt: (url: string): string[] => adapter.callsAt(url).map(({ method }) => method),
  };
}
