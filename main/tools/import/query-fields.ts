import { leavesOf, findIdentifierFields } from './infer-body.ts';
import { bodyMembersOf, type ImportedRequest } from './imported-request.ts';

/**
 * Moves identity and password from the query of a GET into its fields. Parse Server documents its log-in so, as
 * `curl -G --data-urlencode`. Other requests are returned as they are.
 */
export function withQueryFields(request: ImportedRequest): ImportedRequest {
  const [, address = '', query] = /^([^?#]*)\?([^#]*)/.exec(request.url) ?? [];
  if (request.method !== 'GET' || request.body !== undefined || query === undefined) return request;
  const leaves = leavesOf(bodyMembersOf(Object.fromEntries(new URLSearchParams(query))));
  const identity = findIdentifierFields(leaves);
  const has = (meaning: string): boolean => leaves.some(({ means }) => means === meaning);
  if (!has('password') || identity.length === 0 || has('token') || has('refresh')) return request;
  const fields = leaves.filter(
    (leaf) => identity.includes(leaf) || (leaf.means !== undefined && leaf.means !== 'grant'),
  );
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
