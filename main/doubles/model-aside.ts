import { aside, type Job } from '../aside/aside.ts';
import { readModelFile, type ModelRead } from '../service/double/read-model.ts';

export const modelJob: Job<string, ModelRead> = { name: 'model', work: readModelFile };

/** Reads a model's file, which anybody may have written, on the other thread. */
export async function readModelAside(file: string): Promise<ModelRead> {
  const done = await aside.run(modelJob, file);
  return done.ok ? done.value : { ok: false, problem: 'too-large', sentence: 'The model takes too long to read.' };
}
