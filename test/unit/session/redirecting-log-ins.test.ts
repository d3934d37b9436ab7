import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startJsonServer } from '../../support/described-servers.ts';
import type { Main } from '../../support/make-main.ts';
import { filesContaining } from '../../support/temporary-folder.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
const html = { 'Content-Type': 'text/html; charset=utf-8' };
const form = '<!doctype html><title>Log in</title><form method="post"><input type="password" name="password"></form>';

/** How a framework answers a log-in: where success and failure lead, or the form once more. */
type Ways = { success: string; failure: string | 'form'; status?: number; body?: string };

/** A server with sessions in cookies, which everybody has from their first request on. */
async function startServer({ success, failure, status = 302, body = '' }: Ways) {
  const inside = new Set<string>();
  const given: string[] = [];
  const does = { profile: 'well' as 'well' | 'breaks', leads: '/' };
  const server = await startJsonServer(({ target, headers, body: sent }) => {
    const [, held = ''] = /\bsid=([^;]+)/.exec(headers.cookie ?? '') ?? [];
    if (target === '/login') {
      const id = `session-${randomUUID()}`;
      given.push(id);
      const isRight = new URLSearchParams(sent).get('password') === anaForm.password;
      if (isRight) inside.add(id);
      const set = { ...html, 'Set-Cookie': `sid=${id}; Path=/; HttpOnly` };
      if (!isRight && failure === 'form') return { status: 200, body: form, headers: set };
      return { status, body, headers: { ...set, Location: isRight ? success : failure } };
    }
    if (target !== '/me' && target !== '/logout') return { status: 200, body: '<h1>Welcome</h1>', headers: html };
    if (does.profile === 'breaks') return { status: 503, body: { message: 'Maintenance' } };
    if (!inside.has(held)) return { status: 401, body: { message: 'Unauthorized' } };
    if (target === '/me') return { status: 200, body: { id: 1, name: 'Ana', email: anaForm.email } };
    inside.delete(held);
    return { status: 302, headers: { Location: does.leads } };
  });
  return { ...server, given, does };
}

async function mainBy(baseUrl: string, location: string, status = 302): Promise<Main> {
  const { main } = await withPerson({ there: { baseUrl } });
  const text = JSON.stringify({
    name: 'Redirecting',
    calls: {
      login: {
        path: '/login',
        encoding: 'form',
        body: { username: '{{email}}', password: '{{password}}' },
        success: [{ status, location }],
      },
      profile: { path: '/me' },
      logout: { path: '/logout' },
    },
    security: { type: 'apiKey', in: 'cookie', name: 'sid' },
  });
  const edited = { ...entered(main, 'there', {}), id: 'there', enteredInterface: { text, variables: [] } };
  expect(await main.servers.edit(edited)).toMatchObject({ ok: true });
  return main;
}

const step = ({ state }: Main) => state.get().session;

describe.each<[string, Ways]>([
  ['Passport', { success: '/dashboard', failure: '/login', body: 'Found. Redirecting to /dashboard' }],
  [
    'Devise',
    {
      success: '/dashboard',
      failure: 'form',
      status: 303,
      body: '<html><body>You are being redirected.</body></html>',
    },
  ],
  ['Django', { success: '/dashboard', failure: 'form' }],
  ['Spring Security', { success: '/dashboard', failure: '/login?error' }],
])('a log-in that answers with a redirect, as by %s,', (_, ways) => {
  it('is in where its description says, once the profile was read, and follows nothing', async () => {
    const { baseUrl, requests, given } = await startServer(ways);
    const main = await mainBy(baseUrl, '/dashboard', ways.status);
    expect(await main.session.logins.login(anaForm)).toEqual({ ok: true, value: null });
    expect(step(main)).toMatchObject({ step: 'signed-in', user: { name: 'Ana' }, check: { state: 'checked' } });
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['POST /login', 'GET /me']);
    await main.calls.settled();
    const shown = JSON.stringify([main.calls.findAll(all).map(({ id }) => main.calls.get(id)), main.told]);
    for (const id of given) {
      expect(shown).not.toContain(id);
      expect(await filesContaining(main.folder, id)).toEqual([]);
    }
  });

  it('is refused by any other target, and that is a wrong password', async () => {
    const { baseUrl, requests } = await startServer(ways);
    const main = await mainBy(baseUrl, '/dashboard', ways.status);
    const refused = await main.session.logins.login({ ...anaForm, password: 'wrong' });
    expect(refused).toEqual({ ok: false, error: { kind: 'unauthenticated' } });
    expect(main.state.get().sessions).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});

it.each([
  ['/', 'logged-out'],
  ['/login', 'logged-out'],
  ['/logout/', 'logged-out-here-only'],
  ['https://portal.example.test/', 'logged-out-here-only'],
])('a log-out that leads to %s is %s, and nothing is followed', async (leads, kind) => {
  const server = await startServer({ success: '/dashboard', failure: '/login' });
  server.does.leads = leads;
  const main = await mainBy(server.baseUrl, '/dashboard');
  await main.session.logins.login(anaForm);
  expect(await main.session.logOutShown(true)).toEqual({ ok: true, value: null });
  expect(step(main)).toMatchObject({ step: 'signed-out', notice: { kind } });
  expect(server.requests.map(({ target }) => target)).toEqual(['/login', '/me', '/logout']);
  expect(main.state.get().sessions).toHaveLength(kind === 'logged-out' ? 0 : 1);
});

it('is in nowhere without a profile, also where the redirect says yes', async () => {
  const server = await startServer({ success: '/dashboard', failure: '/login' });
  server.does.profile = 'breaks';
  const main = await mainBy(server.baseUrl, '/dashboard');
  expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: false, error: { kind: 'server-fault' } });
  // Success and failure lead to one place: what the description says is not enough.
  const alike = await startServer({ success: '/', failure: '/' });
  const other = await mainBy(alike.baseUrl, '/');
  expect(await other.session.logins.login({ ...anaForm, password: 'wrong' })).toMatchObject({
    ok: false,
    error: { reason: 'fresh-token-refused' },
  });
  for (const each of [main, other]) {
    expect(step(each).step).toBe('signed-out');
    expect(each.state.get().sessions).toEqual([]);
  }
});

it('leaves a redirect to another server or to a path with a slash what it is', async () => {
  const elsewhere = await startServer({ success: 'https://portal.example.test/dashboard', failure: '/login' });
  const main = await mainBy(elsewhere.baseUrl, '/dashboard');
  expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: false, error: { kind: 'not-an-api-answer' } });
  const slash = await startServer({ success: '/login/', failure: '/login/' });
  const other = await mainBy(slash.baseUrl, '/dashboard');
  expect(await other.session.logins.login(anaForm)).toMatchObject({
    error: { kind: 'not-an-api-answer', reason: 'redirect-slash' },
  });
});
