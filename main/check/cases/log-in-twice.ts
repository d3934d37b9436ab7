import type { TestAccount } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';

/** A token that says when it was made does so in whole seconds, so the next second gives another one. */
const nextSecondMs = 1_100;

/**
 * Logs in twice and returns both tokens, undefined where a login issued none. If they are equal, it logs in once more a
 * second later: tokens without randomness are equal until then.
 */
export async function logInTwice(
  client: TestClient,
  { email, password }: TestAccount,
): Promise<[first: string | undefined, second: string | undefined]> {
  const tokenOfLogin = async (): Promise<string | undefined> =>
    (await client.login(email, password)).reading.summary.token;
  const first = await tokenOfLogin();
  const second = await tokenOfLogin();
  if (first === undefined || first !== second) return [first, second];
  await client.pause(nextSecondMs);
  return [first, await tokenOfLogin()];
}
