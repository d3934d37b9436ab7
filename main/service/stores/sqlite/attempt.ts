import { storeUnavailable } from '../account-store.ts';
import { readFileTrouble } from './sqlite-errors.ts';
import { whenFree } from './when-free.ts';

/** Tells errors of the file, which may be over at the next request, from faults of ours. */
export async function attempt<T>(run: () => T): Promise<T> {
  try {
    return await whenFree(run);
  } catch (error) {
    const trouble = readFileTrouble(error);
    if (trouble === undefined) throw error;
    throw storeUnavailable(trouble.reason === 'damaged' ? 'failing' : trouble.reason, error);
  }
}
