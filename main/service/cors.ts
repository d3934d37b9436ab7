import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { headerIn } from '../interface/expression.ts';
import { expressionsIn } from '../interface/outputs.ts';
import { allowedHeaders } from './mock/allowed-headers.ts';
import type { Preflight } from './mock/mock-definition.ts';

/** Headers that a page may read anyway. */
const safelistedHeaders: ReadonlySet<string> = new Set(['content-type', 'cache-control']);

/** Headers of login pages. The API type adds its CSRF header. */
const usualHeaders = ['Authorization', 'Content-Type', 'Accept-Language'];
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Short, since a development server changes often. */
const MAX_AGE_SECONDS = 600;

const MOST_REQUESTED_HEADERS = 50;

type CorsOptions = {
  /** In the form of the header `Origin`. */
  origins: () => readonly string[];
  /** Another API type than the default one. */
  description: InterfaceDescription | undefined;
  /** The preflight response of the original of a mock. */
  preflight: Preflight | undefined;
};

export type Cors = ReturnType<typeof createCors>;

/** The valid names in a header (RFC 9110, section 5.6.2). */
const namesIn = (list: string): string[] =>
  list
    .split(',', MOST_REQUESTED_HEADERS)
    .map((each) => each.trim())
    .filter((each) => /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(each) && each !== '*');

/** Joins names, each once in any case. */
function joinUnique(names: readonly string[]): string {
  const first = new Map<string, string>();
  for (const each of names) if (!first.has(each.toLowerCase())) first.set(each.toLowerCase(), each);
  return [...first.values()].join(', ');
}

/**
 * The CORS protocol of the Fetch Standard, for web pages of named origins. Every response to them has its headers, also
 * errors, which a page could not read otherwise. All other origins are refused as without it.
 */
export function createCors({ origins, description, preflight }: CorsOptions) {
  const inHeaders = Object.values(expressionsIn(description?.outputs)).flatMap((each) => headerIn(each) ?? []);
  const readable = joinUnique(
    [...allowedHeaders, ...inHeaders].filter((each) => !safelistedHeaders.has(each.toLowerCase())),
  );
  const sendable = [...usualHeaders, ...(description?.csrf ? [description.csrf.header] : [])];

  const isAllowed = ({ headers: { origin } }: Pick<FastifyRequest, 'headers'>): boolean =>
    origin !== undefined && origins().includes(origin);

  return {
    /** Sets the CORS headers, and `Vary`, since a cached response must not be used for another origin. */
    addHeaders(request: FastifyRequest, reply: FastifyReply): void {
      if (origins().length === 0) return;
      reply.header('vary', 'Origin');
      const { origin } = request.headers;
      if (origin === undefined || !isAllowed(request)) return;
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', readable);
    },

    /**
     * Answers a preflight; false for another request. A mock answers as its original does, if that allows any page.
     */
    handlePreflight(request: FastifyRequest, reply: FastifyReply): boolean {
      const { headers, method } = request;
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
      if (!isAllowed(request)) return false;
      reply
        .removeHeader('access-control-expose-headers')
        .header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
      // Needed for a page of a public address (Private Network Access).
      if (headers['access-control-request-private-network'] === 'true')
        reply.header('access-control-allow-private-network', 'true');
      const requested = namesIn(headers['access-control-request-headers'] ?? '');
      // A browser accepts no other status (Fetch Standard, CORS-preflight fetch).
      if (preflight?.allows && preflight.status < 300) {
        for (const [name, value] of preflight.headers) reply.header(name, value);
        if (preflight.echoesHeaders && requested.length > 0)
          reply.header('access-control-allow-headers', requested.join(','));
        reply.code(preflight.status).send();
        return true;
      }
      reply
        .header('access-control-allow-methods', usualMethods.join(', '))
        .header('access-control-allow-headers', joinUnique([...sendable, ...requested]))
        .header('access-control-max-age', MAX_AGE_SECONDS)
        .code(204)
        .send();
      return true;
    },
  };
}
