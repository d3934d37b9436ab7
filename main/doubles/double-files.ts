import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ReportComparison, type Report } from '../../preload/contract/contract-report.ts';
import { isDoubleId } from '../config/config.ts';
import { jsonReport, readReport } from '../contract-run/reports/json.ts';
import { readLimited } from '../files/read-limited.ts';
import { syncFolder, writeAtomically } from '../files/write-atomically.ts';
import type { ServerModel } from '../service/double/model.ts';
import type { ModelRead } from '../service/double/read-model.ts';

/** A report without its calls, or two comparisons, have far less. */
const mostBytes = 20_000_000;

/** How a double compares with its original, and what the original did otherwise when it was measured again. */
const Comparisons = z.object({
  comparison: ReportComparison.optional().catch(undefined),
  changes: ReportComparison.optional().catch(undefined),
});
export type Comparisons = z.infer<typeof Comparisons>;

export type DoubleFiles = ReturnType<typeof createDoubleFiles>;

/**
 * The files of doubles, each in a folder of its own: the model, the report of the original without its calls, the
 * comparisons, and the database of the accounts. No token and no password of a run is in any of them.
 * @param folder the folder of all doubles
 */
export function createDoubleFiles(folder: string) {
  /** The id comes from a file that anybody can write, so it is looked at before it is a part of a path. */
  function fileOf(id: string, name: string): string {
    if (!isDoubleId(id)) throw new Error('it is no double');
    return path.join(folder, id, name);
  }

  async function read(file: string): Promise<string | undefined> {
    const found = await readLimited(file, mostBytes);
    return found.ok ? found.content.toString('utf8') : undefined;
  }

  return {
    database: (id: string): string => fileOf(id, 'service.sqlite'),

    model: async (id: string): Promise<ModelRead> => {
      const file = fileOf(id, 'model.json');
      const { readModelAside } = await import('./model-aside.ts');
      return readModelAside(file);
    },

    /** Writes what was learned of an original. Its report is absent where the model came out of a file. */
    async write(id: string, model: ServerModel, original: Report | undefined): Promise<void> {
      await mkdir(path.dirname(fileOf(id, '')), { recursive: true, mode: 0o700 });
      await mkdir(fileOf(id, ''), { recursive: true, mode: 0o700 });
      await syncFolder(folder);
      const { writeModel } = await import('../double/learn.ts');
      await writeAtomically(fileOf(id, 'model.json'), writeModel(model));
      if (original) await writeAtomically(fileOf(id, 'original.json'), jsonReport({ ...original, evidence: [] }));
    },

    /** Reads the report of the original, without its calls. */
    async original(id: string): Promise<Report | undefined> {
      const text = await read(fileOf(id, 'original.json'));
      const report = text === undefined ? undefined : readReport(text);
      return report?.ok ? report.report : undefined;
    },

    async comparisons(id: string): Promise<Comparisons> {
      const text = await read(fileOf(id, 'comparisons.json'));
      try {
        return Comparisons.parse(JSON.parse(text ?? '{}'));
      } catch {
        return {};
      }
    },

    writeComparisons: (id: string, comparisons: Comparisons): Promise<void> =>
      writeAtomically(fileOf(id, 'comparisons.json'), `${JSON.stringify(comparisons)}\n`),

    /** Erases all of a double: its accounts go with its folder. */
    erase: (id: string): Promise<void> =>
      rm(fileOf(id, ''), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
