import { readFileSync } from 'node:fs';
import type { Operation } from '../../preload/contract/names.ts';
import { readAnswer, type Meaning, type Reading } from '../../main/client/read-answer.ts';

/** An answer of a server that exists, and what it means. */
type Shape = {
  id: string;
  operation: Operation;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  meaning: Meaning;
  /** What a person is told, as far as it is kept here. */
  error?: Record<string, unknown>;
  source?: string;
};

const shapesOf = (name: string): Shape[] =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));

/**
 * What sentences of `dialects.json` are about, by its entries. The file stays as it was given, and reads a sentence as the
 * message alone.
 */
const saidOfFields: Readonly<Record<string, Record<string, string[]>>> = {
  'bad-request-name': { email: ['email must be an email'] },
  'nest-error-object': { email: ['email must be an email'] },
  'error-true-400-flask': { password: ['Password must be at least 8 characters'] },
  'fastapi-register-400': { email: ['Email already registered'] },
  'rails-errors-joined': { email: ['Email has already been taken'], password: ['Password is too short'] },
};

export const dialects = shapesOf('dialects.json');
for (const { id, meaning } of dialects) {
  const fieldErrors = saidOfFields[id];
  if (fieldErrors) meaning.fieldErrors = fieldErrors;
}
export const moreShapes = shapesOf('more-shapes.json');
export const allShapes = [...dialects, ...moreShapes];

export const read = (
  operation: Operation,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Reading => readAnswer(operation, { status, headers, body });

export const pipe = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
export const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnLWZha2U';
