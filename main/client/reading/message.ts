import { at, atPath, isList, isObject, textOf, wholeBody, type Json, type Located } from './json.ts';
import { words } from './words.ts';

export type FoundMessage = { value: string; path: string; rule: string };

/** In this order at each level. */
const messageNames = words(
  'message mensaje msg mensaje_error status_message detail error_description error response title',
);
const laterNames = words('error_message reason description messages');

/** A record or a page may have fields of these names too; on success they are not the server speaking to us. */
const onFailureOnly = new Set(words('error_description error title reason description error_message'));

/** One level below, in this order. */
const inside = words('error status meta errors datos detail err data result response');
const insideSuccess = words('status meta datos data result response');

/** Below these a plain text, or a list of texts, is the message itself. */
const textInside = new Set(words('errors datos err data'));

/** What the server says in its own words, as sent; of a list the first text. */
export function findMessage(body: Json, text: string, failed: boolean): FoundMessage | undefined {
  // A picture, say, read as text.
  if (/\uFFFD|(?!\s)\p{Cc}/u.test(text)) return undefined;
  if (text.trim() !== '') return { value: text, path: wholeBody, rule: 'the body is plain text' };
  if (typeof body === 'string' && body.trim() !== '')
    return { value: body, path: wholeBody, rule: 'the body is a JSON text' };
  const root: Located = { path: wholeBody, value: body };
  return (
    named(root, failed) ?? (failed ? (below(root, inside, true) ?? listed(root)) : below(root, insideSuccess, false))
  );
}

/** The text at the place a person gave, if there is one. */
export function messageAt(path: string, body: Json): FoundMessage | undefined {
  const located = atPath({ path: wholeBody, value: body }, path);
  const value = located && spoken(located.value);
  return value === undefined ? undefined : { value, path, rule: 'the place pinned for this environment' };
}

function named(place: Located, failed: boolean): FoundMessage | undefined {
  if (!isObject(place.value)) return undefined;
  for (const name of failed ? [...messageNames, ...laterNames] : messageNames) {
    if (!failed && onFailureOnly.has(name)) continue;
    const found = at(place, name);
    const value = found && spoken(found.value);
    if (found && value !== undefined) return { value, path: found.path, rule: `a field named ${name}` };
  }
  return undefined;
}

function below(root: Located, names: readonly string[], failed: boolean): FoundMessage | undefined {
  for (const name of names) {
    const inner = at(root, name);
    if (!inner) continue;
    const found =
      named(inner, failed) ?? (failed ? (listed(inner) ?? named(at(inner, 'error') ?? inner, failed)) : undefined);
    if (found) return found;
    const value = failed && textInside.has(name) ? spoken(inner.value) : undefined;
    if (value !== undefined) return { value, path: inner.path, rule: `a text under ${name}` };
  }
  return undefined;
}

/** JSON:API and its like: a list of error objects that have no message above them. */
function listed({ path, value }: Located): FoundMessage | undefined {
  if (!isList(value)) return undefined;
  for (const [index, item] of value.entries()) {
    // express-validator's and FastAPI's items belong to their fields and are no message of the whole.
    const belongsToField = ['path', 'param', 'field', 'property', 'loc', 'constraints'].some(
      (name) => at({ path: '', value: item }, name) !== undefined,
    );
    const found = belongsToField ? undefined : named({ path: `${path}[${index}]`, value: item }, true);
    if (found) return found;
  }
  return undefined;
}

/** A text, or a list whose first element is a text. */
function spoken(value: Json): string | undefined {
  return textOf(isList(value) ? (value[0] ?? null) : value);
}
