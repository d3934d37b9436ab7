import { isAccountCall } from './account-calls.ts';
import type { AnyCall, ApiAdapter } from './api-adapter.ts';
import { credentialSecrets, evaluateOutputs, parseLoginBody } from './credential.ts';

/**
 * The secret values of a response that become part of no session: those of a pending login, and the outputs of a call about
 * the account. Servers name their members as they like, so that only the description tells them.
 */
export function responseSecrets(
  adapter: ApiAdapter,
  name: AnyCall,
  response: { status: number; rawHeaders: readonly (readonly [name: string, value: string])[]; body: string },
): string[] {
  if (isAccountCall(name)) {
    const outputs = evaluateOutputs(adapter.accountOutputs(name), response, parseLoginBody(response.body));
    return Object.entries(outputs).flatMap(([output, value]) => (adapter.publicOutputs.has(output) ? [] : [value]));
  }
  if (name !== 'login' && name !== 'profile') return [];
  const pending = adapter.secondFactor.pendingLogin(name, response);
  return pending ? credentialSecrets({ ...pending.credential, typed: [...adapter.publicOutputs] }) : [];
}
