import { normalizeFieldName } from '../secrets/secret-names.ts';
import { looksLikeToken } from '../secrets/secret-forms.ts';
import { lastPart } from './form-fields.ts';
import {
  childByName,
  digitsOf,
  firstItems,
  follow,
  get,
  appendKey,
  isEmpty,
  isList,
  isNumber,
  isJsonObject,
  nonEmptyText,
  rootNode,
  rootPath,
  type JsonValue,
  type JsonObject,
  type JsonNode,
} from './json.ts';
import { isGeneric, isSentence, tokenizeText } from './sentences.ts';
import { findComplaints, findSubjects, isInWordList, wordList } from './vocabulary.ts';

/** Texts by the server's own field names, and those that belong to no field, with the place of the first of these. */
export type FoundFieldErrors = {
  fields: Record<string, string[]>;
  form: string[];
  formPath?: string | undefined;
  path: string;
  rule: string;
  /** Whether the answer has no place for errors of fields, and a sentence says whose it is. */
  inWords?: true;
};

/** How much a place may be trusted to hold field errors and nothing else. */
type Place = {
  /** The names that lead to it, such as `error.details`; none for the whole answer. */
  path: string;
  /** Whether a bare text under a key is an error of the field of that name. */
  textsAreErrors?: boolean;
  /** Whether a sentence under `name` is about the name, since what was sent is not sent back here. */
  saysName?: boolean;
  /** Whether a list of bare texts is Nest's, whose first word is the field. */
  firstWordIsField?: boolean;
  /** Whether what is about the answer, or about an error, stands in the same object. */
  isWhole?: boolean;
};

function* places(): Generator<Place> {
  for (const path of wordList('error-places')) yield { path, textsAreErrors: true };
  for (const path of ['error', 'err', 'detail']) yield { path, saysName: true };
  for (const path of wordList('other-error-places')) yield { path, textsAreErrors: true };
  for (const path of ['message', 'error.message', 'response.message'])
    yield { path, firstWordIsField: true, saysName: true };
  for (const path of ['msg', 'mensaje']) yield { path, saysName: true };
  for (const path of ['validation', 'extra']) yield { path };
  for (const path of ['_embedded.errors', 'data.errors']) yield { path, textsAreErrors: true };
  for (const path of ['data', 'datos', '']) yield { path };
}

const maxDepth = 4;

/** Finds the errors of single fields in a failed answer, in the first place that has any. */
export function findFieldErrors(body: JsonValue): FoundFieldErrors | undefined {
  const form: string[] = [];
  let formPath: string | undefined;
  // What JSend has under `data` is then what is wrong (https://github.com/omniti-labs/jsend).
  const isJsendFailure = nonEmptyText(get(body, 'status')) === 'fail' && get(body, 'message') === undefined;
  for (const place of places()) {
    const located = follow(body, place.path);
    if (!located) continue;
    const isOnlyErrors = isJsendFailure && /^data\b/.test(place.path);
    const collected = collect(located, isOnlyErrors ? { ...place, textsAreErrors: true } : place);
    form.push(...collected.form);
    formPath ??= collected.formPath;
    if (collected.byField.size > 0) {
      return {
        fields: fieldsOfAll(collected),
        form: unique(form),
        formPath,
        path: located.path,
        rule: isList(located.value) ? 'a list of errors with their fields' : 'a map of fields to their errors',
      };
    }
  }
  return (
    besideMessage(body) ??
    anywhere(body, form) ??
    (form.length > 0
      ? { fields: {}, form: unique(form), formPath, path: rootPath, rule: 'errors without a field' }
      : undefined)
  );
}

/** Looks under keys that nobody knows for the outermost place whose name leaves no doubt. */
function anywhere(body: JsonValue, form: string[]): FoundFieldErrors | undefined {
  let level: JsonNode[] = [rootNode(body)];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    for (const object of level) {
      for (const name of wordList('only-errors')) {
        const located = childByName(object, name);
        if (!located) continue;
        const collected = collect(located, { path: name, textsAreErrors: true });
        form.push(...collected.form);
        if (collected.byField.size > 0) {
          return {
            fields: fieldsOfAll(collected),
            form: unique(form),
            path: located.path,
            rule: `errors under ${name}`,
          };
        }
      }
      const complaints = complaintsByField(object.value);
      if (complaints)
        return {
          fields: complaints,
          form: unique(form),
          path: object.path,
          rule: 'errors under the names of inputs',
        };
    }
    level = level.flatMap(({ path, value }) => {
      if (isList(value)) return firstItems(value).map((item, index) => ({ path: `${path}[${index}]`, value: item }));
      if (!isJsonObject(value)) return [];
      return [...value.values].map(([key, inner]) => ({ path: appendKey(path, key), value: inner }));
    });
  }
  return undefined;
}

type Collected = { byField: Map<string, Set<string>>; form: string[]; formPath?: string };

function collect({ path, value }: JsonNode, place: Place): Collected {
  const collected: Collected = { byField: new Map(), form: [] };
  const add = (field: string | undefined, texts: readonly string[]): void => {
    if (
      field === undefined ||
      normalizeFieldName(field) === '' ||
      isInWordList('no-field', normalizeFieldName(field))
    ) {
      collected.form.push(...texts);
      if (texts.length > 0)
        collected.formPath ??= (field === undefined ? undefined : childByName({ path, value }, field)?.path) ?? path;
    } else if (texts.length > 0) {
      const known = collected.byField.get(field) ?? new Set();
      for (const text of texts) known.add(text);
      collected.byField.set(field, known);
    }
  };
  if (isList(value)) for (const item of firstItems(value)) collectItem(item, '', place, add, 0);
  // Beside its own message an object has errors only under the names of inputs.
  else if (isJsonObject(value))
    collectMap(
      value,
      '',
      { ...place, isWhole: place.path === '' || textUnder(value, wordList('own-messages')) !== undefined },
      add,
      0,
    );
  return collected;
}

const fieldsOfAll = ({ byField }: Collected): Record<string, string[]> =>
  Object.fromEntries([...byField].map(([field, texts]) => [field, [...texts]]));

type Add = (field: string | undefined, texts: readonly string[]) => void;

function collectItem(item: JsonValue, prefix: string, place: Place, add: Add, depth: number): void {
  if (typeof item === 'string') {
    const [, before, after] = /^([A-Za-z_][\w.]*): (.+)$/s.exec(item) ?? [];
    if (before !== undefined && after !== undefined && isField(before)) add(before, [after]);
    else add(place.firstWordIsField ? firstWord(item) : undefined, [item]);
    return;
  }
  if (!isJsonObject(item) || depth > maxDepth) return;
  const wrapped = get(item, 'error');
  if (isJsonObject(wrapped)) {
    collectItem(wrapped, prefix, place, add, depth + 1);
    return;
  }
  const fields = fieldsOfError(item);
  const [field] = fields;
  const texts = textsOrCodesOf(item);
  if (field === undefined && textsOf(item).length === 0)
    collectMap(item, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
  else if (field === undefined) collectOne(item, prefix, place, add, depth);
  else if (texts.length > 0) for (const each of fields) add(prefix + each, texts);
  // class-validator nests the errors of an object's properties.
  const children = get(item, 'children');
  if (isList(children) && field !== undefined) {
    for (const child of firstItems(children)) collectItem(child, `${prefix}${field}.`, place, add, depth + 1);
  }
}

/** Collects an error of no field: `Key: value` in its text, or the errors of fields inside it. */
function collectOne(item: JsonObject, prefix: string, place: Place, add: Add, depth: number): void {
  const within = [get(item, 'errors'), get(get(item, 'data'), 'errors')];
  // "Validation error" says nothing beside what it is about.
  const texts = textsOf(item).filter((text) => within.every((inner) => isEmpty(inner)) || !isGeneric(text));
  for (const text of texts) collectItem(text, prefix, { ...place, firstWordIsField: false }, add, depth);
  for (const inner of within) {
    if (isList(inner)) for (const each of firstItems(inner)) collectItem(each, prefix, place, add, depth + 1);
    else if (isJsonObject(inner)) collectMap(inner, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
  }
}

function collectMap(map: JsonObject, prefix: string, place: Place, add: Add, depth: number): void {
  if (depth > maxDepth) return;
  for (const [key, value] of map.values) {
    if (isInWordList('repetitions', normalizeFieldName(key))) continue;
    const isWhole = place.isWhole === true && depth === 0;
    const mayBeField = !isWhole || isInput(key);
    if (
      isWhole &&
      isInWordList('about-the-answer', normalizeFieldName(key)) &&
      !(normalizeFieldName(key) === 'name' && (isTexts(value) || isErrorOfName(map, value)))
    )
      continue;
    const field = prefix + key;
    if (!isWhole && isInWordList('layers', normalizeFieldName(key)) && typeof value === 'object' && !isTexts(value)) {
      if (isList(value)) for (const item of firstItems(value)) collectItem(item, prefix, place, add, depth + 1);
      else if (isJsonObject(value) && namesField(value) && textsOf(value).length > 0)
        collectItem(value, prefix, place, add, depth + 1);
      else if (isJsonObject(value)) collectMap(value, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
    } else if (typeof value === 'string') {
      // Synology has a token among its errors, which no person is to read.
      const isError = place.textsAreErrors
        ? !isMeta(key) && value.trim() !== '' && !looksLikeToken(value)
        : (isInput(key) ||
            (normalizeFieldName(key) === 'name' && (place.saysName === true || isErrorOfName(map, value)))) &&
          isSentence(value);
      if (isError) add(field, [value]);
    } else if (isTexts(value)) {
      add(
        field,
        value.filter((text) => text.trim() !== ''),
      );
    } else if (isList(value)) {
      if (mayBeField)
        add(
          field,
          firstItems(value).flatMap((item) => (isJsonObject(item) ? textsOrCodesOf(item) : [])),
        );
    } else if (isJsonObject(value) && isField(key) && isTexts([...value.values.values()])) {
      // CakePHP has its rules here: `{email: {unique: "…"}}`.
      if (mayBeField)
        add(
          field,
          textsOf(value).length > 0
            ? textsOf(value)
            : [...value.values.values()].flatMap((inner) => nonEmptyText(inner) ?? []),
        );
    } else if (isJsonObject(value)) {
      const texts = textsOf(value);
      const own = get(value, '_errors');
      if (texts.length > 0) {
        if (!isWhole) add(field, texts);
      } else if (isList(own)) {
        add(
          field,
          firstItems(own).flatMap((each) => (isJsonObject(each) ? textsOrCodesOf(each) : (nonEmptyText(each) ?? []))),
        );
      } else if (!isWhole) {
        collectMap(value, `${field}.`, place, add, depth + 1);
      }
    }
  }
}

/** Beside real fields, texts under these keys describe the error object. */
const isMeta = (key: string): boolean =>
  normalizeFieldName(key) !== 'name' && isInWordList('about-the-answer', normalizeFieldName(key));

/** Returns the first text that a place has under one of some names. */
const textUnder = (place: JsonValue | undefined, names: readonly string[]): string | undefined =>
  names.map((name) => nonEmptyText(get(place, name))).find((text) => text !== undefined);

function firstWord(text: string): string | undefined {
  return /^([a-z_][\w.]*) (?:must|should|is|has|have|can|cannot|may|does|debe|es|no|tiene)\b/.exec(text)?.[1];
}

/** Reads one `field` beside the one message, at the top or in the error. */
function besideMessage(body: JsonValue): FoundFieldErrors | undefined {
  for (const [path, place] of [
    ['field', body],
    ['error.field', get(body, 'error')],
  ] as const) {
    const field = textUnder(place, ['field', 'campo', 'param']);
    const text = textUnder(place, wordList('messages-of-one-field'));
    if (field === undefined || text === undefined) continue;
    return { fields: Object.fromEntries([[field, [text]]]), form: [], path, rule: 'one field beside the message' };
  }
  return undefined;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Where a place also holds what was sent, only sentences under the inputs' names are errors. */
function isInput(key: string): boolean {
  // What was sent has no names such as `register.dto.name`.
  return isInWordList('inputs', normalizeFieldName(key)) || (lastPart(key) !== key && isField(key));
}

/** Says whether a text tells what is wrong, as no name of a person does. */
function complains(value: JsonValue): boolean {
  return typeof value === 'string' && findComplaints(tokenizeText(value)).length > 0;
}

/** Says whether a text under `name` is an error: it names the name, or stands beside what is wrong with other inputs. */
function isErrorOfName(map: JsonObject, value: JsonValue): boolean {
  return (
    complains(value) &&
    ((typeof value === 'string' && findSubjects(tokenizeText(value)).some(({ means }) => means === 'name')) ||
      [...map.values].some(([key, other]) => isInput(key) && complains(other)))
  );
}

/** Reads a map in which every input's own name has what is wrong with it, whatever the map is called. */
function complaintsByField(value: JsonValue): Record<string, string[]> | undefined {
  if (!isJsonObject(value) || ![...value.values.keys()].some(isInput)) return undefined;
  const entries = [...value.values].map(([key, inner]): [string, string[]] => [
    key,
    isTexts(inner) ? [...inner] : typeof inner === 'string' ? [inner] : [],
  ]);
  const isComplete = entries.every(([key, texts]) => isField(key) && texts.length > 0 && texts.every(complains));
  return isComplete ? Object.fromEntries(entries) : undefined;
}

/** Says whether a text is the name of an input, which may end a path. */
function isField(name: string): boolean {
  const last = normalizeFieldName(name.split('.').at(-1) ?? '');
  return last === 'name' || isInWordList('inputs', last);
}

/** Says whether a value is a list of texts, with at least one. */
function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return isList(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** Says whether an error names its field itself, and not by a pointer alone. */
export function namesField(item: JsonValue): boolean {
  return isJsonObject(item) && (namedField(item) !== undefined || listedFields(item).length > 0);
}

/** Returns the fields that an error names, or points to, as being what it is about. */
export function fieldsOfError(item: JsonObject): string[] {
  const field = namedField(item) ?? pointedField(item);
  return field === undefined ? listedFields(item) : [field];
}

/** A pointer such as `/user/email` is a path of names. */
const plain = (path: string): string => path.replace(/^[#/.]+/, '').replaceAll('/', '.');

function listedFields(item: JsonObject): string[] {
  for (const name of wordList('error-fields')) {
    const value = get(item, name);
    if (isTexts(value)) return value.map(plain);
  }
  return ['extensions', 'meta'].flatMap((name) => {
    const about = get(item, name);
    return (isJsonObject(about) ? namedField(about, true) : undefined) ?? [];
  });
}

/** `loc`, and paths that are lists, lead from the outside in. */
function namedField(item: JsonObject, isGraphQl = isGraphQlError(item)): string | undefined {
  // The path of a GraphQL error leads through the answer.
  for (const name of wordList('error-field')) {
    if (isGraphQl && name === 'path') continue;
    const value = get(item, name);
    const text = isList(value) ? joined(value) : nonEmptyText(value);
    if (text !== undefined && plain(text) !== '') return plain(text);
  }
  const loc = get(item, 'loc');
  // Its last part is a number where the text of the body could not be read, or where an item of a list is wrong.
  if (isList(loc)) return joined(loc.filter((part) => !isNumber(part)).slice(-1));
  // RFC 7807's invalid-params call the field `name` and the text `reason`. An error's own name is no field.
  const name = nonEmptyText(get(item, 'name'));
  if (name !== undefined && get(item, 'reason') !== undefined) return name;
  return wordList('error-names')
    .map((each) => nonEmptyText(get(item, each)))
    .find((each) => each !== undefined && isField(each));
}

const isGraphQlError = (item: JsonObject): boolean =>
  ['locations', 'extensions'].some((name) => get(item, name) !== undefined);

function pointedField(item: JsonObject): string | undefined {
  const source = get(item, 'source');
  const location = nonEmptyText(get(item, 'location'));
  const pointer =
    nonEmptyText(get(source, 'pointer')) ??
    nonEmptyText(get(source, 'parameter')) ??
    nonEmptyText(get(item, 'pointer')) ??
    // Nobody knows the field from a place such as `header` or `body` alone.
    (location !== undefined && /^(?:body|payload)[./]/.test(location) ? location : undefined);
  return pointer?.split('/').at(-1);
}

function joined(parts: readonly JsonValue[]): string | undefined {
  const text = parts
    .map((part) => (isJsonObject(part) ? nonEmptyText(get(part, 'key')) : part))
    .map((part) => (isNumber(part) ? digitsOf(part) : part))
    .filter((part) => typeof part === 'string')
    .join('.');
  return text === '' ? undefined : text;
}

/** Returns what an error says. */
function textsOf(item: JsonObject): string[] {
  for (const name of wordList('error-texts')) {
    const value = get(item, name);
    if (isTexts(value)) return [...value];
    const text = nonEmptyText(value);
    if (text !== undefined) return [text];
  }
  const constraints = get(item, 'constraints');
  if (isJsonObject(constraints)) return [...constraints.values.values()].flatMap((value) => nonEmptyText(value) ?? []);
  const errors = get(item, 'errors');
  if (isTexts(errors)) return [...errors];
  // Pairs of a list that was made from a map.
  const value = get(item, 'key') === undefined ? undefined : get(item, 'value');
  return isTexts(value) ? [...value] : typeof value === 'string' ? [value] : [];
}

/** Returns what an error says, or its code where it says nothing. */
function textsOrCodesOf(item: JsonObject): string[] {
  const texts = textsOf(item);
  return texts.length > 0
    ? texts
    : ['code', 'tag', 'rule'].flatMap((name) => nonEmptyText(get(item, name)) ?? []).slice(0, 1);
}
