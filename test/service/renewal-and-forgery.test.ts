import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type ClientResult } from '../../main/client/client.ts';
import { createTransport } from '../../main/client/transport.ts';
import type { Credential } from '../../main/interface/credential.ts';
import { formatMockFile } from '../../main/check/mock-generator/generate-mock.ts';
import { parseMockFile } from '../../main/service/mock/load-mock-file.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { measureAndLearn } from '../prove/mocks.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { briefly, learnFrom } from './support/mock-servers.ts';
import { ada } from './support/make-service.ts';
import { described, serviceAt, shipped } from './support/service-at.ts';

type Served = Awaited<ReturnType<typeof serviceAt>>;

const said = (result: ClientResult): string => (result.ok ? 'done' : result.error.kind);

/** What is held of a session after an answer. */
function heldOf({ ok, credential, reading }: ClientResult): Credential {
  expect(ok).toBe(true);
  const { token } = reading?.summary ?? {};
  return { ...(token !== undefined && { token }), ...credential };
}

/** Registers Ada, where the interface has no call for it at the service's own address. */
async function withAda({ baseUrl, client, adapter }: Served): Promise<void> {
  const transport = createTransport({});
  onTestFinished(() => transport.close());
  const [path] = adapter.features.registrations;
  const maker = path === undefined ? createClient({ transport, baseUrl }) : client;
  const registration = { ...ada, path: path ?? 'registro', cpassword: ada.password } as const;
  expect(said(await maker.register(registration))).toBe('done');
}

/** What renews a session: an output, or a cookie for that call alone. */
const renewalOf = ({ outputs, cookies }: Credential): string | undefined =>
  outputs?.['refreshToken'] ?? Object.values(cookies ?? {})[0];

const renewedBy = (held: Credential, value: string): Credential =>
  held.outputs?.['refreshToken'] === undefined
    ? { ...held, cookies: { refresh_token: value } }
    : { ...held, outputs: { ...held.outputs, refreshToken: value } };

/** The way of a session that is renewed, in what our client understands of each answer. */
async function journey({ client, ...served }: Served): Promise<string[]> {
  await withAda({ client, ...served });
  const first = heldOf(await client.login(ada));
  const second = heldOf(await client.refresh(first));
  expect(new Set([first, second].flatMap((held) => [held.token, renewalOf(held)])).size).toBe(4);
  const swapped = renewedBy(second, second.token ?? '');
  return [
    await client.profile(second),
    await client.profile(first),
    await client.refresh(first),
    await client.refresh(renewedBy(first, '1|unknown')),
    // The one is not good for what the other is for.
    await client.refresh(swapped),
    await client.profile({ ...second, token: renewalOf(second) ?? '' }),
    await client.profile(second),
    await client.logout(second),
    await client.refresh(second),
  ].map(said);
}

const whole = ['done', ...Array.from({ length: 5 }, () => 'unauthenticated'), 'done', 'done', 'unauthenticated'];

/** One whose call to renew has a credential of its own. */
const withOwn = (security: object): InterfaceDescription =>
  described({
    calls: {
      register: { path: '/people', body: { email: '{{email}}', password: '{{password}}' } },
      login: { path: '/in', body: { email: '{{email}}', password: '{{password}}' } },
      profile: { path: '/people/{{userId}}' },
      logout: { method: 'DELETE', path: '/in' },
      refresh: { path: '/again', security },
    },
    outputs: {
      ...('value' in security && { refreshToken: '$response.body#/tokens/refresh' }),
      userId: { value: '$response.body#/person/id', secret: false },
    },
  });

const renewed: readonly (readonly [string, () => Promise<InterfaceDescription>])[] = [
  ...['supabase-gotrue', 'keycloak'].map((name) => [name, () => shipped(name)] as const),
  ['one with it in Authorization', async () => withOwn({ type: 'http', scheme: 'Bearer', value: '{{refreshToken}}' })],
  [
    'one with it in a header',
    async () => withOwn({ type: 'apiKey', in: 'header', name: 'X-Refresh', value: '{{refreshToken}}' }),
  ],
  ['one with it in a cookie', async () => withOwn({ type: 'apiKey', in: 'cookie', name: 'refresh_token' })],
];

describe('a session is renewed, once for each refresh token,', () => {
  it.each(renewed)('by the service at %s', async (_name, description) => {
    expect(await journey(await serviceAt(await description()))).toEqual(whole);
  });

  it('by its token alone where the description has no other value for it', async () => {
    const calls = {
      register: { path: '/people', body: { email: '{{email}}', password: '{{password}}' } },
      login: { path: '/in', body: { email: '{{email}}', password: '{{password}}' } },
      profile: { path: '/me' },
      refresh: { path: '/again' },
    };
    const served = await serviceAt(described({ calls }));
    await withAda(served);
    const first = heldOf(await served.client.login(ada));
    const second = heldOf(await served.client.refresh(first));
    const results = [await served.client.profile(second), await served.client.profile(first)];
    results.push(await served.client.refresh(first), await served.client.refresh({ token: 'none' }));
    expect(results.map(said)).toEqual(['done', 'unauthenticated', 'unauthenticated', 'unauthenticated']);
  });

  it('also after the end of its token and after a start, for thirty days', async () => {
    const file = `${await makeTemporaryFolder()}/service.sqlite`;
    const day = 86_400_000;
    const clock = { ms: Date.now() };
    const options = { database: { file }, now: () => clock.ms, tokenLifetimeSeconds: 60 };
    const description = await shipped('supabase-gotrue');
    const before = await serviceAt(description, options);
    await withAda(before);
    const [early, late] = [heldOf(await before.client.login(ada)), heldOf(await before.client.login(ada))];
    await before.close();
    const { client } = await serviceAt(description, options);
    clock.ms += 29 * day;
    expect(said(await client.profile(early))).toBe('unauthenticated');
    expect(said(await client.profile(heldOf(await client.refresh(early))))).toBe('done');
    clock.ms += 2 * day;
    expect(said(await client.refresh(late))).toBe('unauthenticated');
  });

  it.each(renewed)(
    'by a mock server of a server at %s',
    async (_name, descriptionOf) => {
      const description = await descriptionOf();
      const original = await serviceAt(description);
      await withAda(original);
      const account = description.calls.register ? {} : { account: ada };
      const { model: mock } = await measureAndLearn(original.baseUrl, {
        ...briefly,
        ...account,
        interface: description,
      });
      const mockServer = await serviceAt(description, { mock });
      expect(await journey(mockServer)).toEqual(whole);
    },
    60_000,
  );
});

/** What a call is answered without a part of its proof. */
async function withoutProof({ baseUrl }: Served, { csrf }: InterfaceDescription, headers: Record<string, string>) {
  const body = JSON.stringify({ email: ada.email, password: ada.password });
  const { status } = await fetch(`${baseUrl}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  expect(csrf).toBeDefined();
  return status;
}

describe('a call that another page may have sent is refused', () => {
  async function expectRefusals(description: InterfaceDescription, served: Served): Promise<void> {
    await withAda(served);
    const proof = { cookie: 'XSRF-TOKEN=a%3D', 'x-xsrf-token': 'a=' };
    const { cookie } = proof;
    const statuses = [
      {},
      { cookie },
      { 'x-xsrf-token': 'a=' },
      { cookie, 'x-xsrf-token': 'b=' },
      { cookie: 'XSRF-TOKEN=', 'x-xsrf-token': '' },
      proof,
    ].map((headers) => withoutProof(served, description, headers));
    const [last, ...others] = (await Promise.all(statuses)).toReversed();
    expect(others).toEqual([403, 403, 403, 403, 403]);
    expect(last).toBeLessThan(300);
    const held = heldOf(await served.client.login(ada));
    expect(said(await served.client.profile(held))).toBe('done');
    const forged = served.adapter.request('logout', { credential: held });
    const headers = forged.headers.filter(([header]) => header !== 'X-XSRF-TOKEN');
    expect(headers.length).toBe(forged.headers.length - 1);
    const asked = await served.transport.send({ ...forged, headers: [...headers] });
    expect(asked).toMatchObject({ ok: true, response: { status: 403 } });
    expect(said(await served.client.logout(held))).toBe('done');
  }

  it('by the service', async () => {
    const description = await shipped('laravel-breeze');
    await expectRefusals(description, await serviceAt(description));
  });

  it('by a mock server', async () => {
    const { model } = await learnFrom('service', briefly);
    const description = await shipped('laravel-breeze');
    const read = parseMockFile(formatMockFile({ ...model, interface: description }));
    if (!read.ok) throw new Error(read.sentence);
    await expectRefusals(description, await serviceAt(description, { mock: read.model }));
  });

  it('only with a session where no call gives the cookie before one', async () => {
    const { csrf, ...stock } = await shipped('laravel-breeze');
    const description = { ...stock, csrf: { cookie: csrf!.cookie, header: csrf!.header } };
    const served = await serviceAt(description);
    await withAda(served);
    expect(await withoutProof(served, description, {})).toBe(200);
    expect(await withoutProof(served, description, { cookie: 'laravel_session=1' })).toBe(403);
    const held = heldOf(await served.client.login(ada));
    expect(said(await served.client.logout(held))).toBe('done');
  });
});
