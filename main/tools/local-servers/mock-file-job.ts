import { textWorker, type Job } from '../../client/text-worker.ts';
import { loadMockFile, type MockFileResult } from '../../service/mock/load-mock-file.ts';

export const mockFileJob: Job<string, MockFileResult> = { name: 'model', work: loadMockFile };

/** Reads a model's file, which anybody may have written, on the other thread. */
export async function loadMockFileOnWorker(file: string): Promise<MockFileResult> {
  const read = await textWorker.run(mockFileJob, file);
  return read ?? { ok: false, problem: 'too-large', sentence: 'Reading the mock file takes too much memory.' };
}
