import { fold } from '../../secrets/secret-names.ts';
import { findComplaints } from './complaint-terms.ts';
import { inputs, isField, isTexts } from './error-item.ts';
import { findSubjects } from './field-terms.ts';
import { lastPart } from './form-fields.ts';
import { get, isObject, textOf, type Json, type JsonObject } from './json.ts';
import { wordsOf } from './terms.ts';

/** Where a place also holds what was sent, only sentences under the inputs' names are errors. */
export function isInput(key: string): boolean {
  // What was sent has no names such as `register.dto.name`.
  return inputs.has(fold(key)) || (lastPart(key) !== key && isField(key));
}

/** Says whether a text tells what is wrong, as no name of a person does. */
function complains(value: Json): boolean {
  return typeof value === 'string' && findComplaints(wordsOf(value)).length > 0;
}

/** Says whether a text under `name` is an error: it names the name, or stands beside what is wrong with other inputs. */
export function isErrorOfName(map: JsonObject, value: Json): boolean {
  return (
    complains(value) &&
    ((typeof value === 'string' && findSubjects(wordsOf(value)).some(({ means }) => means === 'name')) ||
      [...map.values].some(([key, other]) => isInput(key) && complains(other)))
  );
}

/** Reads a map in which every input's own name has what is wrong with it, whatever the map is called. */
export function complaintsByField(value: Json): Record<string, string[]> | undefined {
  if (!isObject(value) || ![...value.values.keys()].some(isInput)) return undefined;
  const entries = [...value.values].map(([key, inner]): [string, string[]] => [
    key,
    isTexts(inner) ? [...inner] : typeof inner === 'string' ? [inner] : [],
  ]);
  const isComplete = entries.every(([key, texts]) => isField(key) && texts.length > 0 && texts.every(complains));
  return isComplete ? Object.fromEntries(entries) : undefined;
}

/** Says whether what an answer has under `data` is what is wrong (https://github.com/omniti-labs/jsend). */
export function isJsendFailure(body: Json): boolean {
  return isObject(body) && textOf(get(body, 'status')) === 'fail' && get(body, 'message') === undefined;
}
