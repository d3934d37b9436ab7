import { fold } from '../../secrets/secret-names.ts';
import type { Body } from './body.ts';
import { formFieldNamed } from './form-fields.ts';
import { at, firstItems, isList, isObject, textOf, wholeBody, type Json, type Located } from './json.ts';
import { mostTexts } from './sentences.ts';
import { words } from './words.ts';

/** Under these names are sentences, or codes that say the same. */
const spokenNames = new Set(
  words(`
    message mensaje mensagem mensajes mensagens msg errmsg error err erro errors errores erros detail details detalle detalles
    errordescription description descripcion descricao reason title summary errormessage errorcode code codigo type
    status hint text texto original sqlmessage constraint messages exception cause name response result resultado
    nonfielderrors fehler fehlermeldung nachricht meldung erreur erreurs
  `),
);
const deepest = 4;

/** Returns what an answer says anywhere under the names for it, sentences before codes. */
export function textsIn({ form, json, text }: Body): string[] {
  if (form !== 'json') return text === '' ? [] : [text];
  if (typeof json === 'string') return [json];
  const texts: string[] = [];
  collect(json, 0, texts);
  const isCode = (each: string): boolean => !/\s/.test(each);
  return [...texts.filter((each) => !isCode(each)), ...texts.filter(isCode)];
}

function collect(value: Json, depth: number, texts: string[]): void {
  if (depth > deepest || texts.length >= mostTexts) return;
  if (isList(value)) for (const item of firstItems(value)) collectUnder('message', item, depth, texts);
  else if (isObject(value)) for (const [name, inner] of value.values) collectUnder(fold(name), inner, depth, texts);
}

function collectUnder(name: string, value: Json, depth: number, texts: string[]): void {
  const text = textOf(value);
  if (text === undefined) collect(value, depth + 1, texts);
  else if (texts.length < mostTexts && spokenNames.has(name)) texts.push(text);
}

/** Beside a message these name the field that it is about, or have it as their only key. */
const besideNames = words(`
  field campo param parameter path property propertyName attribute fieldName field_name target pointer instancePath
  keyPattern keyValue keys fields
`);
const besidePlaces: readonly (readonly string[])[] = [
  [],
  ['error'],
  ['err'],
  ['meta'],
  ['error', 'meta'],
  ['validation'],
  ['error', 'details'],
  ['details'],
  ['data'],
  ['source'],
  ['error', 'source'],
  ['extensions'],
];

/** Finds the one field of our forms that is named beside a message; none where two are. */
export function fieldBeside(json: Json): { field: string; path: string } | undefined {
  for (const path of besidePlaces) {
    const place = path.reduce<Located | undefined>((outer, name) => outer && at(outer, name), {
      path: wholeBody,
      value: json,
    });
    for (const name of besideNames) {
      const found = place && at(place, name);
      const field = found && onlyName(found.value);
      if (found && field !== undefined && formFieldNamed(field)) return { field, path: found.path };
    }
  }
  return undefined;
}

function onlyName(value: Json): string | undefined {
  const names = isList(value) ? value.map(textOf) : isObject(value) ? [...value.values.keys()] : [textOf(value)];
  const [only] = names;
  return names.length === 1 ? only?.replace(/^[#/.]+/, '').replaceAll('/', '.') : undefined;
}
