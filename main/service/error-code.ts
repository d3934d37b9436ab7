/**
 * Returns the code of Node's, Fastify's or the database's error, such as `EADDRINUSE`. It is empty where there is none.
 * The service imports nothing from outside its folder, so it has this of its own.
 */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
