import bruno from '@usebruno/lang';
import { isRecord, type PlainJson } from '../../interface/template.ts';
import { NotThatFormat, readBy } from './not-that-format.ts';
import {
  at,
  listAt,
  pairsOf,
  securityOf,
  seenRequest,
  textAt,
  type SeenRequest,
  type Variables,
} from './seen-request.ts';

/** Where a file of Bruno begins, when several were put into one text: a zero stands between those of a folder. */
const begins = /\0|^(?=meta \{)/m;
const isRequest = /^(?:get|post|put|patch|delete|options|head|http)\s*\{/m;
const isEnvironment = /^\s*vars(?::secret)?\s*[{[]/;

/** Reads files of Bruno, `.bru`: requests, and beside them the collection's own file and an environment. */
export function readBruno(text: string): SeenRequest[] {
  const files = text.split(begins).filter((each) => each.trim() !== '');
  const requests = readAll(
    files.filter((each) => isRequest.test(each)),
    bruno.bruToJsonV2,
  );
  const others = files.filter((each) => !isRequest.test(each));
  const variables = variablesOf(
    readAll(
      others.filter((each) => isEnvironment.test(each)),
      bruno.bruToEnvJsonV2,
    ),
  );
  const [collection] = readAll(
    others.filter((each) => !isEnvironment.test(each)),
    bruno.collectionBruToJson,
  );
  return requests.map((each) => requestOf(each, variables, at(collection, 'auth')));
}

/** One file that its library cannot read takes nothing from the others. */
function readAll(files: readonly string[], read: (file: string) => PlainJson): PlainJson[] {
  return files.flatMap((each) => {
    try {
      return [readBy(() => read(each))];
    } catch (error) {
      if (error instanceof NotThatFormat && files.length > 1) return [];
      throw error;
    }
  });
}

/** Reads a collection that Bruno exported as one file of JSON. */
export function readBrunoExport(json: PlainJson): SeenRequest[] {
  const variables = variablesOf([...listAt(json, 'environments')]);
  return itemsOf(json, variables, at(json, 'root', 'request', 'auth'));
}

function itemsOf(folder: PlainJson, variables: Variables, auth: PlainJson | undefined, depth = 0): SeenRequest[] {
  if (depth > 20) return [];
  return listAt(folder, 'items').flatMap((item) => {
    const request = at(item, 'request');
    if (at(item, 'items') !== undefined) return itemsOf(item, variables, auth, depth + 1);
    if (!isRecord(request)) return [];
    const inner = { meta: { name: textAt(item, 'name') ?? '' }, http: request, headers: at(request, 'headers') ?? [] };
    return [requestOf({ ...inner, body: at(request, 'body') ?? {}, auth: at(request, 'auth') ?? {} }, variables, auth)];
  });
}

function requestOf(file: PlainJson, variables: Variables, around: PlainJson | undefined): SeenRequest {
  const mode = textAt(file, 'http', 'body') ?? textAt(file, 'body', 'mode') ?? '';
  const ownAuth = textAt(file, 'http', 'auth') ?? textAt(file, 'auth', 'mode') ?? 'inherit';
  const [auth, kind] = ownAuth === 'inherit' ? [around, textAt(around, 'mode')] : [at(file, 'auth'), ownAuth];
  const isForm = mode === 'formUrlEncoded' || mode === 'multipartForm';
  return seenRequest(
    {
      method: textAt(file, 'http', 'method') ?? 'GET',
      url: textAt(file, 'http', 'url') ?? '',
      name: textAt(file, 'meta', 'name'),
      headers: pairsOf(listAt(file, 'headers')),
      text: isForm || mode === 'none' ? undefined : textAt(file, 'body', mode),
      pairs: isForm ? pairsOf(listAt(file, 'body', mode)) : undefined,
      security: securityOf(kind, (name) => textAt(auth, kind ?? '', name)),
    },
    variables,
  );
}

/** What environments say; a variable that is kept as a secret has no value here. */
function variablesOf(environments: readonly PlainJson[]): Variables {
  const pairs = environments.flatMap((each) => pairsOf(listAt(each, 'variables')));
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
