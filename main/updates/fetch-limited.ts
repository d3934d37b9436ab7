import type { UpdateProblem } from '../../preload/contract/updates.ts';

/** `fetch` of Electron's session, which goes through the system's proxy, or of Node. */
export type Fetch = (
  url: string,
  init: { redirect: 'error'; cache: 'no-store'; credentials: 'omit'; signal: AbortSignal },
) => Promise<Response>;

/** The most milliseconds without a byte. */
const SILENT_MS = 30_000;

/** Thrown by `fetchLimited` and by whoever takes its pieces. */
export type Failed = { problem: UpdateProblem };

export const isFailed = (error: unknown): error is Failed =>
  typeof error === 'object' && error !== null && 'problem' in error;

/** Says whether a fetch was given up since the answer leads elsewhere. Node has it in the cause of its error. */
function isRedirect(error: unknown): boolean {
  const texts = error instanceof Error ? [error.message, error.cause instanceof Error ? error.cause.message : ''] : [];
  return texts.some((text) => /redirect/i.test(text));
}

/**
 * Gets a file in pieces, of `maxBytes` together at most. It follows no redirect, sends no cookie and keeps nothing.
 * Throws `Failed`.
 */
export async function* fetchLimited(
  fetch: Fetch,
  url: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENT_MS);
  let bytes = 0;
  let hasAnswered = false;
  try {
    const response = await fetch(url, {
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, silent.signal]),
    });
    hasAnswered = true;
    if (response.status !== 200 || !response.body) throw failed('refused');
    for await (const piece of response.body) {
      timer.refresh();
      bytes += piece.length;
      if (bytes > maxBytes) throw failed('too-large');
      yield piece;
    }
  } catch (error) {
    if (isFailed(error)) throw error;
    throw failed(isRedirect(error) ? 'redirected' : hasAnswered ? 'cut-off' : 'unreachable');
  } finally {
    clearTimeout(timer);
    // What still comes is not waited for.
    silent.abort();
  }
}

/** Makes an error that says what went wrong with an update. */
export const failed = (problem: UpdateProblem): Error & Failed => Object.assign(new Error(problem), { problem });
