/**
 * The code of Node's, Fastify's or the database's error, such as `EADDRINUSE`; empty where it has none. The service
 * imports nothing from outside its folder, so it has this of its own.
 */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
