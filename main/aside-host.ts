import { parentPort } from 'node:worker_threads';
import type { Answered, Asked, Job } from './aside/aside.ts';
import { recordingJob } from './calls/recording-job.ts';
import { readingJob } from './client/answer.ts';
import { sentJob } from './client/sent-profile.ts';
import { hidingJob } from './client/shown-answer.ts';
import { reportJob } from './contract-run/reports/json.ts';
import { modelJob } from './doubles/model-aside.ts';

/** This is the other thread of `aside/aside.ts`. Every kind of work that it does has its line here. */
const jobs: readonly Job<never, unknown>[] = [readingJob, hidingJob, sentJob, recordingJob, reportJob, modelJob];

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- This is a thread, and no window.
const tell = (answered: Answered): void => parentPort?.postMessage(answered);

async function work({ name, input }: Asked): Promise<void> {
  const job = jobs.find((each) => each.name === name);
  try {
    if (!job) return tell({ ok: false });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Whoever asked for a job by its name gave what it takes.
    tell({ ok: true, value: await job.work(input as never) });
  } catch {
    // A text that overflows the stack or the memory is too hard, and none of it may be shown in an error.
    tell({ ok: false });
  }
}

parentPort?.on('message', (asked: Asked) => void work(asked));
tell('ready');
