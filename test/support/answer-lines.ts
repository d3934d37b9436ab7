import { readFileSync } from 'node:fs';
import type { Operation } from '../../preload/contract/names.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { parseResponse, type ResponseSummary, type Interpretation } from '../../main/client/parse-response.ts';

/** All that comes of an answer, judged by the answer alone. What seems wrong has a `doubt` beside it. */
export type AnswerOutcome = {
  verdict: Interpretation['verdict'];
  meaning: ResponseSummary;
  /** The error that the application makes of the response. A success has none. */
  error?: AppError;
  /** When the token stops working, as far as the answer says it. */
  sessionEnd?: { path: string; seconds: number } | { path: string; at: string };
  /** The places of a profile that a person sees nowhere. */
  unshown?: string[];
};

/** An answer of a server, one line of a fixture, with what comes of it. */
export type AnswerLine = {
  /** No other line has it, in any of the files. */
  id: string;
  framework?: string;
  language?: string;
  operation: Operation;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  expected: AnswerOutcome;
  note?: string;
  source?: string;
  /** Why what comes of it now may be wrong. */
  doubt?: string;
};

const linesOf = (name: string): AnswerLine[] =>
  readFileSync(new URL(`../fixtures/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    // The files are ours, and unit/client/answers compares each line with what main says.
    .map((line) => JSON.parse(line) as AnswerLine);

/** Answers as they were given to us, without their sources. The formats of our service follow them. */
export const allDialects = linesOf('dialects');

/** What we found ourselves, with the source of each. */
const moreShapes = linesOf('more-shapes');

/**
 * Answers of public servers to a registration or a login, found on 2026-11-22 by search in threads, documentation, pages
 * and code, and not looked at before. What a person is to see under which field and above the form was written down first:
 * of 87, 74 were so at once; 5 are seen otherwise for a reason (a `username` is our name, a foreign field is named by its
 * path, and the words differ); 8 showed what was missing and were mended: messages under `erreur`, `detalles` below an
 * error, lists of `inputs` or `paths`, errors within errors, and two German sentences.
 */
const unseenAnswers = linesOf('unseen-answers');

/** Answers that were made up, most for one rule each. */
const madeUp = linesOf('made-up-answers');

export const withSources = [...moreShapes, ...unseenAnswers];
export const allAnswers = [...allDialects, ...withSources, ...madeUp];

export const read = (
  operation: Operation,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Interpretation => parseResponse(operation, { status, headers, body });

export const pipe = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
export const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnLWZha2U';
