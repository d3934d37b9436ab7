import type { HeaderProblem } from '../../preload/contract/connection.ts';

/** In characters. */
export const longestHeaderName = 100;

/** Headers of the message framing and of one connection (RFC 9110, 7.6.1). */
const ofHttp = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i;

/** Headers that Llavero sets itself: credentials, `Accept`, and those of the body. */
const ofInterface = /^(?:accept|authorization|cookie2?|content-.*)$/i;

/** A token of HTTP (RFC 9110, 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Why a header name cannot be added. The length is checked first, so that no pattern reads a megabyte.
 * @param mayBeOfInterface for a request that a user edited, with its credentials and its body
 */
export function headerNameProblem(name: string, mayBeOfInterface = false): HeaderProblem | undefined {
  if (name === '') return 'name-missing';
  if (name.length > longestHeaderName) return 'name-long';
  if (!token.test(name)) return 'name-characters';
  return ofHttp.test(name) || (!mayBeOfInterface && ofInterface.test(name)) ? 'name-taken' : undefined;
}
