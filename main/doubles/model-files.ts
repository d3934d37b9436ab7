import type { SharedModel } from '../../preload/contract/doubles.ts';
import type { FindingId } from '../../preload/contract/report-findings.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { codeOf } from '../error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { DoubleFiles } from './double-files.ts';
import type { Doubles } from './doubles.ts';
import type { RunsForDoubles } from './measuring.ts';

/** Anybody may read a model or a report: they hold no secret. */
const fileMode = 0o644;

export type ModelFileOptions = {
  files: Pick<DoubleFiles, 'model'>;
  doubles: Pick<Doubles, 'fromFile'>;
  runs: () => Promise<Pick<RunsForDoubles, 'reportOf' | 'measured'>>;
  /** Asks with the system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import-model' | 'export-model' | 'share-finding') => Promise<string | undefined>;
};

type FindingOfRun = { serverId: string; number?: number | undefined; findingId: FindingId };
type SharedFinding = { exported: false } | { exported: true; model: SharedModel };

/** Writes models and reports of findings into files that a person chooses in main's own dialog, and reads them from there. */
export function createModelFiles({ files, doubles, runs, chooseFile }: ModelFileOptions) {
  async function written(
    purpose: 'export-model' | 'share-finding',
    text: () => string,
  ): Promise<Result<{ exported: boolean }>> {
    const file = await chooseFile(purpose);
    if (file === undefined) return ok({ exported: false });
    try {
      await writeAtomically(file, text(), fileMode);
      return ok({ exported: true });
    } catch (error) {
      return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
    }
  }

  return {
    async exportModel(id: string): Promise<Result<{ exported: boolean }>> {
      const read = await files.model(id);
      if (!read.ok) return fail({ kind: 'double-refused', problem: 'files-gone' });
      const { writeModel } = await import('../double/learn.ts');
      return written('export-model', () => writeModel(read.model));
    },

    /** Writes a report of one finding, with a model in it while the run that found it is in memory. */
    async shareFinding({ serverId, findingId, number }: FindingOfRun): Promise<Result<SharedFinding>> {
      const [{ reportOf, measured }, { shareFinding }] = await Promise.all([
        runs(),
        import('../double/share-finding.ts'),
      ]);
      const report = reportOf(serverId, number);
      const shared = report && (await shareFinding(report, findingId, measured(serverId, number)));
      if (!shared) return fail({ kind: 'run-refused', problem: 'no-report' });
      const result = await written('share-finding', () => shared.text);
      if (!result.ok) return result;
      return ok(result.value.exported ? { exported: true, model: shared.model } : { exported: false });
    },

    async importModel(): Promise<Result<{ id?: string }>> {
      const file = await chooseFile('import-model');
      return file === undefined ? ok({}) : doubles.fromFile(file);
    },
  };
}
