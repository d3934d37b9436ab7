import { parseCredentialFor, serializeCredential } from '../../main/account/sessions/credential-store.ts';
import { createClient, type ClientResult } from '../../main/client/client.ts';
import { createTransport } from '../../main/client/transport.ts';
import { createIdentity, type TestAccount } from '../../main/check/test-accounts.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';

/** What came of one step: `done`, or the kind of its error. */
const said = (result: ClientResult): string => (result.ok ? 'done' : result.error.kind);

/**
 * The whole way of a person by a description, with an end of the application after the profile: what came of each step.
 * @param account whose way it is where the interface makes none
 */
export async function journey(
  description: InterfaceDescription,
  baseUrl: string,
  account?: TestAccount,
): Promise<Record<string, string>> {
  const adapter = new ApiAdapter(description, baseUrl);
  const [path] = adapter.features.registrations;
  const made = { ...createIdentity('example.test'), ...(path === undefined && account) };
  const ana = { ...made, cpassword: made.password };
  const steps: Record<string, string> = {};
  const first = createTransport({});
  const second = createTransport({});
  try {
    const client = createClient({ transport: first, baseUrl, adapter });
    steps['register'] = path ? said(await client.register({ ...ana, path })) : 'none';
    steps['taken email'] = path ? said(await client.register({ ...ana, path })) : 'none';
    steps['wrong password'] = said(await client.login({ ...ana, password: `${ana.password}-not` }));
    const login = await client.login(ana);
    steps['log in'] = said(login);
    const { token = '', ...more } = login.credential ?? {};
    const profile = await client.profile({ token, ...more });
    steps['profile'] = profile.reading?.summary.user?.email === ana.email ? said(profile) : 'somebody else';
    // As the vault keeps it for a next start.
    const where = { serverId: 'there', baseUrl };
    const kept = parseCredentialFor(serializeCredential({ token, ...more, ...turned(profile) }, where), where) ?? {};
    const next = createClient({ transport: second, baseUrl, adapter: new ApiAdapter(description, baseUrl) });
    const again = await next.profile(kept);
    steps['restart'] = said(again);
    const held = { ...kept, ...turned(again) };
    steps['log out'] = adapter.features.logout ? said(await next.logout(held)) : 'none';
    steps['profile after it'] = adapter.features.logout ? said(await next.profile(held)) : 'none';
    steps['another token'] = said(await next.profile(adapter.authenticator.withToken({}, 'no-such-token', held)));
    return steps;
  } finally {
    first.close();
    second.close();
  }
}

/** What an answer turned of what a session is kept by. */
const turned = ({ credential }: ClientResult): { token?: string } => credential ?? {};

/** What the steps come to at a server that does as it should. */
export const wantedSteps = ({ calls }: InterfaceDescription): Record<string, string> => ({
  register: calls.register ? 'done' : 'none',
  'taken email': calls.register ? 'validation' : 'none',
  'wrong password': 'unauthenticated',
  'log in': 'done',
  profile: 'done',
  restart: 'done',
  'log out': calls.logout ? 'done' : 'none',
  'profile after it': calls.logout ? 'unauthenticated' : 'none',
  'another token': 'unauthenticated',
});
