import type { CodeMethod } from '../../preload/contract/interface.ts';
import type { ApiAdapter } from './api-adapter.ts';
import type { Credential } from './credential.ts';
import type { PendingLogin } from './second-factor.ts';

/**
 * The session's credential after an accepted code. If the response has neither token nor session cookie, it is what the
 * pending login has: the code has made a session of that (Appwrite, Laravel Fortify).
 * @param detected the token of the response if no output names it, with its path
 */
export function credentialAfterCode(
  adapter: ApiAdapter,
  method: CodeMethod,
  response: Parameters<ApiAdapter['credentialAfter']>[1],
  { credential: pending }: Pick<PendingLogin, 'credential'>,
  detected: { token?: string | undefined; path?: string | undefined } = {},
): Credential {
  const name = `code.${method}` as const;
  const { authenticator, description } = adapter;
  const cookies = authenticator.withoutSession(pending.cookies);
  const issued = authenticator.withDetectedToken(
    adapter.credentialAfter(name, response, { cookies }),
    detected.token,
    detected.path,
  );
  if (issued.token !== undefined) return issued;
  const { calls, outputs } = description;
  const ofSession = { ...outputs, ...calls.login.outputs, ...calls.profile.outputs };
  const kept = Object.entries(pending.outputs ?? {}).filter(([output]) => Object.hasOwn(ofSession, output));
  return adapter.credentialAfter(name, response, { ...pending, outputs: Object.fromEntries(kept) });
}
