import type { AppError } from '../../preload/contract/result.ts';
import { isCookieNamed } from '../interface/cookies.ts';
import { cookieNamePatterns, sessionSchemes } from '../interface/security-schemes.ts';
import { shippedInterface } from '../interface/shipped.ts';
import { suggestedNames } from '../interface/shipped-files.ts';
import type { HeaderList } from './call.ts';

/** The usual names of session cookies, and of the CSRF cookies that are often set with them. */
const sessionCookieName = /sess|sid\b|auth|token|jwt/i;
const csrfCookieName = /csrf|xsrf/i;

/** True if a login was accepted without a token in the response. */
export const isLoginWithoutToken = (error: AppError): boolean =>
  error.kind === 'unexpected' && (error.reason === 'no-token' || error.reason === 'empty');

/** The error of a login without a token: if it set a session cookie, with the built-in API types that may match. */
export async function detectCookieSession(error: AppError, headers: HeaderList): Promise<AppError> {
  const names = headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, text]) => text.slice(0, text.indexOf('=')).trim())
    .filter((name) => sessionCookieName.test(name) && !csrfCookieName.test(name));
  if (names.length === 0) return error;
  const fits: string[] = [];
  for (const shipped of suggestedNames) {
    const description = await shippedInterface(shipped);
    const patterns = description ? cookieNamePatterns(sessionSchemes(description)) : [];
    if (description && names.some((name) => patterns.some((each) => isCookieNamed(name, each))))
      fits.push(description.name);
  }
  const message = 'message' in error ? error.message : undefined;
  return { kind: 'session-in-cookie', fits, ...(message !== undefined && { message }) };
}
