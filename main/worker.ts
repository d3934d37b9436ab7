import { parentPort } from 'node:worker_threads';
import type { JobRequest, Job } from './client/text-worker.ts';
import { recordingJob } from './client/recording/recording-job.ts';
import { interpretationJob } from './client/interpret.ts';
import { rawProfileJob } from './client/raw-profile.ts';
import { redactionJob } from './client/interpret-for-display.ts';
import { reportJob } from './check/reports/json-report.ts';
import { mockFileJob } from './tools/local-servers/mock-file-job.ts';

/** This is the other thread, which `client/text-worker.ts` starts. What throws ends it. */
const jobs: readonly Job<never, unknown>[] = [
  interpretationJob,
  redactionJob,
  rawProfileJob,
  recordingJob,
  reportJob,
  mockFileJob,
];

async function work({ name, input }: JobRequest): Promise<void> {
  const job = jobs.find((each) => each.name === name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The job of this name takes this input.
  const output = await job?.work(input as never);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- This is a thread, and no window.
  parentPort?.postMessage(output);
}

parentPort?.on('message', (asked: JobRequest) => void work(asked));
