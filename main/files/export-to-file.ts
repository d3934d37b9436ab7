import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { errorCodeOf } from './error-code.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * Writes a file that the user chose; `exported` is false if they chose none.
 * @param mode permissions, see {@link writeAtomically}
 */
export async function exportToFile(
  file: string | undefined,
  text: () => string | Promise<string>,
  mode?: number,
): Promise<Result<{ exported: boolean }>> {
  if (file === undefined) return ok({ exported: false });
  try {
    await writeAtomically(file, await text(), mode);
  } catch (error) {
    return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
  }
  return ok({ exported: true });
}
