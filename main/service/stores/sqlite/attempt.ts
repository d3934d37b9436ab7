import { storeUnavailable } from '../account-store.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { PlaceCheck } from './place-check.ts';
import { readFileTrouble } from './sqlite-errors.ts';
import { whenFree } from './when-free.ts';

/** Tells errors of the file, which may be over at the next request, from faults of ours. */
export async function attempt<T>(run: () => T): Promise<T> {
  try {
    return await whenFree(run);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Changes what a file holds, if it is still the one that was opened. `pages` is how many pages of its log that takes. */
export type Write = <T>(run: () => T, pages?: number) => Promise<T>;

export const createWrite =
  (place: PlaceCheck, checkpoints: Pick<Checkpoints, 'wrote'>): Write =>
  (run, pages) =>
    attempt(() => {
      place.require();
      const done = run();
      checkpoints.wrote(pages);
      return done;
    });

/** Returns what to throw in the place of an error: one that says why the file cannot be used, unless it is a fault of ours. */
export function asUnavailable(error: unknown): unknown {
  const trouble = readFileTrouble(error);
  if (trouble === undefined) return error;
  return storeUnavailable(trouble.reason === 'damaged' ? 'failing' : trouble.reason, error);
}
