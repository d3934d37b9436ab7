import { createStoreUnavailableError } from '../account-store.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { FileIdentity } from './file-identity.ts';
import { classifySqliteError } from './sqlite-errors.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

/** Tells errors of the file, which may be over at the next request, from faults of ours. */
export async function runStatement<T>(run: () => T): Promise<T> {
  try {
    return await retryWhileLocked(run);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Changes what a file holds, if it is still the one that was opened. `pages` is how many pages of its log that takes. */
export type WriteRunner = <T>(run: () => T, pages?: number) => Promise<T>;

export const createWriteRunner =
  (place: FileIdentity, checkpoints: Pick<Checkpoints, 'wrote'>): WriteRunner =>
  (run, pages) =>
    runStatement(() => {
      place.verify();
      const done = run();
      checkpoints.wrote(pages);
      return done;
    });

/** Returns what to throw in the place of an error: one that says why the file cannot be used, unless it is a fault of ours. */
export function toStoreError(error: unknown): unknown {
  const trouble = classifySqliteError(error);
  if (trouble === undefined) return error;
  return createStoreUnavailableError(trouble.reason === 'damaged' ? 'failing' : trouble.reason, error);
}
