import type { SentRow, User } from '../../preload/contract/profile.ts';
import { userOf } from '../../main/client/client.ts';
import { readAnswer } from '../../main/client/read-answer.ts';

/** Returns what main makes of the profile that a server sends. */
export const sentUser = (body: string): User => userOf(readAnswer('perfil', { status: 200, headers: {}, body }));

/** Returns the rows of these fields of a person, which are given as JSON or as what JSON is made of. */
export function sentRows(fields: object | string): SentRow[] {
  const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
  return sentUser(`{"id":"someone",${text.slice(1)}`.replace(/,\}$/, '}')).rest;
}
