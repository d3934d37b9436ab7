/**
 * The code of a system or Node error, such as `ENOSPC` (nodejs.org/api/errors.html#errorcode); undefined for any other
 * thrown value.
 */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
