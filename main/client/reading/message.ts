import { fieldsOf, namesField } from './field-errors.ts';
import {
  at,
  atPath,
  firstItems,
  grow,
  isList,
  isObject,
  textOf,
  whole,
  wholeBody,
  type Json,
  type Located,
} from './json.ts';
import { isGeneric, isReasonPhrase, isSentence } from './sentences.ts';
import { has, list } from './words.ts';

export type FoundMessage = { value: string; path: string; rule: string };

/** The names of messages in their order. On success only the sure ones count. */
const namesFor = (failed: boolean): readonly string[] =>
  failed ? [...list('messages'), ...list('later-messages')] : list('messages-of-success');

/** Returns what the server says in its own words, as sent; of a list, the first text. */
export function findMessage(body: Json, text: string, failed: boolean): FoundMessage | undefined {
  // The body may be a picture, for example, that was read as text.
  if (/\uFFFD|(?!\s)\p{Cc}/u.test(text)) return undefined;
  if (text.trim() !== '') return { value: text, path: wholeBody, rule: 'the body is plain text' };
  if (typeof body === 'string' && body.trim() !== '')
    return { value: body, path: wholeBody, rule: 'the body is a JSON text' };
  const root = whole(body);
  if (!failed) return named(root, false) ?? below(root, list('around-messages-of-success'), false);
  const top = named(root, true);
  // "Validation failed" stands behind what failed, wherever that is said.
  if (top && !isGeneric(top.value)) return top;
  const deep = below(root, list('around-messages'), true) ?? listed(root) ?? sentence(root) ?? elsewhere(root);
  return top && !(deep && isSpecific(deep.value) && !isOfField(root, deep)) ? top : deep;
}

/** Says whether a message is that of an error which points to its field. */
function isOfField(root: Located, { path }: FoundMessage): boolean {
  const error = atPath(root, path.slice(0, Math.max(0, path.lastIndexOf('.'))))?.value;
  return isObject(error) && fieldsOf(error).length > 0;
}

/** Returns the text at the place that a person gave, if there is one. */
export function messageAt(path: string, body: Json): FoundMessage | undefined {
  const located = atPath(whole(body), path);
  const value = located && spoken(located.value);
  return value === undefined ? undefined : { value, path, rule: 'the path pinned for this server' };
}

function named(place: Located, failed: boolean): FoundMessage | undefined {
  if (!isObject(place.value)) return undefined;
  for (const name of namesFor(failed)) {
    const found = spokenAt(place, name);
    if (found)
      return (failed && (isCode(name, found.value) || isGeneric(found.value)) ? explained(place) : undefined) ?? found;
  }
  return undefined;
}

function spokenAt(place: Located, name: string): FoundMessage | undefined {
  const found = at(place, name);
  const value = found && spoken(found.value);
  return found && value !== undefined ? { value, path: found.path, rule: `a field named ${name}` } : undefined;
}

/** Says whether a text is for programs, such as `error.emailexists`, where people may be told more. */
function isCode(name: string, text: string): boolean {
  return (name === 'error' || name === 'title' ? /^[\w.:-]+$/ : /^[A-Za-z0-9]+(?:[._:-][A-Za-z0-9]+)+$/).test(text);
}

/** Returns the first sentence beside a code. */
function explained(place: Located): FoundMessage | undefined {
  return namesFor(true)
    .flatMap((name) => spokenAt(place, name) ?? [])
    .find(({ value }) => isSpecific(value));
}

function sentence(root: Located): FoundMessage | undefined {
  return list('perhaps-messages')
    .flatMap((name) => spokenAt(root, name) ?? [])
    .find(({ value }) => isSentence(value) && !isReasonPhrase(value));
}

const isSpecific = (text: string): boolean => isSentence(text) && !isGeneric(text);

/** Looks under a name that nobody knows for what is called a message, and for nothing else. */
function elsewhere(root: Located): FoundMessage | undefined {
  if (!isObject(root.value)) return undefined;
  return [...root.value.values]
    .flatMap(([key, value]) =>
      list('plain-messages').map((name) =>
        isObject(value) ? spokenAt({ path: grow(root.path, key), value }, name) : undefined,
      ),
    )
    .find((found) => found !== undefined);
}

function below(root: Located, names: readonly string[], failed: boolean): FoundMessage | undefined {
  for (const name of names) {
    const inner = at(root, name);
    if (!inner) continue;
    const found = named(inner, failed) ?? (failed ? (listed(inner) ?? within(inner)) : undefined);
    if (found) return found;
    const value = failed && has('texts-are-messages', name) ? spoken(inner.value) : undefined;
    if (value !== undefined) return { value, path: inner.path, rule: `a text under ${name}` };
  }
  return undefined;
}

function within(place: Located): FoundMessage | undefined {
  for (const name of ['error', 'errors', 'json', 'messages']) {
    const inner = at(place, name);
    const found = inner && (named(inner, true) ?? listed(inner));
    if (found) return found;
    const value = inner && name === 'errors' ? spoken(inner.value) : undefined;
    if (inner && value !== undefined) return { value, path: inner.path, rule: 'a text under errors' };
  }
  return undefined;
}

/** Reads JSON:API and its like: a list of error objects that have no message above them. */
function listed({ path, value }: Located): FoundMessage | undefined {
  if (!isList(value)) return undefined;
  for (const [index, item] of firstItems(value).entries()) {
    // express-validator's and FastAPI's items belong to their fields and are no message of the whole.
    const found = namesField(item) ? undefined : named({ path: `${path}[${index}]`, value: item }, true);
    if (found) return found;
  }
  return undefined;
}

/** Returns a text, or the first text of a list that begins with one. */
function spoken(value: Json): string | undefined {
  return textOf(isList(value) ? (value[0] ?? null) : value);
}
