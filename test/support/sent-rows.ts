import type { ProfileField, UserProfile } from '../../preload/contract/models.ts';
import { isRenewed, writtenAnswer } from './written-answers.ts';

const main = isRenewed ? (await import('./answers-of-main.ts')).answersOfMain : undefined;

/** Returns what main makes of the profile that a server sends. */
export const sentUser = (body: string): UserProfile => writtenAnswer('profile', body, main?.profile);

/** A field of a person that is a text, of which `left` characters do not come to the window. */
export const textRow = (name: string, text: string, more: { left?: number } = {}): ProfileField => ({
  name,
  place: `/${name}`,
  value: { is: 'text', text, ...more },
});

/** Returns the rows of these fields of a person, which are given as JSON or as what JSON is made of. */
export function sentRows(fields: object | string): ProfileField[] {
  const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
  return sentUser(`{"id":"someone",${text.slice(1)}`.replace(/,\}$/, '}')).rest;
}
