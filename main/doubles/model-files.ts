import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { codeOf } from '../error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { DoubleFiles } from './double-files.ts';
import type { Doubles } from './doubles.ts';

/** Anybody may read a model: it holds no secret. */
const modelMode = 0o644;

export type ModelFileOptions = {
  files: Pick<DoubleFiles, 'model'>;
  doubles: Pick<Doubles, 'fromFile'>;
  /** Asks with the system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import-model' | 'export-model') => Promise<string | undefined>;
};

/** Writes models into files that a person chooses in main's own dialog, and reads them from there. */
export function createModelFiles({ files, doubles, chooseFile }: ModelFileOptions) {
  return {
    async exportModel(id: string): Promise<Result<{ exported: boolean }>> {
      const read = await files.model(id);
      if (!read.ok) return fail({ kind: 'double-refused', problem: 'files-gone' });
      const file = await chooseFile('export-model');
      if (file === undefined) return ok({ exported: false });
      try {
        const { writeModel } = await import('../double/learn.ts');
        await writeAtomically(file, writeModel(read.model), modelMode);
        return ok({ exported: true });
      } catch (error) {
        return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
      }
    },

    async importModel(): Promise<Result<{ id?: string }>> {
      const file = await chooseFile('import-model');
      return file === undefined ? ok({}) : doubles.fromFile(file);
    },
  };
}
