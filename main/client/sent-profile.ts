import { aside, type Job } from '../aside/aside.ts';
import { inLines, valueAt, type SentText } from './reading/json-text.ts';
import { isLongText } from './too-hard.ts';

/** What is wanted of what a server sent: what stands at a place, or else the whole for a file. */
type Wanted = { sent: SentText; place?: string };

/** Looks through what a server sent of a person, for the other thread. */
export const sentJob: Job<Wanted, string | undefined> = {
  name: 'sent',
  work: ({ sent, place }) => (place === undefined ? fileOf(sent) : valueAt(sent.text, place)),
};

/** Writes the file of a profile: what the server sent, and the places of secrets that are not in it. */
function fileOf({ text, leftOut, leftOutMore }: SentText): string {
  const places = leftOutMore > 0 ? [...leftOut, `and ${leftOutMore} more`] : leftOut;
  return `{\n  "sent": ${inLines(text, 1)},\n  "left out": ${inLines(JSON.stringify(places), 1)}\n}\n`;
}

/** Does the same on the thread that does not hold up the window. Undefined if there is nothing, or it was too hard. */
export async function ofSent(wanted: Wanted): Promise<string | undefined> {
  if (!isLongText(wanted.sent.text)) return sentJob.work(wanted);
  const done = await aside.run(sentJob, wanted);
  return done.ok ? done.value : undefined;
}
