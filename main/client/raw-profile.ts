import { textWorker, longText, type Job } from './text-worker.ts';
import { indentJson, valueAtPointer, type RedactedJson } from './reading/json-text.ts';

/** What is wanted of what a server sent: what stands at a place, or else the whole for a file. */
type Wanted = { sent: RedactedJson; place?: string };

/** Looks through what a server sent of a person, for the other thread. */
export const sentJob: Job<Wanted, string | undefined> = {
  name: 'sent',
  work: ({ sent, place }) => (place === undefined ? fileOf(sent) : valueAtPointer(sent.text, place)),
};

/** Writes the file of a profile: what the server sent, and the places of secrets that are not in it. */
function fileOf({ text, leftOut, leftOutMore }: RedactedJson): string {
  const places = leftOutMore > 0 ? [...leftOut, `and ${leftOutMore} more`] : leftOut;
  return `{\n  "sent": ${indentJson(text, 1)},\n  "left out": ${indentJson(JSON.stringify(places), 1)}\n}\n`;
}

/** Does the same, of a long text on the other thread. Undefined if there is nothing. */
export const readRawProfile = async (wanted: Wanted): Promise<string | undefined> =>
  wanted.sent.text.length > longText ? textWorker.run(sentJob, wanted) : sentJob.work(wanted);
