import { fold } from '../../secrets/secret-names.ts';
import { at, get, isEmpty, isList, isObject, numberOf, textOf, type Json, type Located } from './json.ts';
import { words } from './words.ts';

/** What a flag says. A bare zero is weak, since tutorial servers send `status: 0` with success too. */
export type Flag = { path: string; says: 'success' | 'failure'; weak: boolean };

const flagNames = words(`
  success ok status estado res result code statusCode codigoEstado succeeded isSuccess exito succes erfolg
  status_code codigo result resultado respuesta resp sucesso
`);

/** These say what is shown and how. Only words of theirs count, since a record may have a number under them. */
const kindNames = words('type tipo icon');

/** These are the failure itself where they are there and not empty. `error: false` is the opposite. */
const failureNames = words(`
  error err errors errores erro erros erreur erreurs fehler isError hasError isFailure errcode errno error_code
`);

/** Zero means here that nothing went wrong, if it means anything. */
const codeNames = new Set(['code', 'codigo']);

/** What these say is for people, but nobody is told "ok" about a failure. */
const messageNames = words('message msg mensaje mensagem nachricht meldung errmsg');

/** These are envelopes around the flags: `meta: {code, status, message}`, `status: {code, message}`. */
const envelopes = ['meta', 'status'];

const successWords = new Set([
  'success',
  'successful',
  'succeeded',
  'ok',
  'true',
  'exito',
  'exitoso',
  'correcto',
  'sucesso',
  'succes',
  'erfolg',
  'erfolgreich',
]);
const failureWords = new Set([
  'fail',
  'failed',
  'failure',
  'error',
  'err',
  'ko',
  'nok',
  'false',
  'fallo',
  'fallido',
  'incorrecto',
  'erro',
  'erreur',
  'echec',
  'fehler',
  'fehlgeschlagen',
  'unauthorized',
  'unauthenticated',
  'denied',
  'forbidden',
  'invalid',
]);

export function readFlags(body: Json): Flag[] {
  // PHP tutorials wrap the one answer into a list.
  const only = isList(body) && body.length === 1 ? body[0] : undefined;
  const root: Located = only === undefined ? { path: 'body', value: body } : { path: 'body[0]', value: only };
  if (typeof body === 'boolean') return [{ path: 'body', says: body ? 'success' : 'failure', weak: false }];
  const places = [root, ...envelopes.flatMap((name) => at(root, name) ?? [])].filter(({ value }) => isObject(value));
  const read: readonly (readonly [string, (value: Json) => Said])[] = [
    ...flagNames.map((name) => [name, codeNames.has(name) ? saysCode : says] as const),
    ...kindNames.map((name) => [name, saysWord] as const),
    ...failureNames.map((name) => [name, saysFailure] as const),
    ...messageNames.map((name) => [name, saysSuccess] as const),
  ];
  return places.flatMap((place) => read.flatMap(([name, meaning]) => flagAt(at(place, name), meaning)));
}

/** Returns the flag that says failure. One clear word is enough; a bare zero counts only where none says success. */
export function flagsFail(flags: readonly Flag[], zeroCounts: boolean): Flag | undefined {
  const clear = flags.find((flag) => flag.says === 'failure' && !flag.weak);
  if (clear || !zeroCounts || flags.some((flag) => flag.says === 'success')) return clear;
  return flags.find((flag) => flag.says === 'failure');
}

type Said = Omit<Flag, 'path'> | undefined;

function flagAt(found: Located | undefined, read: (value: Json) => Said): Flag[] {
  const said = found && read(found.value);
  return said ? [{ path: found.path, ...said }] : [];
}

function says(value: Json): Said {
  if (typeof value === 'boolean') return { says: value ? 'success' : 'failure', weak: false };
  const number = numberOf(value);
  if (number !== undefined) return saysNumber(number);
  if (typeof value === 'string' && /^\d{1,3}$/.test(value.trim())) return saysNumber(Number(value));
  return saysWord(value);
}

function saysWord(value: Json): Said {
  if (typeof value !== 'string') return undefined;
  const word = fold(value);
  if (successWords.has(word)) return { says: 'success', weak: false };
  return failureWords.has(word) || /^(?!no_)(?:[a-z]+_)+error$/i.test(value.trim())
    ? { says: 'failure', weak: false }
    : undefined;
}

function saysCode(value: Json): Said {
  return numberOf(value) === 0 || value === '0' ? undefined : says(value);
}

function saysSuccess(value: Json): Said {
  return typeof value === 'string' && successWords.has(fold(value)) ? { says: 'success', weak: false } : undefined;
}

/**
 * Reads a number: from 400 an HTTP code of failure; 100 to 399, or 1, success; 0 and below failure. Other numbers are
 * codes of the server's own.
 */
function saysNumber(value: number): Said {
  if (value < 0 || (value >= 400 && value < 600)) return { says: 'failure', weak: false };
  if (value === 1 || (value >= 100 && value < 400)) return { says: 'success', weak: false };
  return value === 0 ? { says: 'failure', weak: true } : undefined;
}

function saysFailure(value: Json): Said {
  const word = typeof value === 'string' ? fold(value) : '';
  if (
    value === false ||
    numberOf(value) === 0 ||
    successWords.has(word) ||
    word === 'false' ||
    /^0+$/.test(word) ||
    word === 'no'
  )
    return { says: 'success', weak: false };
  if (isEmpty(value) || word === 'null' || word === 'none' || word === 'undefined') return undefined;
  // An envelope that says `{code: 0}` or `{message: ""}` reports nothing.
  if (
    isObject(value) &&
    [...value.values.values()].every((inner) => isEmpty(inner) || numberOf(inner) === 0 || inner === false)
  )
    return undefined;
  return { says: 'failure', weak: false };
}

/** Finds a second factor that is asked for in so many words. */
export function asksFurtherStep(body: Json): string | undefined {
  const wanted =
    /^(?:two_?factor|(?:requires?|needs?)_?(?:2fa|mfa|otp|totp|two_?factor\w*|second_?factor)|(?:2fa|mfa|otp|totp|two_?factor(?:_?auth\w*)?)_?(?:required|needed|pending|challenge))$/i;
  for (const place of [body, get(body, 'data')]) {
    if (!isObject(place)) continue;
    for (const [key, value] of place.values)
      if (wanted.test(key) && (value === true || textOf(value) === 'true')) return key;
  }
  return undefined;
}
