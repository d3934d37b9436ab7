import { fieldsOf, namesField } from './error-item.ts';
import { isGeneric, isReasonPhrase } from './generic.ts';
import { at, atPath, firstItems, grow, isList, isObject, textOf, wholeBody, type Json, type Located } from './json.ts';
import { words } from './words.ts';

export type FoundMessage = { value: string; path: string; rule: string };

/** These are looked for in this order at each level. */
const messageNames = words(`
  message mensaje mensagem nachricht meldung msg mensaje_error errmsg error_msg faultstring status_message detail error_description error
  response
`);
const laterNames = words(`
  erro erreur fehler fehlermeldung error_message reason description hydra:description summary error_summary detalle descripcion title text texto messages
`);

/** These are flags on other servers. Here they count only as sentences, and where nothing else is said. */
const sentenceNames = words('status estado result resultado respuesta');

const plainNames = words('message mensaje mensagem nachricht meldung msg');

/** A record or a page may have fields of these names too. On success they are not the server speaking to us. */
const onFailureOnly = new Set(words('error_description error title faultstring'));

/** These are looked into one level below, in this order. */
const inside = words(
  'error erro erreur fehler status meta errors datos dados detail err data result response fault ui body messages mensajes mensagens',
);
const insideSuccess = words('status meta datos dados data result response body');

/** Below these a plain text, or a list of texts, is the message itself. */
const textInside = new Set(words('errors datos dados err data'));

/** These are another level around an error. */
const deeper = words('error errors json messages');

/** Returns what the server says in its own words, as sent; of a list, the first text. */
export function findMessage(body: Json, text: string, failed: boolean): FoundMessage | undefined {
  // The body may be a picture, for example, that was read as text.
  if (/\uFFFD|(?!\s)\p{Cc}/u.test(text)) return undefined;
  if (text.trim() !== '') return { value: text, path: wholeBody, rule: 'the body is plain text' };
  if (typeof body === 'string' && body.trim() !== '')
    return { value: body, path: wholeBody, rule: 'the body is a JSON text' };
  const root: Located = { path: wholeBody, value: body };
  if (!failed) return named(root, false) ?? below(root, insideSuccess, false);
  const top = named(root, true);
  // "Validation failed" stands behind what failed, wherever that is said.
  if (top && !isGeneric(top.value)) return top;
  const deep = below(root, inside, true) ?? listed(root) ?? sentence(root) ?? elsewhere(root);
  return top && !(deep && isSpecific(deep.value) && !isOfField(root, deep)) ? top : deep;
}

/** Says whether a message is that of an error which points to its field. */
function isOfField(root: Located, { path }: FoundMessage): boolean {
  const error = atPath(root, path.slice(0, Math.max(0, path.lastIndexOf('.'))))?.value;
  return isObject(error) && fieldsOf(error).length > 0;
}

/** Returns the text at the place that a person gave, if there is one. */
export function messageAt(path: string, body: Json): FoundMessage | undefined {
  const located = atPath({ path: wholeBody, value: body }, path);
  const value = located && spoken(located.value);
  return value === undefined ? undefined : { value, path, rule: 'the place pinned for this server' };
}

function named(place: Located, failed: boolean): FoundMessage | undefined {
  if (!isObject(place.value)) return undefined;
  for (const name of failed ? [...messageNames, ...laterNames] : messageNames) {
    if (!failed && onFailureOnly.has(name)) continue;
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
  return [...messageNames, ...laterNames]
    .flatMap((name) => spokenAt(place, name) ?? [])
    .find(({ value }) => isSpecific(value));
}

function sentence(root: Located): FoundMessage | undefined {
  return sentenceNames.flatMap((name) => spokenAt(root, name) ?? []).find(({ value }) => isSentence(value));
}

const isSpecific = (text: string): boolean => isSentence(text) && !isGeneric(text);

function isSentence(text: string): boolean {
  return /\S\s+\S/.test(text) && !isReasonPhrase(text);
}

/** Looks under a name that nobody knows for what is called a message, and for nothing else. */
function elsewhere(root: Located): FoundMessage | undefined {
  if (!isObject(root.value)) return undefined;
  return [...root.value.values]
    .flatMap(([key, value]) =>
      plainNames.map((name) => (isObject(value) ? spokenAt({ path: grow(root.path, key), value }, name) : undefined)),
    )
    .find((found) => found !== undefined);
}

function below(root: Located, names: readonly string[], failed: boolean): FoundMessage | undefined {
  for (const name of names) {
    const inner = at(root, name);
    if (!inner) continue;
    const found = named(inner, failed) ?? (failed ? (listed(inner) ?? within(inner)) : undefined);
    if (found) return found;
    const value = failed && textInside.has(name) ? spoken(inner.value) : undefined;
    if (value !== undefined) return { value, path: inner.path, rule: `a text under ${name}` };
  }
  return undefined;
}

function within(place: Located): FoundMessage | undefined {
  for (const name of deeper) {
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
