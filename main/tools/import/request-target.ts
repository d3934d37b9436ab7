import { isSafePath, percentEncoded } from '../../interface/safe-path.ts';
import { looksSecret, type DescriptionDraft } from './description-draft.ts';
import type { ImportedRequest } from './imported-request.ts';

/** Where a request goes: the origin, if it is known, and the path with variables of the description in it. */
export type RequestTarget = { origin: string | undefined; path: string; query: string };

/** A variable that has the host, or a part of it: `{{base}}`, `{{host}}:{{port}}`, `localhost:{{port}}`, `{{shop}}.example.com`. */
const filledHost = String.raw`\{\{[^{}]+\}\}(?:(?:\.[\w-]+)*(?::(?:\d+|\{\{[^{}]+\}\}))?(?=[/?#]|$))?|[\w.-]+:\{\{[^{}]+\}\}`;
const addressParts = new RegExp(
  `^(?:(https?)://([^/?#\\s]+)|(?:${filledHost})|([\\w.-]+(?::\\d+)?)(?=/))?([^?#]*)(?:\\?([^#]*))?`,
  'i',
);

/** An address in its parts. The path of one whose base is a variable begins with a slash, also where the base ends with it. */
export function splitUrl(url: string): {
  scheme: string | undefined;
  authority: string;
  bareHost: string | undefined;
  path: string;
  query: string;
} {
  const [, scheme, authority = '', bareHost, path = '', query = ''] = addressParts.exec(url.slice(0, 2000)) ?? [];
  const isBare = url.startsWith('{{') && path !== '' && !path.startsWith('/');
  return { scheme, authority, bareHost, path: isBare ? `/${path}` : path, query };
}

/** A part of a path that is filled in: `{{realm}}`, `{realm}`, `:realm`. */
const parameter = /^(?:\{\{\s*(?:_\.)?([\w.-]+)\s*\}\}|\{([\w.-]+)\}|:([A-Za-z]\w*))$/;

/** Where nobody has a certificate. */
const ownNetwork = /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+:\d+$)/i;

const flag = /^(?:[01]|true|false|yes|no|on|off)$/i;

const filledIn = /^\{\{\s*(?:_\.)?([\w.-]{1,100})\s*\}\}$/;

/** Undefined if no description may have the address. Secrets in it are dropped and named. */
export function parseRequestTarget(
  { url }: ImportedRequest,
  draft: DescriptionDraft,
  at: string,
): RequestTarget | undefined {
  const { scheme, authority, bareHost, path, query } = splitUrl(url);
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  if (host !== authority.toLowerCase()) draft.dropped.add(`${at}.address`);
  const segments = path.split('/').map((segment) => {
    const name = parameter
      .exec(segment)
      ?.slice(1)
      .find((each) => each !== undefined);
    if (name !== undefined) return draft.variable(name, { why: 'placeholder' });
    return looksSecret('', segment) ? undefined : segment;
  });
  if (segments.includes(undefined)) return undefined;
  const pairs = query.split('&').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    const variable = filledIn.exec(value)?.[1];
    const isKey = /key$/i.test(name);
    if (variable !== undefined) return [`${name}=${draft.variable(isKey ? name : variable, { why: 'placeholder' })}`];
    // A flag has no value, or one that says no more than that: Flask-Security's `?include_auth_token`.
    if (name !== '' && (pair === name ? !looksSecret('', name) : flag.test(value))) return [pair];
    if (value === '' || value.includes('{{')) return [];
    if (!looksSecret(name, value)) return [pair];
    draft.dropped.add(`${at}.query.${name}`);
    // What a project is known by is no secret to those who use it, and without it no call is answered: Firebase's `key`.
    return isKey ? [`${name}=${draft.variable(name)}`] : [];
  });
  // Some programs write an address as it was typed.
  const whole = percentEncoded(segments.join('/'));
  const rest = percentEncoded(pairs.length === 0 ? '' : `?${pairs.join('&')}`);
  const isUsable = isSafePath(whole + rest) && /^(?:\/.*)?$/s.test(whole) && /^[^\s#\\]{0,400}$/.test(whole + rest);
  const bareScheme = ownNetwork.test(bareHost ?? '') ? 'http' : 'https';
  const origin = scheme === undefined ? bareHost && `${bareScheme}://${bareHost}` : `${scheme.toLowerCase()}://${host}`;
  return isUsable
    ? { origin: origin && !/[{}]/.test(origin) && URL.canParse(origin) ? origin : undefined, path: whole, query: rest }
    : undefined;
}
