import type { CaseId } from '../../preload/contract/report-cases.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { AccountCall } from '../interface/account-calls.ts';
import type { Credential } from '../interface/credential.ts';
import { renewalOutput } from '../interface/refresh-token.ts';
import { findCookie, cookieNamePatterns, operationSecurity } from '../interface/security-schemes.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { PendingLogin } from '../interface/second-factor.ts';
import type { TotpSecret } from '../interface/totp.ts';
import type { PlaceholderValues } from '../interface/template.ts';
import type { HeaderList } from '../client/call.ts';
import type { RequestFields } from './test-accounts.ts';

/** What a request of a case has beside its operation. What is left out is as the API type describes it. */
export type TestRequestOptions = {
  method?: string;
  /** The path below the base URL. */
  path?: string;
  /** The fields, or a body as it is. */
  body?: string | RequestFields;
  token?: string;
  /** The token that `token` was made of: its cookies and other outputs are sent along. */
  tamperedFrom?: string;
  /** The authentication scheme before the token. */
  scheme?: string;
  /** Additional headers. */
  headers?: HeaderList;
  withoutAccept?: boolean;
  encoding?: 'json' | 'form';
  /** The least size of the body in bytes. */
  paddedTo?: number;
  /** Makes it the request that refreshes a session, with this value or with none. */
  renewWith?: { value: string | undefined };
  /** What is wrong with the CSRF header. */
  csrf?: 'missing' | 'wrong';
  /** Makes it a call about the account, with the values of its placeholders. */
  account?: { call: AccountCall; fields: PlaceholderValues; code?: CodeOrigin | undefined };
  /** Instead of the credential of a session. */
  pending?: PendingLogin;
  /** The output or the cookie of the pending login that is sent as the token of a session. */
  pendingValue?: { output: string } | { cookie: string };
};

/** How a code was made: for which account, and of how many time steps ago; or a recovery code. */
export type CodeOrigin = { email: string; secret: TotpSecret } & ({ stepsAgo: number } | { isRecovery: true });

export type TestRequest = TestRequestOptions & {
  /** Decides how the response is parsed, and, without `path`, where the request goes. */
  operation: Operation;
  /** Whether a missing response is a result, too. */
  mayFail?: boolean;
  /** Whether the case tests rate limits, so that a 429 is not waited for. */
  mayBeThrottled?: boolean;
};

/** What a credential lacks for the path of a request, and whether the profile of the session has it. */
export function missingInPath(
  adapter: ApiAdapter,
  { account, operation, path }: Pick<TestRequest, 'account' | 'operation' | 'path'>,
  credential: Credential,
): { output: string; isInProfile: boolean } | undefined {
  if (path !== undefined) return undefined;
  const fault = account ? adapter.accountPathFault(account.call, credential) : adapter.pathFault(operation, credential);
  if (!fault) return undefined;
  const { output, why } = fault;
  return {
    output,
    isInProfile: why === 'missing' && Object.hasOwn(adapter.description.calls.profile.outputs ?? {}, output),
  };
}

/** Encodes a request for the API type of the server, with the credential of its session. */
export function createTestRequest(
  { operation, body, renewWith, csrf, ...options }: TestRequest,
  sessionCredential: Credential,
  adapter: ApiAdapter,
): ReturnType<ApiAdapter['request']> {
  if (options.account) {
    const { call, fields } = options.account;
    return adapter.accountRequest(call, { fields, credential: sessionCredential });
  }
  if (options.pending) return createPendingRequest(operation, options, sessionCredential, adapter);
  const credential = renewWith ? withRefreshToken(sessionCredential, adapter, renewWith.value) : sessionCredential;
  const fields = renewWith ? undefined : body;
  const request = adapter.request(renewWith ? 'refresh' : operation, { ...options, fields, credential });
  const header = adapter.description.csrf?.header.toLowerCase();
  if (csrf === undefined || header === undefined) return request;
  const others = request.headers.filter(([name]) => name.toLowerCase() !== header);
  return { ...request, headers: csrf === 'missing' ? others : [...others, [header, 'llavero-wrong'] as const] };
}

/** Requests the profile with what a pending login has: all of it as it is, or one value as the token of a session. */
export function createPendingRequest(
  operation: Operation,
  { pendingValue, ...options }: Pick<TestRequestOptions, 'pendingValue' | 'headers'>,
  pending: Credential,
  adapter: ApiAdapter,
): ReturnType<ApiAdapter['request']> {
  const { cookies = {}, outputs = {} } = pending;
  if (pendingValue) {
    const value = 'output' in pendingValue ? outputs[pendingValue.output] : cookies[pendingValue.cookie];
    return adapter.request(operation, { credential: adapter.authenticator.withToken({}, value ?? '') });
  }
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const headers = cookie.length > 0 ? [['Cookie', cookie.join('; ')] as const] : [];
  return adapter.request(operation, { ...options, credential: pending, headers });
}

/** The cookie of a credential that refreshes its session, as name and value. */
const refreshCookieOf = ({ cookies = {} }: Credential, { description }: ApiAdapter) =>
  findCookie(cookies, cookieNamePatterns(operationSecurity(description, 'refresh')));

/** The value that refreshes a session; undefined where the server gave none. */
export function refreshTokenIn(credential: Credential, adapter: ApiAdapter): string | undefined {
  const [, cookie] = refreshCookieOf(credential, adapter) ?? [];
  if (cookie !== undefined) return cookie;
  const name = renewalOutput(adapter.description);
  return name === 'token' ? credential.token : credential.outputs?.[name ?? ''];
}

function withRefreshToken(credential: Credential, adapter: ApiAdapter, value: string | undefined): Credential {
  const name = renewalOutput(adapter.description);
  if (name === undefined) return credential;
  const [cookie] = refreshCookieOf(credential, adapter) ?? [];
  if (cookie !== undefined) {
    const { [cookie]: _replaced, ...jar } = credential.cookies ?? {};
    return { ...credential, cookies: value === undefined ? jar : { ...jar, [cookie]: value } };
  }
  if (name === 'token') {
    const { token: _replaced, ...others } = credential;
    return value === undefined ? others : { ...credential, token: value };
  }
  const { [name]: _replaced, ...others } = credential.outputs ?? {};
  return { ...credential, outputs: value === undefined ? others : { ...others, [name]: value } };
}

/** Equal for requests of one case that differ only in names, passwords and tokens, which are new each time. */
export function requestFingerprint(
  { operation, method, path, headers, body, token, paddedTo, renewWith, csrf, account }: TestRequest,
  caseId: CaseId | undefined,
): string {
  const sent = (typeof body === 'string' ? body : JSON.stringify(body))
    ?.replaceAll(/[0-9a-f]{16}/g, '…')
    .replaceAll(/("c?password":)"([^"]*)"/g, (_all, name: string, value: string) => `${name}${value.length}`);
  const tokenForm = token?.replaceAll(/[A-Za-z]/g, 'a').replaceAll(/\d/g, '0');
  const refreshLength = renewWith && (renewWith.value?.length ?? 0);
  const accountForm = account && [account.call, Object.keys(account.fields)];
  const all = [caseId, operation, method, path, headers, sent, tokenForm, paddedTo, refreshLength, csrf, accountForm];
  return JSON.stringify(all);
}
