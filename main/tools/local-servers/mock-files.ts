import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ReportComparison, type Report } from '../../../preload/contract/report.ts';
import { isMockServerId } from '../../account/config/server-ids.ts';
import { renderJsonReport, readReport } from '../../check/reports/json-report.ts';
import { readLimited } from '../../files/read-limited.ts';
import { syncFolder, writeAtomically } from '../../files/write-atomically.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import type { MockFileResult } from '../../service/mock/load-mock-file.ts';

/** A report without its calls, or two comparisons, have far less. */
const mostBytes = 20_000_000;

/** The mock compared with its original, and the original compared with itself when it was checked again. */
const Comparisons = z.object({
  comparison: ReportComparison.optional().catch(undefined),
  changes: ReportComparison.optional().catch(undefined),
});
type Comparisons = z.infer<typeof Comparisons>;

/**
 * The files of mock servers, a folder for each: the mock file, the report of the original without its calls, the
 * comparisons, and the database of the accounts. None contains a token or a password of a check.
 */
export class MockFiles {
  readonly #folder: string;

  /** @param folder the user-data folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  database = (id: string): string => this.#fileOf(id, 'service.sqlite');

  async model(id: string): Promise<MockFileResult> {
    const file = this.#fileOf(id, 'model.json');
    const { loadMockFileOnWorker } = await import('./mock-file-job.ts');
    return loadMockFileOnWorker(file);
  }

  /** @param original absent if the mock was imported from a file */
  async write(id: string, model: MockDefinition, original: Report | undefined): Promise<void> {
    const folder = this.#fileOf(id, '');
    await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(path.dirname(folder));
    const { formatMockFile } = await import('../../check/mock-generator/generate-mock.ts');
    await writeAtomically(this.#fileOf(id, 'model.json'), formatMockFile(model));
    if (original)
      await writeAtomically(this.#fileOf(id, 'original.json'), renderJsonReport({ ...original, evidence: [] }));
  }

  /** Reads the report of the original, without its calls. */
  async original(id: string): Promise<Report | undefined> {
    const text = await read(this.#fileOf(id, 'original.json'));
    const report = text === undefined ? undefined : readReport(text);
    return report?.ok ? report.report : undefined;
  }

  async comparisons(id: string): Promise<Comparisons> {
    const text = await read(this.#fileOf(id, 'comparisons.json'));
    try {
      return Comparisons.parse(JSON.parse(text ?? '{}'));
    } catch {
      return {};
    }
  }

  writeComparisons = (id: string, comparisons: Comparisons): Promise<void> =>
    writeAtomically(this.#fileOf(id, 'comparisons.json'), `${JSON.stringify(comparisons)}\n`);

  /** Deletes a mock server's folder, with its accounts. */
  erase = (id: string): Promise<void> =>
    rm(this.#fileOf(id, ''), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });

  /** The id comes from config.json, which anybody can write: unchecked, `../..` would be deleted as a folder. */
  #fileOf(id: string, name: string): string {
    if (!isMockServerId(id)) throw new Error('not the id of a mock server');
    // Earlier builds called them doubles.
    return path.join(this.#folder, id.startsWith('double-') ? 'doubles' : 'mocks', id, name);
  }
}

async function read(file: string): Promise<string | undefined> {
  const found = await readLimited(file, mostBytes);
  return found.ok ? found.content.toString('utf8') : undefined;
}
