import {
  at,
  fold,
  get,
  isList,
  isObject,
  textOf,
  wholeBody,
  type Json,
  type JsonObject,
  type Located,
} from './json.ts';
import { words } from './words.ts';

/** Texts by the server's own field names, and those that belong to no field. */
export type FoundFieldErrors = { fields: Record<string, string[]>; form: string[]; path: string; rule: string };

/** How much a place may be trusted to hold field errors and nothing else. */
type Place = {
  path: readonly string[];
  /** Whether a bare text under a key is an error of the field of that name. */
  textsAreErrors: boolean;
  /** Whether a list of bare texts is Nest's, where the first word is the field. */
  firstWordIsField?: boolean;
};

const places: readonly Place[] = [
  ...words('errors errores fieldErrors field_errors validationErrors validation_errors').map((name) => ({
    path: [name],
    textsAreErrors: true,
  })),
  ...words('details errors fields').map((name) => ({ path: ['error', name], textsAreErrors: true })),
  { path: ['error'], textsAreErrors: false },
  { path: ['err'], textsAreErrors: false },
  { path: ['detail'], textsAreErrors: false },
  ...words('details violations invalid-params issues inner modelState fields messages').map((name) => ({
    path: [name],
    textsAreErrors: true,
  })),
  { path: ['message'], textsAreErrors: false, firstWordIsField: true },
  { path: ['error', 'message'], textsAreErrors: false, firstWordIsField: true },
  { path: ['response', 'message'], textsAreErrors: false, firstWordIsField: true },
  { path: ['msg'], textsAreErrors: false },
  { path: ['mensaje'], textsAreErrors: false },
  { path: ['data', 'errors'], textsAreErrors: true },
  { path: ['data'], textsAreErrors: false },
  { path: ['datos'], textsAreErrors: false },
  { path: [], textsAreErrors: false },
];

/** Inside a place these are another layer around the fields, no fields themselves. */
const layers = new Set(words('errors issues details fielderrors fields json'));

/** The same texts once more. */
const repetitions = new Set(['fullmessages']);

const fieldNames = words('path param field property propertyPath fieldName campo attribute');
const textNames = words('msg message detail mensaje messages defaultMessage description reason error title');

/** Names servers use for "no field in particular" (Django REST framework, Django, Rails, zod). */
const noField = new Set(['nonfielderrors', 'all', 'base', 'formerrors', 'general', 'global', 'body', 'root', '']);

/** Beside the fields in the same object, these are about the answer. */
const aboutTheAnswer = new Set(
  words(`
  message mensaje msg error errors detail details status statuscode code codigo type title instance
  timestamp trace stack exception requestid correlationid traceid success ok data datos messages hint
  rutasdisponibles scopes roles headers links meta name kind path file line method url
`),
);

/** Not `name`: it is an error's, or a person's that is sent back. */
const inputs = new Set(words('email correo mail username password cpassword contrasena clave passwordconfirmation'));

const maxDepth = 4;

/** The errors of single fields in a failed answer, from the first place that has any. */
export function findFieldErrors(body: Json): FoundFieldErrors | undefined {
  const form: string[] = [];
  for (const place of places) {
    const located = follow({ path: wholeBody, value: body }, place.path);
    if (!located) continue;
    const collected = collect(located.value, place);
    form.push(...collected.form);
    if (collected.byField.size > 0) {
      return {
        fields: Object.fromEntries(collected.byField),
        form: unique(form),
        path: located.path,
        rule: isList(located.value) ? 'a list of errors that name their field' : 'a map of fields to their errors',
      };
    }
  }
  return (
    besideMessage(body) ??
    (form.length > 0 ? { fields: {}, form: unique(form), path: wholeBody, rule: 'errors of no field' } : undefined)
  );
}

type Collected = { byField: Map<string, string[]>; form: string[] };

function collect(value: Json, place: Place): Collected {
  const collected: Collected = { byField: new Map(), form: [] };
  const add = (field: string | undefined, texts: readonly string[]): void => {
    if (field === undefined || noField.has(fold(field))) collected.form.push(...texts);
    else if (texts.length > 0)
      collected.byField.set(field, unique([...(collected.byField.get(field) ?? []), ...texts]));
  };
  if (isList(value)) for (const item of value) collectItem(item, '', place, add, 0);
  // An object with its own message is one error, not a map of fields.
  else if (isObject(value) && (place.path.length === 0 || !hasOwnMessage(value))) collectMap(value, '', place, add, 0);
  return collected;
}

type Add = (field: string | undefined, texts: readonly string[]) => void;

function collectItem(item: Json, prefix: string, place: Place, add: Add, depth: number): void {
  if (typeof item === 'string') {
    const field = place.firstWordIsField ? firstWord(item) : undefined;
    add(field, [item]);
    return;
  }
  if (!isObject(item) || depth > maxDepth) return;
  const field = fieldOf(item);
  const texts = textsOf(item);
  if (field === undefined && texts.length === 0)
    collectMap(item, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
  else if (texts.length > 0) add(field === undefined ? undefined : prefix + field, texts);
  // class-validator nests the errors of an object's properties.
  const children = get(item, 'children');
  if (isList(children) && field !== undefined) {
    for (const child of children) collectItem(child, `${prefix}${field}.`, place, add, depth + 1);
  }
}

function collectMap(map: JsonObject, prefix: string, place: Place, add: Add, depth: number): void {
  if (depth > maxDepth) return;
  for (const [key, value] of map.values) {
    if (repetitions.has(fold(key))) continue;
    const whole = place.path.length === 0 && depth === 0;
    if (whole && aboutTheAnswer.has(fold(key)) && !(fold(key) === 'name' && isTexts(value))) continue;
    const field = prefix + key;
    if (!whole && layers.has(fold(key)) && !isTexts(value)) {
      if (isList(value)) for (const item of value) collectItem(item, prefix, place, add, depth + 1);
      else if (isObject(value)) collectMap(value, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
    } else if (typeof value === 'string') {
      const isError = place.textsAreErrors ? !isMeta(key) && value.trim() !== '' : isInput(key) && isSentence(value);
      if (isError) add(field, [value]);
    } else if (isTexts(value)) {
      add(
        field,
        value.filter((text) => text.trim() !== ''),
      );
    } else if (isList(value)) {
      if (!whole)
        add(
          field,
          value.flatMap((item) => (isObject(item) ? textsOf(item) : [])),
        );
    } else if (isObject(value)) {
      const texts = textsOf(value);
      const own = get(value, '_errors');
      if (texts.length > 0) {
        if (!whole) add(field, texts);
      } else if (isTexts(own)) {
        add(field, own);
      } else if (!whole) {
        collectMap(value, `${field}.`, place, add, depth + 1);
      }
    }
  }
}

/** In places that hold other things too, such as what was sent, only sentences under the inputs' names are errors. */
function isInput(key: string): boolean {
  return inputs.has(fold(key));
}

function isSentence(text: string): boolean {
  return /\S\s+\S/.test(text);
}

/** Beside real fields, texts under these keys describe the error object. */
function isMeta(key: string): boolean {
  const folded = fold(key);
  return folded !== 'name' && aboutTheAnswer.has(folded);
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return isList(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function hasOwnMessage(value: JsonObject): boolean {
  return ['message', 'msg', 'mensaje', 'detail', 'title', 'description'].some(
    (name) => textOf(get(value, name)) !== undefined,
  );
}

/** `loc` and list-like paths say where from the outside in; JSON pointers likewise. */
function fieldOf(item: JsonObject): string | undefined {
  for (const name of fieldNames) {
    const value = get(item, name);
    const text = isList(value) ? joined(value) : textOf(value);
    if (text !== undefined) return text;
  }
  const loc = get(item, 'loc');
  if (isList(loc)) return joined(loc.slice(-1));
  const source = get(item, 'source');
  const pointer = textOf(get(source, 'pointer')) ?? textOf(get(source, 'parameter')) ?? textOf(get(item, 'pointer'));
  if (pointer !== undefined) return pointer.split('/').at(-1);
  // RFC 7807's invalid-params call the field `name` and the text `reason`.
  return get(item, 'reason') === undefined ? undefined : textOf(get(item, 'name'));
}

function joined(parts: readonly Json[]): string | undefined {
  const text = parts.filter((part) => typeof part === 'string' || typeof part === 'number').join('.');
  return text === '' ? undefined : text;
}

function textsOf(item: JsonObject): string[] {
  for (const name of textNames) {
    const value = get(item, name);
    if (isTexts(value)) return [...value];
    const text = textOf(value);
    if (text !== undefined) return [text];
  }
  const constraints = get(item, 'constraints');
  if (isObject(constraints)) return [...constraints.values.values()].flatMap((value) => textOf(value) ?? []);
  const errors = get(item, 'errors');
  return isTexts(errors) ? [...errors] : [];
}

/** `email must be an email`: a name, then a verb of rules. Ordinary sentences begin otherwise. */
function firstWord(text: string): string | undefined {
  return /^([a-z_][\w.]*) (?:must|should|is|has|have|can|cannot|may|does|debe|es|no|tiene)\b/.exec(text)?.[1];
}

/** One `field` beside the one message. */
function besideMessage(body: Json): FoundFieldErrors | undefined {
  const field = textOf(get(body, 'field')) ?? textOf(get(body, 'campo'));
  const located = ['message', 'mensaje', 'msg', 'error', 'detail'].flatMap(
    (name) => at({ path: wholeBody, value: body }, name) ?? [],
  )[0];
  const text = located && textOf(located.value);
  if (field === undefined || text === undefined) return undefined;
  return {
    fields: Object.fromEntries([[field, [text]]]),
    form: [],
    path: 'field',
    rule: 'one field beside the message',
  };
}

function follow(root: Located, path: readonly string[]): Located | undefined {
  return path.reduce<Located | undefined>((place, name) => place && at(place, name), root);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
