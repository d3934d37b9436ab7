import { isSafePath, percentEncoded } from '../../interface/safe-path.ts';
import { looksSecret, DescriptionDraft } from './description-draft.ts';
import type { ImportedRequest } from './imported-request.ts';

/** The origin of a request, if it is known, and its path with variables of the description. */
export type RequestTarget = { origin: string | undefined; path: string; query: string };

/** A host that is a variable or contains one: `{{base}}`, `{{host}}:{{port}}`, `localhost:{{port}}`, `{{shop}}.example.com`. */
const variableHost = String.raw`\{\{[^{}]+\}\}(?:(?:\.[\w-]+)*(?::(?:\d+|\{\{[^{}]+\}\}))?(?=[/?#]|$))?|[\w.-]+:\{\{[^{}]+\}\}`;
const addressParts = new RegExp(
  `^(?:(https?)://([^/?#\\s]+)|(?:${variableHost})|([\\w.-]+(?::\\d+)?)(?=/))?([^?#]*)(?:\\?([^#]*))?`,
  'i',
);

/** The parts of a URL. If the base is a variable, the path begins with a slash even if the value of the base ends with one. */
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

/** A path parameter: `{{realm}}`, `{realm}`, `:realm`. */
const parameter = /^(?:\{\{\s*(?:_\.)?([\w.-]+)\s*\}\}|\{([\w.-]+)\}|:([A-Za-z]\w*))$/;

/** Hosts of a local network, which have no certificate. */
const localHost = /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+:\d+$)/i;

const flag = /^(?:[01]|true|false|yes|no|on|off)$/i;

const wholeVariable = /^\{\{\s*(?:_\.)?([\w.-]{1,100})\s*\}\}$/;

/**
 * Undefined if the URL is allowed in no description. Secrets in it are dropped, and named in the draft.
 * @param at the path of the call in the description
 */
export function parseRequestTarget(
  { url }: ImportedRequest,
  draft = new DescriptionDraft(),
  at = '',
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
    const variable = wholeVariable.exec(value)?.[1];
    const isKey = /key$/i.test(name);
    if (variable !== undefined) return [`${name}=${draft.variable(isKey ? name : variable, { why: 'placeholder' })}`];
    // A flag has no value or a boolean one: Flask-Security's `?include_auth_token`.
    if (name !== '' && (pair === name ? !looksSecret('', name) : flag.test(value))) return [pair];
    if (value === '' || value.includes('{{')) return [];
    if (!looksSecret(name, value)) return [pair];
    draft.dropped.add(`${at}.query.${name}`);
    // An API key of a project, such as Firebase's `key`, is no secret of a user, and needed for every call.
    return isKey ? [`${name}=${draft.variable(name)}`] : [];
  });
  // Some programs do not encode a URL.
  const encodedPath = percentEncoded(segments.join('/'));
  const encodedQuery = percentEncoded(pairs.length === 0 ? '' : `?${pairs.join('&')}`);
  const isUsable =
    isSafePath(encodedPath + encodedQuery) &&
    /^(?:\/.*)?$/s.test(encodedPath) &&
    /^[^\s#\\]{0,400}$/.test(encodedPath + encodedQuery);
  const bareScheme = localHost.test(bareHost ?? '') ? 'http' : 'https';
  const origin = scheme === undefined ? bareHost && `${bareScheme}://${bareHost}` : `${scheme.toLowerCase()}://${host}`;
  return isUsable
    ? {
        origin: origin && !/[{}]/.test(origin) && URL.canParse(origin) ? origin : undefined,
        path: encodedPath,
        query: encodedQuery,
      }
    : undefined;
}
