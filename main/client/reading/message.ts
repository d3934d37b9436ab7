import { fieldsOfError, namesField } from './field-errors.ts';
import {
  childByName,
  atPath,
  firstItems,
  appendKey,
  isList,
  isJsonObject,
  nonEmptyText,
  rootNode,
  rootPath,
  type JsonValue,
  type JsonNode,
} from './json.ts';
import { isGeneric, isReasonPhrase, isSentence } from './sentences.ts';
import { isInWordList, wordList } from './vocabulary.ts';

export type FoundMessage = { value: string; path: string; rule: string };

/** The names of messages in their order. On success only the sure ones count. */
const namesFor = (failed: boolean): readonly string[] =>
  failed ? [...wordList('messages'), ...wordList('later-messages')] : wordList('messages-of-success');

/** Returns what the server says in its own words, as sent; of a list, the first text. */
export function findMessage(body: JsonValue, text: string, failed: boolean): FoundMessage | undefined {
  // The body may be a picture, for example, that was read as text.
  if (/\uFFFD|(?!\s)\p{Cc}/u.test(text)) return undefined;
  if (text.trim() !== '') return { value: text, path: rootPath, rule: 'the body is plain text' };
  if (typeof body === 'string' && body.trim() !== '')
    return { value: body, path: rootPath, rule: 'the body is a JSON text' };
  const root = rootNode(body);
  if (!failed) return named(root, false) ?? below(root, wordList('around-messages-of-success'), false);
  const top = named(root, true);
  // "Validation failed" stands behind what failed, wherever that is said.
  if (top && !isGeneric(top.value)) return top;
  const deep = below(root, wordList('around-messages'), true) ?? listed(root) ?? sentence(root) ?? elsewhere(root);
  return top && !(deep && isSpecific(deep.value) && !isOfField(root, deep)) ? top : deep;
}

/** Says whether a message is that of an error which points to its field. */
function isOfField(root: JsonNode, { path }: FoundMessage): boolean {
  const error = atPath(root, path.slice(0, Math.max(0, path.lastIndexOf('.'))))?.value;
  return isJsonObject(error) && fieldsOfError(error).length > 0;
}

/** Returns the text at the place that a person gave, if there is one. */
export function messageAt(path: string, body: JsonValue): FoundMessage | undefined {
  const located = atPath(rootNode(body), path);
  const value = located && spoken(located.value);
  return value === undefined ? undefined : { value, path, rule: 'the path pinned for this server' };
}

function named(place: JsonNode, failed: boolean): FoundMessage | undefined {
  if (!isJsonObject(place.value)) return undefined;
  for (const name of namesFor(failed)) {
    const found = spokenAt(place, name);
    if (found)
      return (failed && (isCode(name, found.value) || isGeneric(found.value)) ? explained(place) : undefined) ?? found;
  }
  return undefined;
}

function spokenAt(place: JsonNode, name: string): FoundMessage | undefined {
  const found = childByName(place, name);
  const value = found && spoken(found.value);
  return found && value !== undefined ? { value, path: found.path, rule: `a field named ${name}` } : undefined;
}

/** Says whether a text is for programs, such as `error.emailexists`, where people may be told more. */
function isCode(name: string, text: string): boolean {
  return (name === 'error' || name === 'title' ? /^[\w.:-]+$/ : /^[A-Za-z0-9]+(?:[._:-][A-Za-z0-9]+)+$/).test(text);
}

/** Returns the first sentence beside a code. */
function explained(place: JsonNode): FoundMessage | undefined {
  return namesFor(true)
    .flatMap((name) => spokenAt(place, name) ?? [])
    .find(({ value }) => isSpecific(value));
}

function sentence(root: JsonNode): FoundMessage | undefined {
  return wordList('perhaps-messages')
    .flatMap((name) => spokenAt(root, name) ?? [])
    .find(({ value }) => isSentence(value) && !isReasonPhrase(value));
}

const isSpecific = (text: string): boolean => isSentence(text) && !isGeneric(text);

/** Looks under a name that nobody knows for what is called a message, and for nothing else. */
function elsewhere(root: JsonNode): FoundMessage | undefined {
  if (!isJsonObject(root.value)) return undefined;
  return [...root.value.values]
    .flatMap(([key, value]) =>
      wordList('plain-messages').map((name) =>
        isJsonObject(value) ? spokenAt({ path: appendKey(root.path, key), value }, name) : undefined,
      ),
    )
    .find((found) => found !== undefined);
}

function below(root: JsonNode, names: readonly string[], failed: boolean): FoundMessage | undefined {
  for (const name of names) {
    const inner = childByName(root, name);
    if (!inner) continue;
    const found = named(inner, failed) ?? (failed ? (listed(inner) ?? within(inner)) : undefined);
    if (found) return found;
    const value = failed && isInWordList('texts-are-messages', name) ? spoken(inner.value) : undefined;
    if (value !== undefined) return { value, path: inner.path, rule: `a text under ${name}` };
  }
  return undefined;
}

function within(place: JsonNode): FoundMessage | undefined {
  for (const name of ['error', 'errors', 'json', 'messages']) {
    const inner = childByName(place, name);
    const found = inner && (named(inner, true) ?? listed(inner));
    if (found) return found;
    const value = inner && name === 'errors' ? spoken(inner.value) : undefined;
    if (inner && value !== undefined) return { value, path: inner.path, rule: 'a text under errors' };
  }
  return undefined;
}

/** Reads JSON:API and its like: a list of error objects that have no message above them. */
function listed({ path, value }: JsonNode): FoundMessage | undefined {
  if (!isList(value)) return undefined;
  for (const [index, item] of firstItems(value).entries()) {
    // express-validator's and FastAPI's items belong to their fields and are no message of the whole.
    const found = namesField(item) ? undefined : named({ path: `${path}[${index}]`, value: item }, true);
    if (found) return found;
  }
  return undefined;
}

/** Returns a text, or the first text of a list that begins with one. */
function spoken(value: JsonValue): string | undefined {
  return nonEmptyText(isList(value) ? (value[0] ?? null) : value);
}
