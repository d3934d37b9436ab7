import type { HeaderProblem } from '../../preload/contract/connection.ts';

/** In characters. With more of it, most servers refuse a request by its size. */
export const longestHeaderName = 100;

/** What says where a message ends, and what is between two ends of one connection (RFC 9110, 7.6.1). */
const ofHttp = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i;

/** What Llavero writes itself: the credentials and the `Accept` of the interface, and what it says of a body. */
const ofInterface = /^(?:accept|authorization|cookie2?|content-.*)$/i;

/** A token of HTTP (RFC 9110, 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Says why a name cannot be added. Its length comes first, so that no pattern reads a megabyte.
 * @param mayBeOfInterface whether the request is a person's own, with its credentials and its body
 */
export function headerNameProblem(name: string, mayBeOfInterface = false): HeaderProblem | undefined {
  if (name === '') return 'name-missing';
  if (name.length > longestHeaderName) return 'name-long';
  if (!token.test(name)) return 'name-characters';
  return ofHttp.test(name) || (!mayBeOfInterface && ofInterface.test(name)) ? 'name-taken' : undefined;
}
