import { createStoreUnavailableError } from '../account-store.ts';
import type { Checkpoints } from './checkpoints.ts';
import { classifySqliteError } from './sqlite-errors.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

/** Rejects with a {@link createStoreUnavailableError} if the file is the cause, which may be over at the next request. */
export async function runStatement<T>(run: () => T): Promise<T> {
  try {
    return await retryWhileLocked(run);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Runs a statement that writes. `pages` estimates how much it adds to the log. */
export type WriteRunner = <T>(run: () => T, pages?: number) => Promise<T>;

export const createWriteRunner =
  (checkpoints: Pick<Checkpoints, 'wrote'>): WriteRunner =>
  (run, pages) =>
    runStatement(() => {
      const done = run();
      checkpoints.wrote(pages);
      return done;
    });

/** The error to throw instead: a {@link createStoreUnavailableError}, unless it is a bug of ours. */
export function toStoreError(error: unknown): unknown {
  const fileError = classifySqliteError(error);
  if (fileError === undefined) return error;
  return createStoreUnavailableError(fileError.reason === 'damaged' ? 'failing' : fileError.reason, error);
}
