import type { InterfaceDescription, OperationSecurity } from '../../../preload/contract/interface.ts';
import { isRefreshName } from '../../interface/refresh-token.ts';
import { leavesOf } from './infer-body.ts';
import { looksSecret } from './description-draft.ts';
import {
  cookieName,
  requestCookies,
  authorizationHeader,
  isSessionCookie,
  type ImportedRequest,
} from './imported-request.ts';

const value = '{{refreshToken}}';
const isRefreshToken = (text: string, token: string | undefined): boolean =>
  isRefreshName(text.replaceAll(/[{}$\s]/g, '')) || (token !== undefined && text === token);

/** Whether the text itself shows that a request carries the session's credential. */
const showsCredential = ({ headers, security = [] }: ImportedRequest): boolean =>
  headers.some(([name]) => /^(?:authorization|cookie)$|token|session|jwt/i.test(name)) ||
  security.flat().some(({ why }) => why !== 'usual');

/**
 * The security of a refresh call. Without the refresh token in its body, it is in `Authorization` (Flask-JWT-Extended), in a
 * header of its own, or in a cookie. With it, there is no credential unless the text shows one (RFC 6749, 6): a server such
 * as Directus refuses an access token that has expired.
 * @param known the refresh token in an example of the log-in response
 * @param isByHeader whether another request of the text carries a token in `Authorization`
 */
export function inferRefreshSecurity(
  refresh: ImportedRequest | undefined,
  login: ImportedRequest | undefined,
  known: string | undefined,
  isByHeader: boolean,
): OperationSecurity | undefined {
  if (refresh === undefined) return undefined;
  const leaves = leavesOf(refresh.body);
  if (leaves.some(({ means, member }) => means === 'refresh' || (known !== undefined && member.value === known)))
    return showsCredential(refresh) ? undefined : { type: 'none' };
  const [, scheme, rest = ''] = /^([\w-]{1,50})\s+(\S+)$/.exec(authorizationHeader(refresh)) ?? [];
  if (scheme !== undefined && isRefreshToken(rest, known)) return { type: 'http', scheme, value };
  const header = refresh.headers.find(
    ([name, text]) => text !== '' && /token|jwt/i.test(name) && isRefreshName(name.replace(/^x-/i, '')),
  );
  if (header) return { type: 'apiKey', in: 'header', name: header[0], value };
  const documented = refresh.security?.flat().find(({ renews }) => renews)?.security;
  if (documented && documented.type !== 'none') {
    return documented.type === 'apiKey' && documented.in === 'cookie' ? documented : { ...documented, value };
  }
  const set = login?.responses.filter(({ status }) => status >= 200 && status < 400) ?? [];
  const cookies = [
    ...refresh.headers.filter(([name]) => /^cookie$/i.test(name)).flatMap(([, text]) => text.split(';')),
    ...set.flatMap(({ headers }) =>
      headers.filter(([name]) => /^set-cookie$/i.test(name)).flatMap(([, text]) => text.split('\n')),
    ),
  ].map(cookieName);
  // If sessions use a header, a session cookie of the refresh call alone is the refresh token.
  const alone = isByHeader && scheme === undefined ? requestCookies(refresh).filter(isSessionCookie) : [];
  const cookie =
    cookies.find((name) => /refresh|^rt$|^jid$/i.test(name) && /^[\w.-]{3,100}$/.test(name)) ??
    (alone.length === 1 ? alone[0] : undefined);
  return cookie === undefined || leaves.length > 0 ? undefined : { type: 'apiKey', in: 'cookie', name: cookie };
}

/** Whether the cookie of the refresh call is the only credential of a request, such as a logout. */
export const sendsOnly = (request: ImportedRequest, own: OperationSecurity | undefined): boolean =>
  own?.type === 'apiKey' &&
  own.in === 'cookie' &&
  requestCookies(request).includes(own.name) &&
  authorizationHeader(request) === '';

type Success = InterfaceDescription['calls']['login']['success'];

/** The redirects of successful log-ins in example responses, without those to a log-in page or an error. */
export function loginRedirects(login: ImportedRequest): Success {
  if (login.responses.some(({ status }) => status >= 200 && status < 300)) return undefined;
  const redirects = login.responses.flatMap(({ status, headers }) => {
    const location = headers.find(([name]) => /^location$/i.test(name))?.[1] ?? '';
    const isBack = /log-?in|sign-?in|error|fail|denied|invalid/i.test(location);
    const isUsable = /^(?:https?:\/\/[^\s/?#\\@]+)?\/(?!\/)[^\s#\\]{0,300}$/.test(location);
    const hasSecret = location.split(/[?&=/]/).some((part) => looksSecret('', part));
    return status >= 300 && status < 400 && isUsable && !isBack && !hasSecret ? [{ status, location }] : [];
  });
  return redirects.length === 0 ? undefined : redirects.slice(0, 5);
}
