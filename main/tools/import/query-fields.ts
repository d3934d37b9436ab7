import { leavesOf, findIdentifierFields } from './infer-body.ts';
import { bodyMembersOf, type ImportedRequest } from './imported-request.ts';

/**
 * A GET that has who somebody is and a password in its query, with these as its fields and the rest of its query where it
 * was: Parse Server documents its log-in so, as `curl -G --data-urlencode`. Any other request is what it was.
 */
export function withQueryFields(request: ImportedRequest): ImportedRequest {
  const [, address = '', query] = /^([^?#]*)\?([^#]*)/.exec(request.url) ?? [];
  if (request.method !== 'GET' || request.body !== undefined || query === undefined) return request;
  const leaves = leavesOf(bodyMembersOf(Object.fromEntries(new URLSearchParams(query))));
  const who = findIdentifierFields(leaves);
  const has = (wanted: string): boolean => leaves.some(({ means }) => means === wanted);
  if (!has('password') || who.length === 0 || has('token') || has('refresh')) return request;
  const fields = leaves.filter((leaf) => who.includes(leaf) || (leaf.means !== undefined && leaf.means !== 'grant'));
  const names = new Set(fields.map(({ member }) => member.name));
  const isField = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some((name) => names.has(name));
  const rest = query.split('&').filter((pair) => !isField(pair));
  return {
    ...request,
    url: rest.length === 0 ? address : `${address}?${rest.join('&')}`,
    body: fields.map(({ member }) => member),
    encoding: 'query',
  };
}
