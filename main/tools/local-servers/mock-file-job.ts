import { textWorker, type Job } from '../../client/text-worker.ts';
import { loadMockFile, type MockFileResult } from '../../service/mock/load-mock-file.ts';

export const mockFileJob: Job<string, MockFileResult> = { name: 'model', work: loadMockFile };

/** Parses a mock file, which may be hostile, on the worker thread. */
export async function loadMockFileOnWorker(file: string): Promise<MockFileResult> {
  const read = await textWorker.run(mockFileJob, file);
  return read ?? { ok: false, problem: 'too-large', sentence: 'Reading the mock file takes too much memory.' };
}
