import { chooseLanguage } from '../language.ts';
import type { ServiceLanguage } from '../messages.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';

/** `GET /api/v1/openapi.json`, in the language of the request. */
export function openApiRoute(app: App, parts: RouteDependencies): void {
  const described: Partial<Record<ServiceLanguage, Promise<object>>> = {};

  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- this is not Express: Fastify awaits its handlers
  app.get('/api/v1/openapi.json', async (request) => {
    const language = chooseLanguage(request.headers['accept-language']);
    described[language] ??= import('../service-openapi.ts').then(({ createServiceOpenApi }) =>
      createServiceOpenApi(parts, language),
    );
    return described[language];
  });
}
