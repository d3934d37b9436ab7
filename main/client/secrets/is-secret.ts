import { isPasswordHash, looksLikeToken, looksOpaque, isPipeToken, secretsByForm } from './secret-forms.ts';
import { classifyName, type NameClass } from './secret-names.ts';

/** A one-time code: digits, possibly in groups, that are no date: `482913`, `1234 5678`. */
function isTypedCode(text: string, fewest: number): boolean {
  if (!/^\d{1,12}$|^\d{3,6}(?:[ -]\d{3,6}){1,4}$/.test(text)) return false;
  const { length } = text.replaceAll(/\D/g, '');
  const isDate = /^(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])$/.test(text);
  return !isDate && length >= fewest && (length <= 8 || /\D/.test(text));
}

/** True if a pair of a URL, a cookie or a header, such as `sid=abc`, has the name of a secret. */
const holdsNamedSecret = (text: string): boolean =>
  text.length <= maxUrlCharacters &&
  text.includes('=') &&
  text
    .split(/[?&#;,\s]+/)
    .some((pair) => /^[\w.-]{2,60}=./.test(pair) && classifyName(pair.split('=', 1)[0]!).says === 'secret');
const maxUrlCharacters = 8192;

/** True if a value is a secret by the names around it. A number is passed as its digits. */
export function isSecretByName(text: string, { says, digits }: NameClass, isNumber = false): boolean {
  if (text === '') return false;
  if (says === 'secret') return true;
  if (says !== 'perhaps' && says !== 'about') return false;
  if (digits !== undefined && isTypedCode(text, digits)) return true;
  return !isNumber && (looksOpaque(text) || holdsNamedSecret(text));
}

/** True if a whole value is a secret by its form. A user id may look like a token: `auth0|5f7c8ec7c33c6c004bbafe82`. */
export const isSecretByForm = (text: string, { says }: NameClass): boolean =>
  isPasswordHash(text) || (looksLikeToken(text) && !(says === 'identity' && isPipeToken(text)));

/** True if a value of a response is or contains a secret, by its names or its form. */
export const holdsSecret = (text: string, naming: NameClass, isNumber = false): boolean =>
  isSecretByName(text, naming, isNumber) ||
  isSecretByForm(text, naming) ||
  (secretsByForm(text).length > 0 && !(naming.says === 'identity' && isPipeToken(text)));
