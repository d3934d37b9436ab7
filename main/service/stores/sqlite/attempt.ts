import { storeUnavailable } from '../account-store.ts';
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

/** Returns what to throw in the place of an error: one that says why the file cannot be used, unless it is a fault of ours. */
export function asUnavailable(error: unknown): unknown {
  const trouble = readFileTrouble(error);
  if (trouble === undefined) return error;
  return storeUnavailable(trouble.reason === 'damaged' ? 'failing' : trouble.reason, error);
}
