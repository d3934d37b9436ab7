import type { InterfaceDescription, OperationSecurity } from '../../../preload/contract/interface.ts';
import { isRefreshName } from '../../interface/refresh-token.ts';
import { leavesOf } from './infer-body.ts';
import { looksSecret } from './description-draft.ts';
import { cookieName, requestCookies, headerOf, isSessionCookie, type ImportedRequest } from './imported-request.ts';

const value = '{{refreshToken}}';
const isRenewing = (text: string, token: string | undefined): boolean =>
  isRefreshName(text.replaceAll(/[{}$\s]/g, '')) || (token !== undefined && text === token);

/** Whether a request goes with the session's credential by what the text shows of it, and not by what is usual. */
const showsCredential = ({ headers, security = [] }: ImportedRequest): boolean =>
  headers.some(([name]) => /^(?:authorization|cookie)$|token|session|jwt/i.test(name)) ||
  security.flat().some(({ why }) => why !== 'usual');

/**
 * How a renewal carries the refresh token where its body does not: in `Authorization` in the place of the session's token
 * (Flask-JWT-Extended), in a header of its own, or in a cookie. Where its body does, no credential goes along unless the
 * text shows one (RFC 6749, 6): a server such as Directus refuses the access token that has just ended.
 * @param given the refresh token of an answer to the log-in, as far as the text has one
 * @param isByHeader whether another request of the text carries a token in `Authorization`
 */
export function inferRefreshSecurity(
  renewal: ImportedRequest | undefined,
  login: ImportedRequest | undefined,
  given: string | undefined,
  isByHeader: boolean,
): OperationSecurity | undefined {
  if (renewal === undefined) return undefined;
  const leaves = leavesOf(renewal.body);
  if (leaves.some(({ means, member }) => means === 'refresh' || (given !== undefined && member.value === given)))
    return showsCredential(renewal) ? undefined : { type: 'none' };
  const [, scheme, rest = ''] = /^([\w-]{1,50})\s+(\S+)$/.exec(headerOf(renewal, /^authorization$/i)?.[1] ?? '') ?? [];
  if (scheme !== undefined && isRenewing(rest, given)) return { type: 'http', scheme, value };
  const header = renewal.headers.find(
    ([name, text]) => text !== '' && /token|jwt/i.test(name) && isRefreshName(name.replace(/^x-/i, '')),
  );
  if (header) return { type: 'apiKey', in: 'header', name: header[0], value };
  const documented = renewal.security?.flat().find(({ renews }) => renews)?.security;
  if (documented && documented.type !== 'none') {
    return documented.type === 'apiKey' && documented.in === 'cookie' ? documented : { ...documented, value };
  }
  const set = login?.responses.filter(({ status }) => status >= 200 && status < 400) ?? [];
  const cookies = [
    ...renewal.headers.filter(([name]) => /^cookie$/i.test(name)).flatMap(([, text]) => text.split(';')),
    ...set.flatMap(({ headers }) =>
      headers.filter(([name]) => /^set-cookie$/i.test(name)).flatMap(([, text]) => text.split('\n')),
    ),
  ].map(cookieName);
  // Where a session goes by a header, a cookie that only the renewal has is what renews.
  const alone = isByHeader && scheme === undefined ? requestCookies(renewal).filter(isSessionCookie) : [];
  const cookie =
    cookies.find((name) => /refresh|^rt$|^jid$/i.test(name) && /^[\w.-]{3,100}$/.test(name)) ??
    (alone.length === 1 ? alone[0] : undefined);
  return cookie === undefined || leaves.length > 0 ? undefined : { type: 'apiKey', in: 'cookie', name: cookie };
}

/** Whether a request, such as a log-out that ends what can be renewed, has the cookie of the renewal and no other credential. */
export const sendsOnly = (request: ImportedRequest, own: OperationSecurity | undefined): boolean =>
  own?.type === 'apiKey' &&
  own.in === 'cookie' &&
  requestCookies(request).includes(own.name) &&
  headerOf(request, /^authorization$/i) === undefined;

type Success = InterfaceDescription['calls']['login']['success'];

/** Where a log-in that answers with a redirect leads to, as far as an answer shows it; not back to itself or to a fault. */
export function loginRedirects(login: ImportedRequest): Success {
  if (login.responses.some(({ status }) => status >= 200 && status < 300)) return undefined;
  const found = login.responses.flatMap(({ status, headers }) => {
    const location = headers.find(([name]) => /^location$/i.test(name))?.[1] ?? '';
    const isBack = /log-?in|sign-?in|error|fail|denied|invalid/i.test(location);
    const isUsable = /^(?:https?:\/\/[^\s/?#\\@]+)?\/(?!\/)[^\s#\\]{0,300}$/.test(location);
    const hasSecret = location.split(/[?&=/]/).some((part) => looksSecret('', part));
    return status >= 300 && status < 400 && isUsable && !isBack && !hasSecret ? [{ status, location }] : [];
  });
  return found.length === 0 ? undefined : found.slice(0, 5);
}
