import { isSafePath, percentEncoded } from '../../interface/safe-path.ts';
import { looksSecret, type Learned } from './call-template.ts';
import type { SeenRequest } from './seen-request.ts';

/** Where a request goes: the server's origin, if it is known, and what a description calls the path. */
export type Place = { origin: string | undefined; path: string; query: string };

const parts = /^(?:(https?):\/\/([^/?#\s]+)|\{\{[^{}]+\}\}|([\w.-]+(?::\d+)?)(?=\/))?([^?#]*)(?:\?([^#]*))?/i;
/** A part of a path that a collection or a document fills in: `{{realm}}`, `{realm}`, `:realm`, `$realm`. */
const filledPart = /^(?:\{\{\s*(?:_\.)?([\w.-]+)\s*\}\}|\{([\w.-]+)\}|:([A-Za-z]\w*))$/;

/** Undefined if no description may have the address. */
export function placeOf({ url }: SeenRequest, learned: Learned, at: string): Place | undefined {
  const [, scheme, host = '', bare, path = '', query = ''] = parts.exec(url.slice(0, 2000)) ?? [];
  const name = host.slice(host.lastIndexOf('@') + 1).toLowerCase();
  if (name !== host.toLowerCase()) learned.dropped.add(`${at}.address`);
  const segments = path.split('/').map((segment) => {
    const variable = filledPart
      .exec(segment)
      ?.slice(1)
      .find((each) => each !== undefined);
    if (variable !== undefined) return learned.variable(variable);
    // A word of letters and digits in a path is that of one person's link.
    return looksSecret('', segment) ? undefined : segment;
  });
  if (segments.includes(undefined)) return undefined;
  // Some programs write an address as it was typed.
  const whole = percentEncoded(segments.join('/'));
  const rest = percentEncoded(queryOf(query, learned, at));
  if (
    !isSafePath(whole + rest) ||
    (whole !== '' && !whole.startsWith('/')) ||
    !/^[^\s#\\]{0,400}$/.test(whole + rest)
  ) {
    return undefined;
  }
  const known = scheme === undefined ? bare && `https://${bare}` : `${scheme.toLowerCase()}://${name}`;
  return { origin: known !== undefined && URL.canParse(known) ? known : undefined, path: whole, query: rest };
}

/** The constants of a query; what looks secret is left out and named. */
function queryOf(query: string, learned: Learned, at: string): string {
  const pairs = query.split('&').filter((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    if (value === '' || value.includes('{{')) return false;
    if (!looksSecret(name, value)) return true;
    learned.dropped.add(`${at}.query.${name}`);
    return false;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The longest path that all calls have in common. A log-in keeps a part of its own where it stands alone. */
export function commonPrefix(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map((path) => path.split('/'));
  const lists = [first, ...others].filter((list) => Array.isArray(list));
  const [shortest = []] = lists.toSorted((one, other) => one.length - other.length);
  const differs = shortest.findIndex((segment, index) => lists.some((list) => list[index] !== segment));
  const isOnePath = new Set(paths).size <= 1;
  const end = differs < 0 ? shortest.length - (isOnePath ? 1 : 0) : differs;
  return shortest.slice(0, end).join('/').replace(/\/+$/, '');
}
