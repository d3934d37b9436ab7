import { textWorker, type Job } from '../../client/text-worker.ts';
import { readModelFile, type ModelRead } from '../../service/double/read-model.ts';

export const modelJob: Job<string, ModelRead> = { name: 'model', work: readModelFile };

/** Reads a model's file, which anybody may have written, on the other thread. */
export async function readModelOnWorker(file: string): Promise<ModelRead> {
  const read = await textWorker.run(modelJob, file);
  return read ?? { ok: false, problem: 'too-large', sentence: 'Reading the mock file takes too much memory.' };
}
