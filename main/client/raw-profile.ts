import { textWorker, longText, type Job } from './text-worker.ts';
import { indentJson, valueAtPointer, type RedactedJson } from './reading/json-text.ts';

/** `place` is the JSON pointer of one value; without it, the whole response is written for a file. */
type RawProfileInput = { sent: RedactedJson; place?: string };

/** Reads the redacted response of a profile, on the worker thread. */
export const rawProfileJob: Job<RawProfileInput, string | undefined> = {
  name: 'raw-profile',
  work: ({ sent, place }) => (place === undefined ? formatFile(sent) : valueAtPointer(sent.text, place)),
};

/** The file of a profile: the response, and the paths of the secrets that are left out. */
function formatFile({ text, leftOut, leftOutMore }: RedactedJson): string {
  const paths = leftOutMore > 0 ? [...leftOut, `and ${leftOutMore} more`] : leftOut;
  return `{\n  "sent": ${indentJson(text, 1)},\n  "left out": ${indentJson(JSON.stringify(paths), 1)}\n}\n`;
}

/** Undefined if there is no value at `place`. A long text is read on the worker thread. */
export const readRawProfile = async (input: RawProfileInput): Promise<string | undefined> =>
  input.sent.text.length > longText ? textWorker.run(rawProfileJob, input) : rawProfileJob.work(input);
