import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startBetterAuth, startJsonServer } from '../../support/described-servers.ts';
import type { Main } from '../../support/make-main.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, registerAna, withPerson } from '../../support/with-person.ts';

const { email, password } = anaForm;
const newPassword = 'another horse battery';

const textOf = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, `../../../main/interface/shipped/${name}.json`), 'utf8');

async function mainAt(baseUrl: string, text: string, folder?: string): Promise<Main> {
  const { main } = await withPerson({ there: { baseUrl } }, folder === undefined ? {} : { folder });
  const edited = await main.servers.edit({
    ...entered(main, 'there', {}),
    id: 'there',
    enteredInterface: { text, variables: [] },
  });
  expect(edited).toMatchObject({ ok: true });
  return main;
}

async function atBetterAuth() {
  const mails: { to: string; code?: string }[] = [];
  const { baseUrl } = await startBetterAuth({ mails });
  const folder = await makeTemporaryFolder();
  const main = await mainAt(baseUrl, textOf('better-auth'), folder);
  await registerAna(main);
  const [session] = main.sessionStore.all();
  return { main, mails, folder, id: session!.id, baseUrl };
}

const shown = ({ state }: Main) => state.get().session;

describe('the account at better-auth', () => {
  it('gets a new password, and the session goes on with its new cookie', async () => {
    const { main, id, folder } = await atBetterAuth();
    const { changePassword } = main.handlers.sessions;
    expect(await changePassword({ id, password: 'wrong horse', newPassword })).toMatchObject({
      ok: false,
      error: { kind: 'validation', message: 'Invalid password' },
    });
    const before = await main.session.tokenOf(id);
    expect(await changePassword({ id, password, newPassword })).toEqual({ ok: true, value: { ended: false } });
    expect(await main.session.tokenOf(id)).not.toBe(before);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(await main.session.logins.login({ email, password })).toMatchObject({ ok: false });
    expect(await main.session.logins.login({ email, password: newPassword })).toMatchObject({ ok: true });
    await main.calls.settled();
    const recorded = main.calls
      .findAll({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false })
      .map((each) => main.calls.getWithBodies(each.id));
    const seen = JSON.stringify([recorded, main.told]);
    expect(seen).toContain('/change-password');
    await main.application.close();
    for (const value of [password, newPassword])
      expect({ files: await filesContaining(folder, value), isSeen: seen.includes(value) }).toEqual({
        files: [],
        isSeen: false,
      });
  });

  it('is deleted with all its sessions here, for who types its email', async () => {
    const { main, id } = await atBetterAuth();
    await main.session.logins.login({ email, password });
    expect(main.sessionStore.all()).toHaveLength(2);
    const { deleteAccount } = main.handlers.sessions;
    expect(await deleteAccount({ id, typed: 'ana@example', password })).toMatchObject({ error: { kind: 'not-now' } });
    expect(await deleteAccount({ id, typed: email, password: 'wrong horse' })).toMatchObject({ ok: false });
    expect(main.sessionStore.all()).toHaveLength(2);
    expect(await deleteAccount({ id, typed: ` ${email} `, password })).toEqual({ ok: true, value: null });
    expect(main.sessionStore.all()).toEqual([]);
    expect(shown(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'account-deleted' } });
    expect(await main.session.logins.login({ email, password })).toMatchObject({ ok: false });
  });

  it('has emails sent, and what is answered does not depend on who has an account', async () => {
    const { main, mails } = await atBetterAuth();
    const { forgotPassword, resendConfirmation } = main.handlers.session;
    for (const account of [email, 'nobody@example.test', 'no email']) {
      expect(await forgotPassword({ account })).toEqual({ ok: true, value: null });
      expect(await resendConfirmation({ account })).toEqual({ ok: true, value: null });
    }
    expect(mails).toEqual([{ to: email }, { to: email }]);
  });

  it('is asked for by its host first on a production server', async () => {
    const { main, id } = await atBetterAuth();
    const there = entered(main, 'there', {});
    expect(await main.servers.edit({ ...there, id: 'there', production: true })).toMatchObject({ ok: true });
    const refused = { ok: false, error: { kind: 'production-not-confirmed' } };
    expect(await main.handlers.sessions.changePassword({ id, password, newPassword })).toMatchObject(refused);
    expect(await main.handlers.sessions.deleteAccount({ id, typed: email, password })).toMatchObject(refused);
  });
});

/** The default API with a call to change the password. */
const described = JSON.stringify({
  name: 'Own',
  calls: {
    login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
    profile: { path: '/me' },
    changePassword: { path: '/password', body: { new: '{{newPassword}}' } },
    forgotPassword: { path: '/forgot', body: { email: '{{email}}' } },
  },
});

it('the session that a server ends with its password is removed, and the form says so', async () => {
  let isOver = false;
  const server = await startJsonServer(({ target }) => {
    if (target === '/login') return { status: 200, body: { token: '7|secret-of-the-session', user: { id: 1, email } } };
    if (target === '/me' && isOver) return { status: 401, body: { message: 'Unauthenticated.' } };
    if (target === '/me') return { status: 200, body: { id: 1, name: 'Ana', email } };
    isOver = target === '/password';
    return { status: 204 };
  });
  const main = await mainAt(server.baseUrl, described);
  expect(await main.session.logins.login({ email, password })).toMatchObject({ ok: true });
  const [session] = main.sessionStore.all();
  const changed = await main.handlers.sessions.changePassword({ id: session!.id, password: '', newPassword });
  expect(changed).toEqual({ ok: true, value: { ended: true } });
  expect(shown(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'password-changed' } });
  expect(JSON.parse(server.requests.find(({ target }) => target === '/password')!.body)).toEqual({ new: newPassword });
  await main.calls.settled();
  const all = main.calls.findAll({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false });
  const recorded = JSON.stringify(all.map(({ id }) => main.calls.getWithBodies(id)));
  expect(recorded).toContain('/password');
  // No member name tells that this one is a secret.
  expect(recorded).not.toContain(newPassword);
});

it('a password may have changed unless a response refuses that', async () => {
  let status = 504;
  const server = await startJsonServer(({ target }) => {
    if (target === '/login') return { status: 200, body: { token: '7|secret-of-the-session', user: { id: 1, email } } };
    if (target === '/me') return { status: 200, body: { id: 1, name: 'Ana', email } };
    return { status, body: { message: 'Not now.' } };
  });
  const main = await mainAt(server.baseUrl, described);
  expect(await main.session.logins.login({ email, password })).toMatchObject({ ok: true });
  const { id } = main.sessionStore.all()[0]!;
  const change = async () => main.handlers.sessions.changePassword({ id, password: '', newPassword });
  expect(await change()).toMatchObject({ ok: false, error: { perhapsDone: true } });
  status = 422;
  const refused = await change();
  expect(refused).toMatchObject({ ok: false, error: { kind: 'validation' } });
  expect(refused).not.toMatchObject({ error: { perhapsDone: true } });
});

it('a log-out does not interrupt the change of a password', async () => {
  const held = Promise.withResolvers<void>();
  const server = await startJsonServer(async ({ target }) => {
    if (target === '/login') return { status: 200, body: { token: '7|secret-of-the-session', user: { id: 1, email } } };
    if (target === '/me') return { status: 200, body: { id: 1, name: 'Ana', email } };
    await held.promise;
    return { status: 204 };
  });
  const main = await mainAt(server.baseUrl, described);
  expect(await main.session.logins.login({ email, password })).toMatchObject({ ok: true });
  const { id } = main.sessionStore.all()[0]!;
  const changed = main.handlers.sessions.changePassword({ id, password: '', newPassword });
  await vi.waitFor(() => expect(server.requests.map(({ target }) => target)).toContain('/password'));
  expect(await main.session.logOutShown(true)).toMatchObject({ ok: false, error: { kind: 'not-now' } });
  held.resolve();
  expect(await changed).toEqual({ ok: true, value: { ended: false } });
});

it('an account with a user name is deleted for who types it as it is', async () => {
  const byUsername = JSON.stringify({
    name: 'Own',
    calls: {
      login: { path: '/login', body: { username: '{{username}}', password: '{{password}}' } },
      profile: { path: '/me' },
      deleteAccount: { method: 'DELETE', path: '/me' },
    },
  });
  const server = await startJsonServer(({ target, method }) => {
    if (target === '/login') return { status: 200, body: { token: '7|secret-of-the-session' } };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { id: 1, username: 'ana@shop.', name: 'Ana' } };
  });
  const main = await mainAt(server.baseUrl, byUsername);
  expect(await main.session.logins.login({ email: 'ana@shop.', password })).toMatchObject({ ok: true });
  const { id } = main.sessionStore.all()[0]!;
  const deleted = await main.handlers.sessions.deleteAccount({ id, typed: 'ana@shop.', password: '' });
  expect(deleted).toEqual({ ok: true, value: null });
  expect(main.sessionStore.all()).toEqual([]);
});

it.each([404, 422, 429, 500])('a request for an email is answered alike after %d', async (status) => {
  const server = await startJsonServer(() => ({ status, body: { message: 'There is no such user.' } }));
  const main = await mainAt(server.baseUrl, described);
  expect(await main.handlers.session.forgotPassword({ account: email })).toEqual({ ok: true, value: null });
});
