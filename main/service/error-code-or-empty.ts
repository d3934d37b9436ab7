/**
 * Returns the code of Node's, Fastify's or the database's error, such as `EADDRINUSE`. Empty without a code.
 * The service imports nothing of the application, so it has this of its own.
 */
export const errorCodeOrEmpty = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
