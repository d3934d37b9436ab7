import type { App, RouteDependencies } from '../route-dependencies.ts';

/** `GET /health`, which is 200 while the database is available. */
export function healthRoute(app: App, { accounts }: RouteDependencies): void {
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- this is not Express: Fastify awaits its handlers
  app.get('/health', async () => {
    await accounts.ping();
    return { status: 'ok' };
  });
}
