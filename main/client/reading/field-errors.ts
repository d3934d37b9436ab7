import { fold } from '../../secrets/secret-names.ts';
import {
  at,
  firstItems,
  get,
  grow,
  isEmpty,
  isList,
  isObject,
  textOf,
  wholeBody,
  type Json,
  type JsonObject,
  type Located,
} from './json.ts';
import { complaintsByField, isErrorOfName, isInput, isJsendFailure } from './complaints.ts';
import { isGeneric } from './generic.ts';
import { fieldsOf, isField, isTexts, namesField, textsOf, textsOrCodesOf } from './error-item.ts';
import { words } from './words.ts';

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
  path: readonly string[];
  /** Whether a bare text under a key is an error of the field of that name. */
  textsAreErrors: boolean;
  /** Whether a sentence under `name` is about the name, since what was sent is not sent back here. */
  saysName?: boolean;
  /** Whether a list of bare texts is Nest's, whose first word is the field. */
  firstWordIsField?: boolean;
  /** Whether what is about the answer, or about an error, stands in the same object. */
  isWhole?: boolean;
};

const places: readonly Place[] = [
  ...words('errors errores erros erreurs fehler fieldErrors field_errors validationErrors validation_errors').map(
    (name) => ({
      path: [name],
      textsAreErrors: true,
    }),
  ),
  ...words('details detalles errors errores fields campos').map((name) => ({
    path: ['error', name],
    textsAreErrors: true,
  })),
  { path: ['error'], textsAreErrors: false, saysName: true },
  { path: ['err'], textsAreErrors: false, saysName: true },
  { path: ['detail'], textsAreErrors: false, saysName: true },
  ...words(`
    details detalles violations invalid-params issues inner modelState fields campos messages children
    problems problemas problemes probleme problemi
  `).map((name) => ({ path: [name], textsAreErrors: true })),
  ...[['message'], ['error', 'message'], ['response', 'message']].map((path) => ({
    path,
    textsAreErrors: false,
    firstWordIsField: true,
    saysName: true,
  })),
  { path: ['msg'], textsAreErrors: false, saysName: true },
  { path: ['mensaje'], textsAreErrors: false, saysName: true },
  { path: ['validation'], textsAreErrors: false },
  { path: ['extra'], textsAreErrors: false },
  { path: ['_embedded', 'errors'], textsAreErrors: true },
  { path: ['data', 'errors'], textsAreErrors: true },
  { path: ['data'], textsAreErrors: false },
  { path: ['datos'], textsAreErrors: false },
  { path: [], textsAreErrors: false },
];

/** These hold field errors and nothing else, wherever they are. */
const unmistakable = words(`
  fieldErrors validationErrors invalidAttributes violations parameterViolations propertyViolations fieldViolations
  errorMessages errores erros erreurs subErrors formFields validaciones
`);

/** Inside a place these are another layer around the fields, and no fields themselves. */
const layers = new Set(
  words(`
  errors issues details fielderrors fields campos champs json body payload query data params message messages children properties
  fieldviolations validationerrors errormessages zoderror
`),
);

/** These have the same texts once more, or the codes for them. */
const repetitions = new Set(words('fullmessages codes keys members'));

/**
 * Servers use these names for "no field in particular" (Django REST framework, Django, Rails, zod; marshmallow's
 * `_schema`, and webargs' `json` for a body that is none).
 */
const noField = new Set([...words('nonfielderrors all base formerrors general global body root json schema'), '']);

/** Beside the fields in the same object, these are about the answer. */
const aboutTheAnswer = new Set(
  words(`
  message mensaje msg error errors detail details status statuscode code codigo type title instance
  timestamp trace stack exception requestid correlationid traceid success ok data datos messages hint
  rutasdisponibles scopes roles headers links meta name kind path file line method url id context domain
  retrydelay schemas value values rejectedvalue attemptedvalue debug errores erros erreur erreurs fehler nachricht meldung
  problems problemas problemes probleme problemi
`),
);

const maxDepth = 4;

/** Finds the errors of single fields in a failed answer, in the first place that has any. */
export function findFieldErrors(body: Json): FoundFieldErrors | undefined {
  const form: string[] = [];
  let formPath: string | undefined;
  for (const place of places) {
    const located = follow({ path: wholeBody, value: body }, place.path);
    if (!located) continue;
    const isOnlyErrors = place.path[0] === 'data' && isJsendFailure(body);
    const collected = collect(located, isOnlyErrors ? { ...place, textsAreErrors: true } : place);
    form.push(...collected.form);
    formPath ??= collected.formPath;
    if (collected.byField.size > 0) {
      return {
        fields: fieldsOfAll(collected),
        form: unique(form),
        formPath,
        path: located.path,
        rule: isList(located.value) ? 'a list of errors that name their field' : 'a map of fields to their errors',
      };
    }
  }
  return (
    besideMessage(body) ??
    anywhere(body, form) ??
    (form.length > 0
      ? { fields: {}, form: unique(form), formPath, path: wholeBody, rule: 'errors of no field' }
      : undefined)
  );
}

/** Looks under keys that nobody knows for the outermost place whose name leaves no doubt. */
function anywhere(body: Json, form: string[]): FoundFieldErrors | undefined {
  let level: Located[] = [{ path: wholeBody, value: body }];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    for (const object of level) {
      for (const name of unmistakable) {
        const located = at(object, name);
        if (!located) continue;
        const collected = collect(located, { path: [name], textsAreErrors: true });
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
          rule: 'complaints under the names of inputs',
        };
    }
    level = level.flatMap(({ path, value }) => {
      if (isList(value)) return firstItems(value).map((item, index) => ({ path: `${path}[${index}]`, value: item }));
      if (!isObject(value)) return [];
      return [...value.values].map(([key, inner]) => ({ path: grow(path, key), value: inner }));
    });
  }
  return undefined;
}

type Collected = { byField: Map<string, Set<string>>; form: string[]; formPath?: string };

function collect({ path, value }: Located, place: Place): Collected {
  const collected: Collected = { byField: new Map(), form: [] };
  const add = (field: string | undefined, texts: readonly string[]): void => {
    if (field === undefined || noField.has(fold(field))) {
      collected.form.push(...texts);
      if (texts.length > 0)
        collected.formPath ??= (field === undefined ? undefined : at({ path, value }, field)?.path) ?? path;
    } else if (texts.length > 0) {
      const known = collected.byField.get(field) ?? new Set();
      for (const text of texts) known.add(text);
      collected.byField.set(field, known);
    }
  };
  if (isList(value)) for (const item of firstItems(value)) collectItem(item, '', place, add, 0);
  // Beside its own message an object has errors only under the names of inputs.
  else if (isObject(value))
    collectMap(value, '', { ...place, isWhole: place.path.length === 0 || hasOwnMessage(value) }, add, 0);
  return collected;
}

const fieldsOfAll = ({ byField }: Collected): Record<string, string[]> =>
  Object.fromEntries([...byField].map(([field, texts]) => [field, [...texts]]));

type Add = (field: string | undefined, texts: readonly string[]) => void;

function collectItem(item: Json, prefix: string, place: Place, add: Add, depth: number): void {
  if (typeof item === 'string') {
    const [, before, after] = /^([A-Za-z_][\w.]*): (.+)$/s.exec(item) ?? [];
    if (before !== undefined && after !== undefined && isField(before)) add(before, [after]);
    else add(place.firstWordIsField ? firstWord(item) : undefined, [item]);
    return;
  }
  if (!isObject(item) || depth > maxDepth) return;
  const wrapped = get(item, 'error');
  if (isObject(wrapped)) {
    collectItem(wrapped, prefix, place, add, depth + 1);
    return;
  }
  const fields = fieldsOf(item);
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
    else if (isObject(inner)) collectMap(inner, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
  }
}

function collectMap(map: JsonObject, prefix: string, place: Place, add: Add, depth: number): void {
  if (depth > maxDepth) return;
  for (const [key, value] of map.values) {
    if (repetitions.has(fold(key))) continue;
    const whole = place.isWhole === true && depth === 0;
    if (
      whole &&
      aboutTheAnswer.has(fold(key)) &&
      !(fold(key) === 'name' && (isTexts(value) || isErrorOfName(map, value)))
    )
      continue;
    const field = prefix + key;
    if (!whole && layers.has(fold(key)) && typeof value === 'object' && !isTexts(value)) {
      if (isList(value)) for (const item of firstItems(value)) collectItem(item, prefix, place, add, depth + 1);
      else if (isObject(value) && namesField(value) && textsOf(value).length > 0)
        collectItem(value, prefix, place, add, depth + 1);
      else if (isObject(value)) collectMap(value, prefix, { ...place, textsAreErrors: true }, add, depth + 1);
    } else if (typeof value === 'string') {
      const isError = place.textsAreErrors
        ? !isMeta(key) && value.trim() !== ''
        : (isInput(key) || (fold(key) === 'name' && (place.saysName === true || isErrorOfName(map, value)))) &&
          isSentence(value);
      if (isError) add(field, [value]);
    } else if (isTexts(value)) {
      add(
        field,
        value.filter((text) => text.trim() !== ''),
      );
    } else if (isList(value)) {
      if (!whole || isInput(key))
        add(
          field,
          firstItems(value).flatMap((item) => (isObject(item) ? textsOrCodesOf(item) : [])),
        );
    } else if (isObject(value) && isField(key) && isTexts([...value.values.values()])) {
      // CakePHP has its rules here: `{email: {unique: "…"}}`.
      if (!whole || isInput(key)) add(field, textsOf(value).length > 0 ? textsOf(value) : valuesOf(value));
    } else if (isObject(value)) {
      const texts = textsOf(value);
      const own = get(value, '_errors');
      if (texts.length > 0) {
        if (!whole) add(field, texts);
      } else if (isList(own)) {
        add(
          field,
          firstItems(own).flatMap((each) => (isObject(each) ? textsOrCodesOf(each) : (textOf(each) ?? []))),
        );
      } else if (!whole) {
        collectMap(value, `${field}.`, place, add, depth + 1);
      }
    }
  }
}

function valuesOf(value: JsonObject): string[] {
  return [...value.values.values()].flatMap((inner) => textOf(inner) ?? []);
}

const isSentence = (text: string): boolean => /\S\s+\S/.test(text);

/** Beside real fields, texts under these keys describe the error object. */
function isMeta(key: string): boolean {
  const folded = fold(key);
  return folded !== 'name' && aboutTheAnswer.has(folded);
}

function hasOwnMessage(value: JsonObject): boolean {
  return ['message', 'msg', 'mensaje', 'detail', 'title', 'description'].some(
    (name) => textOf(get(value, name)) !== undefined,
  );
}

function firstWord(text: string): string | undefined {
  return /^([a-z_][\w.]*) (?:must|should|is|has|have|can|cannot|may|does|debe|es|no|tiene)\b/.exec(text)?.[1];
}

/** Reads one `field` beside the one message, at the top or in the error. */
function besideMessage(body: Json): FoundFieldErrors | undefined {
  for (const [path, place] of [
    ['field', body],
    ['error.field', get(body, 'error')],
  ] as const) {
    const field = ['field', 'campo', 'param']
      .map((name) => textOf(get(place, name)))
      .find((each) => each !== undefined);
    const text = ['message', 'mensaje', 'mensagem', 'nachricht', 'msg', 'error', 'detail']
      .map((name) => textOf(get(place, name)))
      .find((each) => each !== undefined);
    if (field === undefined || text === undefined) continue;
    return { fields: Object.fromEntries([[field, [text]]]), form: [], path, rule: 'one field beside the message' };
  }
  return undefined;
}

function follow(root: Located, path: readonly string[]): Located | undefined {
  return path.reduce<Located | undefined>((place, name) => place && at(place, name), root);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
