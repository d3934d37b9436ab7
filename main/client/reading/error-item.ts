import { fold } from '../../secrets/secret-names.ts';
import { digitsOf, get, isList, isNumber, isObject, textOf, type Json, type JsonObject } from './json.ts';
import { words } from './words.ts';

const fieldNames = words(`
  path param field property propertyPath propertyName fieldName failedField param_name instancePath dataPath campo
  champ feld
  attribute attr target
`);
/** The text under these names is a field only if it is the name of an input. */
const nameNames = words('name nome nombre id key');
/** Under these names are lists of the fields that one error is about. */
const fieldListNames = words('members keys inputs fields campos champs paths');
/** Under these names are objects beside the text that say what it is about. */
const aboutNames = words('extensions meta');
const textNames = words(`
  msg message errorMessage error_message detail mensaje mensagem nachricht messages defaultMessage description reason error title
`);
/** These stand in for a text that is missing. */
const codeNames = words('code tag rule');

/** `name` is not among them, since an error has one, and so has a person that is sent back. */
export const inputs = new Set(
  words('email correo mail username password cpassword contrasena clave passwordconfirmation'),
);

/** Says whether a text is the name of an input, which may end a path. */
export function isField(name: string): boolean {
  const last = fold(name.split('.').at(-1) ?? '');
  return last === 'name' || inputs.has(last);
}

/** Says whether a value is a list of texts, with at least one. */
export function isTexts(value: Json | undefined): value is readonly string[] {
  return isList(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** Says whether an error names its field itself, and not by a pointer alone. */
export function namesField(item: Json): boolean {
  return isObject(item) && (namedField(item) !== undefined || listedFields(item).length > 0);
}

/** Returns the fields that an error names, or points to, as being what it is about. */
export function fieldsOf(item: JsonObject): string[] {
  const field = namedField(item) ?? pointedField(item);
  return field === undefined ? listedFields(item) : [field];
}

/** A pointer such as `/user/email` is a path of names. */
const plain = (path: string): string => path.replace(/^[#/.]+/, '').replaceAll('/', '.');

function listedFields(item: JsonObject): string[] {
  for (const name of fieldListNames) {
    const value = get(item, name);
    if (isTexts(value)) return value.map(plain);
  }
  return aboutNames.flatMap((name) => {
    const about = get(item, name);
    return (isObject(about) ? namedField(about, true) : undefined) ?? [];
  });
}

/** `loc`, and paths that are lists, lead from the outside in. */
function namedField(item: JsonObject, isGraphQl = isGraphQlError(item)): string | undefined {
  // The path of a GraphQL error leads through the answer.
  for (const name of fieldNames) {
    if (isGraphQl && name === 'path') continue;
    const value = get(item, name);
    const text = isList(value) ? joined(value) : textOf(value);
    if (text !== undefined && plain(text) !== '') return plain(text);
  }
  const loc = get(item, 'loc');
  // Its last part is a number where the text of the body could not be read, or where an item of a list is wrong.
  if (isList(loc)) return joined(loc.filter((part) => !isNumber(part)).slice(-1));
  // RFC 7807's invalid-params call the field `name` and the text `reason`. An error's own name is no field.
  const name = textOf(get(item, 'name'));
  if (name !== undefined && get(item, 'reason') !== undefined) return name;
  return nameNames.map((each) => textOf(get(item, each))).find((each) => each !== undefined && isField(each));
}

function isGraphQlError(item: JsonObject): boolean {
  return ['locations', 'extensions'].some((name) => get(item, name) !== undefined);
}

function pointedField(item: JsonObject): string | undefined {
  const source = get(item, 'source');
  const location = textOf(get(item, 'location'));
  const pointer =
    textOf(get(source, 'pointer')) ??
    textOf(get(source, 'parameter')) ??
    textOf(get(item, 'pointer')) ??
    // Nobody knows the field from a place such as `header` or `body` alone.
    (location !== undefined && /^(?:body|payload)[./]/.test(location) ? location : undefined);
  return pointer?.split('/').at(-1);
}

function joined(parts: readonly Json[]): string | undefined {
  const text = parts
    .map((part) => (isObject(part) ? textOf(get(part, 'key')) : part))
    .map((part) => (isNumber(part) ? digitsOf(part) : part))
    .filter((part) => typeof part === 'string')
    .join('.');
  return text === '' ? undefined : text;
}

/** Returns what an error says. */
export function textsOf(item: JsonObject): string[] {
  for (const name of textNames) {
    const value = get(item, name);
    if (isTexts(value)) return [...value];
    const text = textOf(value);
    if (text !== undefined) return [text];
  }
  const constraints = get(item, 'constraints');
  if (isObject(constraints)) return [...constraints.values.values()].flatMap((value) => textOf(value) ?? []);
  const errors = get(item, 'errors');
  if (isTexts(errors)) return [...errors];
  // Pairs of a list that was made from a map.
  const value = get(item, 'key') === undefined ? undefined : get(item, 'value');
  return isTexts(value) ? [...value] : typeof value === 'string' ? [value] : [];
}

/** Returns what an error says, or its code where it says nothing. */
export function textsOrCodesOf(item: JsonObject): string[] {
  const texts = textsOf(item);
  return texts.length > 0 ? texts : codeNames.flatMap((name) => textOf(get(item, name)) ?? []).slice(0, 1);
}

/** `email must be an email` is a name and then a verb of rules. Ordinary sentences begin otherwise. */
