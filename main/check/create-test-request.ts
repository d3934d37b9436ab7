import type { Credential } from '../interface/credential.ts';
import { renewalOutput } from '../interface/refresh-token.ts';
import { findCookie, cookieNamePatterns, operationSecurity } from '../interface/security-schemes.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { TestRequest } from './crash-detection.ts';

/** Makes the request of a call, with what is held for its token. */
export function createTestRequest(
  wanted: TestRequest,
  held: Credential,
  adapter: ApiAdapter,
): ReturnType<ApiAdapter['request']> {
  const { operation, body, renewWith, csrf, ...said } = wanted;
  const name = renewalOutput(adapter.description);
  const cookies = cookieNamePatterns(operationSecurity(adapter.description, 'refresh'));
  const credential = renewWith && name !== undefined ? renewedWith(held, { name, cookies }, renewWith.value) : held;
  const fields = renewWith ? undefined : body;
  const request = adapter.request(renewWith ? 'refresh' : operation, { ...said, fields, credential });
  const header = adapter.description.csrf?.header.toLowerCase();
  if (csrf === undefined || header === undefined) return request;
  const others = request.headers.filter(([each]) => each.toLowerCase() !== header);
  return { ...request, headers: csrf === 'missing' ? others : [...others, [header, 'llavero-wrong'] as const] };
}

/** The same credential with another value to renew it by. */
function renewedWith(
  held: Credential,
  { name, cookies }: { name: string; cookies: readonly string[] },
  value: string | undefined,
): Credential {
  const [cookie] = findCookie(held.cookies ?? {}, cookies) ?? [];
  if (cookie !== undefined) {
    const { [cookie]: _renewal, ...jar } = held.cookies ?? {};
    return { ...held, cookies: value === undefined ? jar : { ...jar, [cookie]: value } };
  }
  if (name === 'token') {
    const { token: _token, ...others } = held;
    return value === undefined ? others : { ...held, token: value };
  }
  const { [name]: _value, ...others } = held.outputs ?? {};
  return { ...held, outputs: value === undefined ? others : { ...others, [name]: value } };
}

/** What a person typed to be known by. A user name that nobody chose is the beginning of the email. */
export function loginIdentifiersIn(fields: TestRequest['body']): unknown[] {
  if (typeof fields !== 'object') return [];
  const { email, username, name } = fields;
  return [email, username, name, ...(typeof email === 'string' ? [email.split('@', 1)[0]] : [])];
}
