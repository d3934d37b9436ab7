import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { headerIn } from '../interface/expression.ts';
import { expressionsIn } from '../interface/outputs.ts';
import { allowedHeaders } from './mock/allowed-headers.ts';
import type { Preflight } from './mock/mock-definition.ts';

/** What a page may read of an answer without being told. */
const alwaysRead: ReadonlySet<string> = new Set(['content-type', 'cache-control']);

/** What pages send that log in. The header that proves a request against forgery comes with the interface. */
const usualHeaders = ['Authorization', 'Content-Type', 'Accept-Language'];
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Chromium keeps a preflight for two hours at most; a development server changes sooner. */
const MAX_AGE_SECONDS = 600;

const MOST_REQUESTED = 50;

type CorsOptions = {
  /** Returns them as browsers write them in the header `Origin`. */
  origins: () => readonly string[];
  /** The interface that is answered at, if that is another one than our own. */
  description: InterfaceDescription | undefined;
  /** What the original of a double answered to a preflight. */
  preflight: Preflight | undefined;
};

/** Lets web pages of named origins use the service. */
export type Cors = ReturnType<typeof createCors>;

/** The names of a list in a header, without what is no name (RFC 9110, section 5.6.2). */
const namesIn = (list: string): string[] =>
  list
    .split(',', MOST_REQUESTED)
    .map((each) => each.trim())
    .filter((each) => /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(each) && each !== '*');

/** Each name once, whatever its letters. */
function eachOnce(names: readonly string[]): string {
  const first = new Map<string, string>();
  for (const each of names) if (!first.has(each.toLowerCase())) first.set(each.toLowerCase(), each);
  return [...first.values()].join(', ');
}

/**
 * Makes what lets web pages of named origins use the service: the CORS protocol of the Fetch Standard. Every answer to such
 * a page says so, refusals and faults too, or the page could not read what went wrong. All other origins are refused as if
 * this were not here.
 */
export function createCors({ origins, description, preflight }: CorsOptions) {
  const inHeaders = Object.values(expressionsIn(description?.outputs)).flatMap((each) => headerIn(each) ?? []);
  const readable = eachOnce([...allowedHeaders, ...inHeaders].filter((each) => !alwaysRead.has(each.toLowerCase())));
  const sendable = [...usualHeaders, ...(description?.csrf ? [description.csrf.header] : [])];

  const isAllowed = ({ headers: { origin } }: Pick<FastifyRequest, 'headers'>): boolean =>
    origin !== undefined && origins().includes(origin);

  return {
    /** Says on an answer which origin may read it. What is kept of one answer must not be given to another origin. */
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
     * Answers the question that a browser asks before a call, if a request is that. A double answers as its original does,
     * where that lets any page in.
     */
    handlePreflight(request: FastifyRequest, reply: FastifyReply): boolean {
      const { headers, method } = request;
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
      if (!isAllowed(request)) return false;
      reply
        .removeHeader('access-control-expose-headers')
        .header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
      // A page of a public address may ask this computer only if that is said (Private Network Access).
      if (headers['access-control-request-private-network'] === 'true')
        reply.header('access-control-allow-private-network', 'true');
      const requested = namesIn(headers['access-control-request-headers'] ?? '');
      // A browser takes no other status for a yes (Fetch Standard, CORS-preflight fetch).
      if (preflight?.allows && preflight.status < 300) {
        for (const [name, value] of preflight.headers) reply.header(name, value);
        if (preflight.echoesHeaders && requested.length > 0)
          reply.header('access-control-allow-headers', requested.join(','));
        reply.code(preflight.status).send();
        return true;
      }
      reply
        .header('access-control-allow-methods', usualMethods.join(', '))
        .header('access-control-allow-headers', eachOnce([...sendable, ...requested]))
        .header('access-control-max-age', MAX_AGE_SECONDS)
        .code(204)
        .send();
      return true;
    },
  };
}
