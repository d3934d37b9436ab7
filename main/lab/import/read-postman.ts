import type { PlainJson } from '../../interface/template.ts';
import {
  at,
  listAt,
  pairsOf,
  securityOf,
  seenRequest,
  textAt,
  type Security,
  type SeenRequest,
  type Variables,
} from './seen-request.ts';

/**
 * Reads a collection of Postman 2.x. `@scalar/postman-to-openapi` was tried: it drops `Authorization` headers and makes one
 * of two requests to one address, and the log-in and the renewal of OAuth 2 are such.
 */
export function readPostman(json: PlainJson): SeenRequest[] {
  const collection = at(json, 'collection') ?? json;
  const variables = Object.fromEntries(pairsOf(listAt(collection, 'variable')));
  return itemsOf(collection, variables, authOf(collection));
}

function itemsOf(folder: PlainJson, variables: Variables, around: Security | undefined, depth = 0): SeenRequest[] {
  if (depth > 20) return [];
  return listAt(folder, 'item').flatMap((item) => {
    const auth = authOf(item) ?? around;
    return at(item, 'item') === undefined
      ? requestOf(item, variables, auth)
      : itemsOf(item, variables, auth, depth + 1);
  });
}

function requestOf(item: PlainJson, variables: Variables, around: Security | undefined): SeenRequest[] {
  const request = at(item, 'request');
  const url = textAt(request, 'url') ?? textAt(request, 'url', 'raw') ?? textAt(item, 'request') ?? urlOf(request);
  if (url === undefined) return [];
  const body = at(request, 'body');
  const mode = textAt(body, 'mode') ?? '';
  return [
    seenRequest(
      {
        method: textAt(request, 'method') ?? 'GET',
        url,
        name: textAt(item, 'name'),
        headers: pairsOf(listAt(request, 'header')),
        text: mode === 'raw' ? textAt(body, 'raw') : undefined,
        pairs: mode === 'urlencoded' || mode === 'formdata' ? pairsOf(listAt(body, mode)) : undefined,
        security: textAt(request, 'auth', 'type') === 'noauth' ? undefined : (authOf(request) ?? around),
        answers: listAt(item, 'response').map((answer) => ({
          status: Number(textAt(answer, 'code') ?? 0),
          headers: pairsOf(listAt(answer, 'header')),
          body: textAt(answer, 'body') ?? '',
        })),
      },
      variables,
    ),
  ];
}

/** The address of its parts, where there is no whole one. */
function urlOf(request: PlainJson | undefined): string | undefined {
  const host = textsOf(listAt(request, 'url', 'host')).join('.');
  const path = textsOf(listAt(request, 'url', 'path')).join('/');
  if (host === '') return undefined;
  return `${host.startsWith('{{') ? '' : `${textAt(request, 'url', 'protocol') ?? 'http'}://`}${host}/${path}`;
}

const textsOf = (list: readonly PlainJson[]): string[] =>
  list.flatMap((each) => (typeof each === 'string' ? [each] : (textAt(each, 'value') ?? [])));

function authOf(holder: PlainJson | undefined): Security | undefined {
  const kind = textAt(holder, 'auth', 'type');
  if (kind === undefined) return undefined;
  // Version 2.0 has an object where 2.1 has a list.
  const values = Object.fromEntries(pairsOf(listAt(holder, 'auth', kind)));
  return securityOf(kind, (name) => textAt(holder, 'auth', kind, name) ?? values[name]);
}
