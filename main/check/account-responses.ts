import type { AccountCall } from '../interface/account-calls.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { evaluateOutputs, parseLoginBody } from '../interface/credential.ts';
import { isRecord, type PlainJson } from '../interface/template.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { TransportResponse } from '../client/call.ts';
import type { TestRequest } from './test-request.ts';

type Response = Pick<TransportResponse, 'status' | 'rawHeaders' | 'body'>;

/** How the response to a call about the account is parsed: only a code begins a session. */
export const operationOfAccountCall = (call: AccountCall): 'login' | 'logout' =>
  call.startsWith('code.') ? 'login' : 'logout';

/** The values of the outputs of a call's own response. */
export const accountOutputsIn = (adapter: ApiAdapter, call: AccountCall, response: Response): Record<string, string> =>
  evaluateOutputs(adapter.accountOutputs(call), response, parseLoginBody(response.body));

/** Base32 of at least 80 bits. */
const base32 = /^[A-Z2-7]{16,}=*$/;
/** A word of a list may be a recovery code; a shorter one may be any word. */
const listedCode = /^[^\s@:/]{6,100}$/;

/**
 * Everything in the response of an enrollment that may be a secret of the factor, whatever its name: `otpauth:` URLs with
 * their secrets, Base32, and words in lists, of which a description names one at most.
 */
function factorSecretsIn(body: string): string[] {
  const found: string[] = [];
  function walk(value: PlainJson | undefined, isListed: boolean): void {
    if (typeof value === 'string') {
      const isUrl = /^otpauth:/i.test(value);
      if (isUrl) found.push(URL.parse(value)?.searchParams.get('secret') ?? '');
      if (isUrl || base32.test(value) || (isListed && listedCode.test(value))) found.push(value);
    } else if (Array.isArray(value)) for (const each of value) walk(each, true);
    else if (isRecord(value)) for (const each of Object.values(value)) walk(each, isListed);
  }
  walk(parseLoginBody(body), false);
  return found.filter((value) => value !== '');
}

/** Registers what a call about the account sends and receives for redaction, whatever its members are called. */
export function registerAccountSecrets(
  secretRegistry: SecretRegistry,
  adapter: ApiAdapter,
  { call, fields }: NonNullable<TestRequest['account']>,
  response?: Response,
): void {
  const sent = ['code', 'secret', 'password', 'newPassword'].map((name) => [name, fields[name]] as const);
  for (const [name, value] of sent)
    if (typeof value === 'string' && value !== '')
      secretRegistry.register(value, name.toLowerCase().endsWith('password') ? 'password' : 'other');
  if (!response) return;
  const outputs = Object.entries(accountOutputsIn(adapter, call, response));
  for (const [name, value] of outputs) if (!adapter.publicOutputs.has(name)) secretRegistry.register(value, 'other');
  if (call.startsWith('enrollment.'))
    for (const value of factorSecretsIn(response.body)) secretRegistry.register(value, 'other');
}
