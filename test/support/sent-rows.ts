import type { SentRow } from '../../preload/contract/profile.ts';
import { readAnswer } from '../../main/client/read-answer.ts';

/** Returns what main makes of a person's fields, which are given as JSON or as what JSON is made of. */
export function sentRows(fields: object | string): SentRow[] {
  const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
  const body = `{"id":"someone",${text.slice(1)}`.replace(/,\}$/, '}');
  return readAnswer('perfil', { status: 200, headers: {}, body }).rest;
}
