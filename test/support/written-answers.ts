import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What main is asked about a text: to find a login in it, to read it as a description, or as the body of a profile. */
export type Asked = 'find' | 'read' | 'profile';

/** One line of `fixtures/read-answers.jsonl`. */
export interface WrittenAnswer {
  asked: Asked;
  text: string;
  answer: unknown;
}

export const answersFile = path.resolve(import.meta.dirname, '../fixtures/read-answers.jsonl');
const renewal = 'LLAVERO_RENEW_ANSWERS=1 npm test -- e2e/screens unit/renderer unit/written-answers';

/** Whether an answer that is missing is written down, and the others are written again. */
export const isRenewed = process.env['LLAVERO_RENEW_ANSWERS'] !== undefined;

export const writtenAnswers = (): WrittenAnswer[] =>
  readFileSync(answersFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    // The file is ours, and unit/written-answers compares each line with what main says.
    .map((line) => JSON.parse(line) as WrittenAnswer);

export const asLine = (line: WrittenAnswer): string => `${JSON.stringify(line)}\n`;

const keyOf = (asked: Asked, text: string): string => `${asked} ${text}`;
const known = new Map(writtenAnswers().map(({ asked, text, answer }) => [keyOf(asked, text), answer]));

/** Returns what main says of a text, as it is written down. */
export async function answerAbout(asked: Asked, text: string): Promise<unknown> {
  if (!isRenewed) return writtenAnswer(asked, text);
  const { answersOfMain } = await import('./answers-of-main.ts');
  const answer: unknown = await answersOfMain[asked](text);
  return writtenAnswer(asked, text, () => answer);
}

/**
 * Returns what main says of a text, as it is written down: the tests of the window do not ask main what is right.
 * @param main asked instead while answers are renewed
 */
export function writtenAnswer<T>(asked: Asked, text: string, main?: (text: string) => T): T {
  const key = keyOf(asked, text);
  if (!known.has(key) && main) {
    const answer = main(text);
    known.set(key, answer);
    appendFileSync(answersFile, asLine({ asked, text, answer }));
  }
  if (!known.has(key))
    throw new Error(`No answer is written down (${asked}) for the text ${text}. To add it: ${renewal}`);
  // Who asks knows what main answers; unit/written-answers holds the file to it.
  return structuredClone(known.get(key)) as T;
}
