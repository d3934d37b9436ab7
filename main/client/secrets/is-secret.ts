import { isPasswordHash, looksLikeToken, looksOpaque, isPipeToken, secretsByForm } from './secret-forms.ts';
import { classifyName, type NameClass } from './secret-names.ts';

/** Digits that a person types to be let in, also in groups, and no date: `482913`, `1234 5678`. */
function isTypedCode(text: string, fewest: number): boolean {
  if (!/^\d{1,12}$|^\d{3,6}(?:[ -]\d{3,6}){1,4}$/.test(text)) return false;
  const { length } = text.replaceAll(/\D/g, '');
  const isDate = /^(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])$/.test(text);
  return !isDate && length >= fewest && (length <= 8 || /\D/.test(text));
}

/** Whether one of the pairs of an address, a cookie or a header, `sid=abc`, is named as a secret. */
const holdsNamedSecret = (text: string): boolean =>
  text.length <= longestAddress &&
  text.includes('=') &&
  text
    .split(/[?&#;,\s]+/)
    .some((pair) => /^[\w.-]{2,60}=./.test(pair) && classifyName(pair.split('=', 1)[0]!).says === 'secret');
const longestAddress = 8192;

/** Whether the names around a text, or a number in its digits, say that it is a secret. */
export function isSecretByName(text: string, { says, digits }: NameClass, isNumber = false): boolean {
  if (text === '') return false;
  if (says === 'secret') return true;
  if (says !== 'perhaps' && says !== 'about') return false;
  if (digits !== undefined && isTypedCode(text, digits)) return true;
  return !isNumber && (looksOpaque(text) || holdsNamedSecret(text));
}

/**
 * Whether a text as a whole is told to be a secret by how it looks. Who somebody is may look like `<id>|<opaque>`: Auth0's
 * `auth0|5f7c8ec7c33c6c004bbafe82`.
 */
export const isSecretByForm = (text: string, { says }: NameClass): boolean =>
  isPasswordHash(text) || (looksLikeToken(text) && !(says === 'identity' && isPipeToken(text)));

/** Whether a text of an answer holds what no page, no file and no report may show, as far as its names and its form tell. */
export const holdsSecret = (text: string, naming: NameClass, isNumber = false): boolean =>
  isSecretByName(text, naming, isNumber) ||
  isSecretByForm(text, naming) ||
  (secretsByForm(text).length > 0 && !(naming.says === 'identity' && isPipeToken(text)));
