import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startJsonServer } from '../../support/described-servers.ts';
import type { Main } from '../../support/make-main.ts';
import { filesContaining } from '../../support/temporary-folder.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
const fixture = (name: string): Promise<string> =>
  readFile(path.join(import.meta.dirname, `../../fixtures/interfaces/${name}.interface.json`), 'utf8');

async function mainBy(baseUrl: string, text: string): Promise<Main> {
  const { main } = await withPerson({ there: { baseUrl } });
  const enteredInterface = { text, variables: [] };
  expect(await main.servers.edit({ ...entered(main, 'there', {}), id: 'there', enteredInterface })).toMatchObject({
    ok: true,
  });
  return main;
}

const step = ({ state }: Main) => state.get().session;
const person = { id: 'RECORD_ID0', name: 'Ana', email: anaForm.email };
const unauthorized = { status: 401, body: { message: 'The request requires valid record authorization token.' } };

describe('the answer to the profile', () => {
  it('renews the token of a session, as PocketBase does it, and the old one is not sent again', async () => {
    let turns = 0;
    const given = (): string => `token-of-pocketbase-${turns}`;
    const server = await startJsonServer(({ target, headers }) => {
      const isLogin = target === '/api/collections/users/auth-with-password';
      if (!isLogin && headers.authorization !== `Bearer ${given()}`) return unauthorized;
      turns += 1;
      return { status: 200, body: { token: given(), record: person } };
    });
    const main = await mainBy(server.baseUrl, await fixture('pocketbase'));
    expect(await main.session.logins.login(anaForm)).toEqual({ ok: true, value: null });
    expect(step(main)).toMatchObject({ step: 'signed-in', user: { id: person.id }, check: { state: 'checked' } });
    for (let check = 0; check < 3; check += 1) expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ check: { state: 'checked' } });
    const kept = await main.vault.findCredentials('app.llavero.desktop/there');
    expect(kept.map(({ password }) => password).join('\n')).toContain(given());
    await main.calls.settled();
    expect(JSON.stringify([main.calls.findAll(all), main.told])).not.toContain('token-of-pocketbase');
    expect(await filesContaining(main.folder, 'token-of-pocketbase')).toEqual([]);
  });

  it('gives an id that the log-out has in its path', async () => {
    const server = await startJsonServer(({ target, headers, method }) => {
      if (target === '/login') return { status: 200, body: { token: 'opaque-token-1' } };
      if (headers.authorization !== 'Bearer opaque-token-1') return unauthorized;
      if (target === '/me') return { status: 200, body: { data: { ...person, sid: 42 } } };
      return { status: `${method} ${target}` === 'DELETE /sessions/42' ? 204 : 404 };
    });
    const main = await mainBy(
      server.baseUrl,
      JSON.stringify({
        name: 'Sessions by number',
        calls: {
          login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
          profile: { path: '/me', outputs: { sid: { value: '$response.body#/data/sid', secret: false } } },
          logout: { method: 'DELETE', path: '/sessions/{{sid}}' },
        },
      }),
    );
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'logged-out' } });
    expect(main.state.get().sessions).toEqual([]);
    await main.calls.settled();
    // It is no secret: what was asked is shown as it was.
    expect(JSON.stringify(main.calls.findAll(all))).toContain('/sessions/42');
  });
});

describe('an id that a log-in gives', () => {
  const description = JSON.stringify({
    name: 'Records',
    calls: {
      login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
      profile: { path: '/records/{{userId}}' },
      logout: { path: '/records/{{userId}}/out' },
    },
    outputs: { userId: { value: '$response.body#/id', secret: false } },
  });
  const startRecords = (id: unknown) =>
    startJsonServer(({ target }) =>
      target === '/login'
        ? { status: 200, body: { token: 'opaque-token-of-records', id } }
        : { status: target.startsWith('/records/RECORD_ID0') ? 200 : 404, body: person },
    );

  it('is in the path of the profile', async () => {
    const server = await startRecords(person.id);
    const main = await mainBy(server.baseUrl, description);
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /login',
      'GET /records/RECORD_ID0',
    ]);
  });

  it.each([
    ['../../admin', 'unsafe'],
    ['..', 'unsafe'],
    ['a/b', 'unsafe'],
    ['%2e%2e%2fadmin', 'unsafe'],
    ['opaque-token-of-records', 'unsafe'],
    ['x'.repeat(201), 'unsafe'],
    ['', 'missing'],
    [{ $ne: null }, 'missing'],
    [undefined, 'missing'],
  ])('steers no call, and what is missing is said: %j', async (id, why) => {
    const server = await startRecords(id);
    const main = await mainBy(server.baseUrl, description);
    await main.session.logins.login(anaForm);
    const error = { kind: 'path-value', output: 'userId', why };
    expect(step(main)).toMatchObject({ step: 'signed-in', check: { state: 'unchecked', error } });
    expect(await main.session.checkShown()).toEqual({ ok: false, error });
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ notice: { kind: 'logged-out-no-way-to-tell' } });
    expect(server.requests.map(({ target }) => target)).toEqual(['/login']);
  });
});

it('a session of two headers, as Rocket.Chat has it, sends the id that is no secret beside its token', async () => {
  const [token, userId] = ['9HqLlyZOugoStsXCUfD_0YdwnNnunAJF8V47U3QHXSq', 'aobEdbYhXfu5hkeqG'];
  const server = await startJsonServer(({ target, headers }) => {
    if (target === '/api/v1/login')
      return { status: 200, body: { status: 'success', data: { userId, authToken: token } } };
    const isHeld = headers['x-auth-token'] === token && headers['x-user-id'] === userId;
    if (!isHeld) return { status: 401, body: { status: 'error', message: 'You must be logged in to do this.' } };
    return {
      status: 200,
      body: target === '/api/v1/me' ? { ...person, _id: userId, success: true } : { status: 'success' },
    };
  });
  const main = await mainBy(server.baseUrl, await fixture('rocket-chat'));
  expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
  expect(step(main)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
  await main.calls.settled();
  const shown = JSON.stringify(main.calls.findAll(all).map(({ id }) => main.calls.get(id)));
  expect(shown).toContain(userId);
  expect(shown).not.toContain(token);
  expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
  expect(step(main)).toMatchObject({ notice: { kind: 'logged-out' } });
});
