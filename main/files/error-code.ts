/**
 * Returns the code of a system's or Node's error, such as `ENOSPC` (nodejs.org/api/errors.html#errorcode); undefined
 * for any other value that was thrown.
 */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
