import type { PlainJson } from '../../interface/template.ts';
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

/** Reads an OpenCollection file, which is what Bruno writes as YAML: a whole one, or one request. */
export function readOpenCollection(json: PlainJson): SeenRequest[] {
  const environments = listAt(json, 'config', 'environments').flatMap((each) => listAt(each, 'variables').slice());
  const own = listAt(json, 'request', 'variables');
  const variables = Object.fromEntries(pairsOf([...environments, ...own]).filter(([, value]) => value !== ''));
  const auth = at(json, 'request', 'auth');
  return at(json, 'http') === undefined ? itemsOf(json, variables, auth) : [requestOf(json, variables, auth)];
}

function itemsOf(folder: PlainJson, variables: Variables, around: PlainJson | undefined, depth = 0): SeenRequest[] {
  if (depth > 20) return [];
  return listAt(folder, 'items').flatMap((item) => {
    const auth = at(folder, 'request', 'auth') ?? around;
    if (at(item, 'items') !== undefined) return itemsOf(item, variables, auth, depth + 1);
    return at(item, 'http') === undefined ? [] : [requestOf(item, variables, auth)];
  });
}

function requestOf(item: PlainJson, variables: Variables, around: PlainJson | undefined): SeenRequest {
  const request = at(item, 'http');
  const [first] = listAt(request, 'body');
  // Several bodies are a list, of which the chosen one is marked.
  const chosen = listAt(request, 'body').find((each) => at(each, 'selected') === true) ?? first;
  const body = chosen === undefined ? at(request, 'body') : at(chosen, 'body');
  const own = at(request, 'auth') ?? 'inherit';
  const auth = own === 'inherit' ? around : own;
  const fields = at(body, 'data');
  return seenRequest(
    {
      method: textAt(request, 'method') ?? 'GET',
      url: textAt(request, 'url') ?? '',
      name: textAt(item, 'info', 'name'),
      headers: pairsOf(listAt(request, 'headers')),
      text: textAt(body, 'data'),
      pairs: Array.isArray(fields) ? pairsOf(fields) : undefined,
      security: securityOf(textAt(auth, 'type'), (name) => textAt(auth, name)),
      answers: listAt(item, 'examples').map((each) => ({
        status: Number(textAt(each, 'response', 'status') ?? 0),
        headers: pairsOf(listAt(each, 'response', 'headers')),
        body: textAt(each, 'response', 'body', 'data') ?? '',
      })),
    },
    variables,
  );
}
