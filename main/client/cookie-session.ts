import type { AppError } from '../../preload/contract/result.ts';
import { isCookieNamed } from '../interface/cookies.ts';
import { cookieNamePatterns, sessionSchemes } from '../interface/security-schemes.ts';
import { shippedInterface, shippedNames } from '../interface/shipped.ts';
import type { HeaderList } from './call.ts';

/** What servers call the cookie of a session, and the one against forged requests that often stands beside it. */
const sessionLike = /sess|sid\b|auth|token|jwt/i;
const againstForgery = /csrf|xsrf/i;

/** Whether a login was accepted, and nothing in the answer is a token. */
export const isLoginWithoutToken = (error: AppError): boolean =>
  error.kind === 'unexpected' && (error.reason === 'no-token' || error.reason === 'empty');

/** Says of a login without a token that the session is a cookie, if it looks so, and which shipped descriptions may fit. */
export async function detectCookieSession(error: AppError, headers: HeaderList): Promise<AppError> {
  const names = headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, text]) => text.slice(0, text.indexOf('=')).trim())
    .filter((name) => sessionLike.test(name) && !againstForgery.test(name));
  if (names.length === 0) return error;
  const fits: string[] = [];
  for (const shipped of shippedNames) {
    const description = await shippedInterface(shipped);
    const patterns = description ? cookieNamePatterns(sessionSchemes(description)) : [];
    if (description && names.some((name) => patterns.some((each) => isCookieNamed(name, each))))
      fits.push(description.name);
  }
  const message = 'message' in error ? error.message : undefined;
  return { kind: 'session-in-cookie', fits, ...(message !== undefined && { message }) };
}
