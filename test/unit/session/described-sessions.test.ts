import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommandForm } from '../../../preload/contract/calls.ts';
import { RunOptions } from '../../../preload/contract/report.ts';
import { ok } from '../../../preload/contract/result.ts';
import { shippedInterfaces } from '../../../main/interface/shipped.ts';
import {
  startBetterAuth,
  startDeviseLike,
  startGoTrueLike,
  startJsonServer,
  startLaravelLike,
} from '../../support/described-servers.ts';
import type { Main, MainOptions } from '../../support/make-main.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

const apikey = 'anon-key-of-the-project';
const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;

/** Gives the server of a test a description that comes with the application. */
async function describeServer(main: Main, shipped: string, variables: Record<string, string> = {}) {
  const { text } = (await shippedInterfaces()).find(({ id }) => id === shipped)!;
  const values = Object.entries(variables).map(([name, value]) => ({ name, value }));
  const enteredInterface = { text, variables: values };
  return main.servers.edit({ ...entered(main, 'there', {}), id: 'there', enteredInterface });
}

async function mainAt(
  baseUrl: string,
  shipped: string,
  options: MainOptions & { variables?: Record<string, string> } = {},
) {
  const person = await withPerson({ there: { baseUrl } }, options);
  expect(await describeServer(person.main, shipped, options.variables)).toMatchObject({ ok: true });
  return person;
}

const step = ({ state }: Main) => state.get().session;
const kept = async ({ vault }: Main): Promise<string[]> =>
  (await vault.findCredentials('app.llavero.desktop/there')).map(({ password }) => password);

describe('a session by a description, at better-auth', () => {
  it.each([
    { shipped: 'better-auth', withBearer: false },
    { shipped: 'better-auth-bearer', withBearer: true },
  ])('is made, confirmed after a start and ended: $shipped', async ({ shipped, withBearer }) => {
    const { baseUrl } = await startBetterAuth({ withBearer });
    const store = {};
    const folder = await makeTemporaryFolder();
    const { main } = await mainAt(baseUrl, shipped, { store, folder });
    expect(await main.session.logins.register({ ...anaForm, path: 'registro' })).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({
      step: 'signed-in',
      user: { email: anaForm.email },
      check: { state: 'checked' },
    });
    const { main: next } = await withPerson({ there: { baseUrl } }, { store, folder });
    expect(await next.session.restore()).toMatchObject({ ok: true });
    expect(step(next)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(await next.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(step(next)).toMatchObject({ step: 'signed-out', notice: { kind: 'logged-out' } });
    expect(await next.session.logins.login({ ...anaForm, password: 'wrong password' })).toMatchObject({ ok: false });
    expect(await next.session.logins.login(anaForm)).toMatchObject({ ok: true });
    // The server ends it, and says so with 200 and null.
    const [text = '{}'] = await kept(next);
    expect(text).toContain(withBearer ? '"token"' : '"cookies":{"better-auth.session_token"');
  });
});

describe('a session that is a cookie, with one against forged requests', () => {
  it('follows both as every answer turns them, also over a start', async () => {
    const server = await startLaravelLike();
    const store = {};
    const folder = await makeTemporaryFolder();
    const { main } = await mainAt(server.baseUrl, 'laravel-breeze', { store, folder });
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ step: 'signed-in', user: { name: 'Ana' }, check: { state: 'checked' } });
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect((await kept(main))[0]).toContain(server.given.at(-2));
    const { main: next } = await withPerson({ there: server }, { store, folder });
    expect(await next.session.restore()).toMatchObject({ ok: true });
    expect(await next.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(step(next)).toMatchObject({ notice: { kind: 'logged-out' } });
    expect(server.requests.filter(({ headers }) => headers.cookie?.includes('seen'))).toEqual([]);
  });

  it('is named where the server has no description, with those that fit', async () => {
    const server = await startLaravelLike();
    const { main } = await withPerson({ there: server });
    expect(await main.session.logins.login(anaForm)).toEqual({
      ok: false,
      error: { kind: 'session-in-cookie', fits: ['Laravel Breeze API or Fortify, cookie session'] },
    });
  });

  it('is in nothing that is shown, kept in clear, copied or handed on', async () => {
    const server = await startLaravelLike();
    const { main, file } = await mainAt(server.baseUrl, 'laravel-breeze');
    const out = await makeTemporaryFolder();
    await main.session.logins.login(anaForm);
    await main.session.checkShown();
    await main.calls.settled();
    const said: unknown[] = [];
    for (const { id } of main.calls.findAll(all)) {
      said.push(main.calls.get(id));
      for (const form of CommandForm.options)
        said.push(await main.handlers.calls.copy({ id, form, secrets: 'variables' }));
    }
    await main.replay.replay(main.calls.findAll(all).find(({ request }) => request.method === 'GET')!.id, undefined);
    file.chosen = path.join(out, 'calls.har');
    await main.handlers.calls.exportHar({ filter: all });
    file.chosen = path.join(out, 'servers.json');
    await main.servers.exportFile();
    said.push(await main.handlers.storage.diagnostics(undefined));
    await main.calls.settled();
    await expectNowhere(main, out, said, server.given);
  });
});

it('a session is made of a cookie that was pasted, with its name and beside others, and of one that was copied here', async () => {
  const { baseUrl } = await startBetterAuth({ withBearer: false });
  const headers = { 'Content-Type': 'application/json', Origin: baseUrl };
  const made = await fetch(`${baseUrl}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(anaForm),
  });
  const [, value = ''] = /better-auth\.session_token=([^;]+)/.exec(made.headers.get('set-cookie') ?? '') ?? [];
  expect(value.length).toBeGreaterThan(20);
  for (const pasted of [
    `better-auth.session_token=${value}`,
    ` Cookie: seen=1; better-auth.session_token=${value};\n`,
    made.headers.get('set-cookie') ?? '',
  ]) {
    const { main } = await mainAt(baseUrl, 'better-auth');
    expect(await main.session.logins.loginWithToken({ token: pasted })).toEqual(ok(null));
    expect(step(main)).toMatchObject({
      step: 'signed-in',
      user: { email: anaForm.email },
      check: { state: 'checked' },
    });
    const [text = '{}'] = await kept(main);
    expect(JSON.parse(text)).toMatchObject({ cookies: { 'better-auth.session_token': value } });
    expect(text).not.toContain('seen');
    await main.calls.settled();
    await expectNowhere(main, await makeTemporaryFolder(), main.calls.findAll(all), [value, decodeURIComponent(value)]);
  }
  const { main } = await mainAt(baseUrl, 'better-auth');
  // By its value alone it has no name here, which the answer's hint asks for.
  for (const token of [value, `other_cookie=${value}`, 'better-auth.session_token=none'])
    expect(await main.session.logins.loginWithToken({ token })).toMatchObject({
      error: { reason: 'pasted-token-refused' },
    });
  expect(await main.session.logins.loginWithToken({ token: 'better-auth.session_token=\u20ac' })).toMatchObject({
    error: { reason: 'token-unsendable' },
  });
  expect(main.state.get().sessions).toEqual([]);
});

it('a session whose token every answer turns is followed, over blank ones and a start, to its end', async () => {
  const server = await startDeviseLike();
  const store = {};
  const folder = await makeTemporaryFolder();
  const { main } = await mainAt(server.baseUrl, 'devise-token-auth', { store, folder });
  expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
  server.does.batch = true;
  expect(await main.session.checkShown()).toMatchObject({ ok: true });
  server.does.batch = false;
  expect(await main.session.checkShown()).toMatchObject({ ok: true });
  expect(new Set(server.given).size).toBe(3);
  expect((await kept(main))[0]).toContain(server.given.at(-1));
  const { main: next } = await withPerson({ there: server }, { store, folder });
  expect(await next.session.restore()).toMatchObject({ ok: true });
  expect(await next.session.logOutShown(true)).toMatchObject({ ok: true });
  expect(step(next)).toMatchObject({ notice: { kind: 'logged-out' } });
  expect(server.given.at(-1)).toBe('');
  expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE', target: '/auth/sign_out' });
});

it('an email that a server gives as the id of its headers is no secret, and what comes with it is one', async () => {
  const server = await startDeviseLike();
  const store = {};
  const folder = await makeTemporaryFolder();
  const { main } = await withPerson({ there: server }, { store, folder });
  const { text } = (await shippedInterfaces()).find(({ id }) => id === 'devise-token-auth')!;
  const outputs = {
    token: '$response.header.Authorization',
    uid: '$response.header.uid',
    client: '$response.header.client',
  };
  const described = { ...JSON.parse(text), outputs, headers: { uid: '{{uid}}', client: '{{client}}' } };
  const enteredInterface = { text: JSON.stringify(described), variables: [] };
  await main.servers.edit({ ...entered(main, 'there', {}), id: 'there', enteredInterface });
  expect(await main.session.logins.login({ ...anaForm, email: 'Ana@example.test' })).toMatchObject({ ok: true });
  const { main: next } = await withPerson({ there: server }, { store, folder });
  expect(await next.session.restore()).toMatchObject({ ok: true });
  expect(await next.session.checkShown()).toMatchObject({ ok: true });
  for (const { calls } of [main, next]) {
    await calls.settled();
    const profile = calls.findAll(all).find(({ request }) => JSON.stringify(request.url).includes('validate_token'));
    const shown = JSON.stringify(calls.get(profile!.id));
    expect(shown).toContain(`\\"email\\":\\"${anaForm.email}\\"`);
    expect(server.requests.at(-1)?.headers).toMatchObject({ uid: anaForm.email, client: server.client });
    await expectNowhere(
      next,
      await makeTemporaryFolder(),
      [calls.findAll(all), shown],
      [...server.given, server.client],
    );
  }
});

/** No value stands in what the window was told, in a file of the application, or in one that it wrote. */
async function expectNowhere(main: Main, out: string, said: unknown[], values: readonly string[]): Promise<void> {
  const everything = JSON.stringify([said, main.told, main.steps, main.copied, main.store, main.state.get()]);
  expect(values.length).toBeGreaterThan(1);
  for (const value of values) {
    expect(everything).not.toContain(value);
    expect(await filesContaining(main.folder, value)).toEqual([]);
    expect(await filesContaining(out, value)).toEqual([]);
  }
}

describe('a session that can be renewed', () => {
  const hour = 3_600_000;
  async function signedIn() {
    const clock = { at: Date.parse('2026-11-21T10:00:00Z') };
    const server = await startGoTrueLike();
    const store = {};
    const folder = await makeTemporaryFolder();
    const ports = { now: () => new Date(clock.at) };
    const person = await mainAt(server.baseUrl, 'supabase-gotrue', { store, folder, ports, variables: { apikey } });
    expect(await person.main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    return { ...person, clock, server, store, folder, ports };
  }
  const refreshes = ({ requests }: Awaited<ReturnType<typeof startGoTrueLike>>) =>
    requests.filter(({ target }) => target.endsWith('refresh_token')).length;

  it('is renewed once before a call near its end, and says when', async () => {
    const { main, clock, server } = await signedIn();
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(refreshes(server)).toBe(0);
    clock.at += hour - 60_000;
    // Nobody is told of an end that the application keeps away.
    expect(main.sessionStore.list()).toMatchObject([{ renews: true, expiryState: undefined }]);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(refreshes(server)).toBe(1);
    const [session] = main.state.get().sessions;
    expect(session).toMatchObject({ renewedAt: new Date(clock.at).toISOString() });
    expect(session?.expiryState).toBeUndefined();
    expect((await kept(main)).join('\n')).toContain(server.given.at(-1));
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(refreshes(server)).toBe(1);
    const out = await makeTemporaryFolder();
    await main.calls.settled();
    await expectNowhere(main, out, main.calls.findAll(all), [...server.given, apikey]);
  });

  it('is renewed before its server is told of a logout, also where it was logged out with all others', async () => {
    const { main, clock, server } = await signedIn();
    clock.at += 2 * hour;
    server.over();
    expect(await main.session.logoutEverywhere()).toMatchObject({
      ok: true,
      value: { serverNotified: 1, pendingLogouts: 0 },
    });
    expect(server.requests.slice(-2).map(({ target }) => target)).toEqual([
      '/auth/v1/token?grant_type=refresh_token',
      '/auth/v1/logout?scope=local',
    ]);
    expect(server.ended()).toBe(true);
    expect(main.state.get().sessions).toEqual([]);
  });

  it('goes on where the renewal fails, and ends where it is refused', async () => {
    const { main, clock, server } = await signedIn();
    clock.at += hour - 60_000;
    server.does.refresh = 'busy';
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(step(main).step).toBe('signed-in');
    server.does.refresh = 'refuse';
    expect(await main.session.checkShown()).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(step(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'session-ended' } });
    expect(await kept(main)).toEqual([apikey].map((value) => expect.stringContaining(value)));
  });

  it('goes on after a renewal whose answer was lost, and is told of that where the old keys were used up', async () => {
    const { main, clock, server } = await signedIn();
    clock.at += hour - 60_000;
    server.does.refresh = 'lose-answer';
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(step(main).step).toBe('signed-in');
    server.does.refresh = 'renew';
    // A second use of the old keys would end the session at servers that rotate, while its token is still good.
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(refreshes(server)).toBe(1);
    server.over();
    expect(await main.session.checkShown()).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(step(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'renewal-lost' } });
  });

  it('is told to log in again after a start, where the application ended before the new keys were kept', async () => {
    const { main, clock, server, store, folder } = await signedIn();
    const [id] = Object.keys(main.config.get().sessions);
    main.sessionStore.change({ put: [{ session: { ...main.sessionStore.find(id)!, renewing: true } }] });
    await main.config.flushWithBackup();
    server.lose();
    clock.at += hour - 60_000;
    const ports = { now: () => new Date(clock.at) };
    const { main: next } = await withPerson({ there: server }, { store, folder, ports });
    await next.session.restore();
    expect(step(next)).toMatchObject({ step: 'signed-out', notice: { kind: 'renewal-lost' } });
  });

  it('ends with the description by which it was made, once the person agreed', async () => {
    const { main, server, kinds, answers } = await signedIn();
    answers.connection = false;
    expect(await describeServer(main, 'keycloak')).toMatchObject({ ok: false });
    expect(main.state.get().sessions).toHaveLength(1);
    answers.connection = true;
    main.prompts.onMenuActivation();
    expect(await describeServer(main, 'keycloak')).toMatchObject({ ok: true, value: { ended: 1, pendingLogouts: 0 } });
    expect(kinds().filter((kind) => kind === 'connection')).toHaveLength(2);
    expect(server.requests.at(-1)?.target).toBe('/auth/v1/logout?scope=local');
    expect(main.state.get().sessions).toEqual([]);
    expect(await kept(main)).toEqual([]);
  });
});

it('a session of a server without a logout is forgotten here, and that is said', async () => {
  const server = await startGoTrueLike();
  const { main } = await withPerson({ there: server });
  const { text } = (await shippedInterfaces()).find(({ id }) => id === 'supabase-gotrue')!;
  const enteredInterface = {
    text: text.replace(/"logout": \{[^}]*\}/, '"logout": null'),
    variables: [{ name: 'apikey', value: apikey }],
  };
  await main.servers.edit({ ...entered(main, 'there', {}), id: 'there', enteredInterface });
  await main.session.logins.login(anaForm);
  const asked = server.requests.length;
  expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
  expect(step(main)).toMatchObject({ notice: { kind: 'logged-out-no-way-to-tell' } });
  expect(main.state.get().sessions).toEqual([]);
  expect(server.requests).toHaveLength(asked);
});

it('a check of the window goes by the description of its server', async () => {
  const { baseUrl } = await startBetterAuth({ withBearer: true });
  const { main } = await mainAt(baseUrl, 'better-auth-bearer');
  const options = RunOptions.parse({ callsPerSecond: 100, only: ['login.answer', 'profile.answer'] });
  expect(await main.checks.start({ serverId: 'there', options })).toMatchObject({ ok: true });
  await expect.poll(() => main.checks.state()).toMatchObject({ value: { running: undefined } });
  await main.calls.settled();
  const asked = main.calls.findAll(all).flatMap(({ request }) => request.url);
  expect(asked).toContain(`${baseUrl}/api/auth/sign-in/email`);
  expect(asked.filter((url) => typeof url === 'string' && url.includes('/api/v1/'))).toEqual([]);
});

describe('a session by a description, whose profile tells of nobody', () => {
  const text = { 'Content-Type': 'text/plain' };
  const page = { status: 200, body: '<html><title>Welcome</title></html>', headers: { 'Content-Type': 'text/html' } };
  const noToken = { status: 401, body: { message: 'No token provided!' } };
  type Said = { status: number; body?: unknown; headers?: Record<string, string> };

  async function logInWhere(within: Said, without: Said, isOwn = false) {
    const token = 'a-token-that-is-long-enough';
    const server = await startJsonServer(({ target, headers }) => {
      if (target.endsWith('/login')) return { status: 200, body: { token } };
      return headers.authorization === `Bearer ${token}` ? within : without;
    });
    const { main } = await withPerson({ there: server });
    const body = { email: '{{email}}', password: '{{password}}' };
    const described = { name: 'Small', calls: { login: { path: '/login', body }, profile: { path: '/whoAmI' } } };
    const enteredInterface = { text: isOwn ? '' : JSON.stringify(described), variables: [] };
    const edited = await main.servers.edit({ ...entered(main, 'there', {}), id: 'there', enteredInterface });
    expect(edited).toMatchObject({ ok: true });
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    return { main, server };
  }

  it.each<[string, Said, Said]>([
    ['a text', { status: 200, body: 'User Content.', headers: text }, noToken],
    ['a bare id', { status: 200, body: '6650a1b2c3d4e5f60718293b', headers: text }, noToken],
    ['a number', { status: 200, body: '7' }, { status: 403, body: { message: 'Forbidden' } }],
    ['true', { status: 200, body: 'true' }, { status: 403 }],
    ['OK', { status: 200, body: 'OK', headers: text }, { status: 302, headers: { Location: '/login' } }],
    ['nothing', { status: 204 }, noToken],
    ['an object', { status: 200, body: { status: 'ok' } }, { status: 200, body: 'Unauthorized', headers: text }],
    ['a list of several', { status: 200, body: [{ firstname: 'Dave' }, { firstname: 'John' }] }, noToken],
  ])('is confirmed where the same call without the token is refused, and stays who logged in: %s', async (...said) => {
    const [, within, without] = said;
    const { main } = await logInWhere(within, without);
    expect(step(main)).toMatchObject({
      step: 'signed-in',
      user: { email: anaForm.email },
      check: { state: 'checked' },
    });
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({
      step: 'signed-in',
      user: { email: anaForm.email },
      check: { state: 'checked' },
    });
  });

  const welcome = { status: 200, body: 'Welcome!', headers: text };
  const blocked = { status: 403, body: '<html><title>Blocked</title></html>' };
  it.each<[string, Said, Said]>([
    ['answered just so', welcome, welcome],
    ['answered with another text', welcome, { ...welcome, body: 'Hello!' }],
    ['refused by a page', welcome, blocked],
    ['not found', welcome, { status: 404, body: { message: 'Not found' } }],
    ['not answered well', welcome, { status: 500, body: { message: 'Server Error' } }],
    ['refused, as words refuse it with the token', { ...welcome, body: 'Access denied' }, noToken],
    ['refused, and with the token it is a page', page, noToken],
    ['refused, and with the token it is broken JSON', { status: 200, body: '{"id": 7' }, noToken],
    ['refused, and with the token it failed', { status: 200, body: 'false' }, noToken],
  ])('is not confirmed where the same call without the token is %s', async (_case, within, without) => {
    const { main } = await logInWhere(within, without);
    expect(step(main)).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
  });

  it("is not confirmed so at Llavero's own interface, and nothing more is asked", async () => {
    const { main, server } = await logInWhere(welcome, noToken, true);
    expect(step(main)).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
    expect(server.requests).toHaveLength(2);
  });
});
