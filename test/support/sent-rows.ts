import type { SentRow, User } from '../../preload/contract/models.ts';
import { userOf } from '../../main/client/user-of.ts';
import { sentOf } from '../../main/client/hide-in-reading.ts';
import { readAnswer } from '../../main/client/read-answer.ts';

/** Reads a profile as main does: what is a text is JSON, anything else is what JSON is made of. */
export function readProfile(body: unknown, who: readonly string[] = []) {
  const answer = { status: 200, headers: {}, body, who };
  const reading = readAnswer('perfil', answer);
  return { ...reading, ...sentOf({ operation: 'perfil', answer, reading }) };
}

/** Returns what main makes of the profile that a server sends. */
export const sentUser = (body: string): User => userOf(readProfile(body));

/** Returns the rows of these fields of a person, which are given as JSON or as what JSON is made of. */
export function sentRows(fields: object | string): SentRow[] {
  const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
  return sentUser(`{"id":"someone",${text.slice(1)}`.replace(/,\}$/, '}')).rest;
}
