import { useEffect } from 'react';
import { api, onEvent } from '../../api.ts';
import { useLoaded } from '../../use-loaded.ts';

/** Under load a request comes every few milliseconds, and nobody reads a number that changes as often. */
const recountEveryMs = 1000;

/** Calls `work` a moment after the built-in server answered requests, until the function that is returned is called. */
function afterRequests(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onEvent('builtIn.requested', () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, recountEveryMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Counts what the built-in server holds, at once, when it is asked to, and a moment after requests came in. */
export function useCounts() {
  const { value: counts, reload } = useLoaded(api.builtIn.counts);
  useEffect(() => afterRequests(() => void reload()), [reload]);
  return { counts, recount: reload };
}
