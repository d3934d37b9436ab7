import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accountAdapter } from '../support/account-check.ts';
import { createCheck } from '../support/run-check.ts';
import { startJsonServer } from '../../support/described-servers.ts';

type Account = { username: string; email: string; password: string };

/** A server with the API of djoser, and whose accounts differ in what `isTaken` says. Its logins are by user name. */
async function startServer(isTaken: (one: Account, other: Account) => boolean) {
  const accounts: Account[] = [];
  const tokens = new Map<string, Account>();
  let registered = 0;
  const { baseUrl } = await startJsonServer(({ method, target, headers, body }) => {
    const sent = (body.startsWith('{') ? JSON.parse(body) : {}) as Record<string, unknown>;
    const { username, email, password } = sent;
    const call = `${method} ${target}`;
    if (call === 'POST /auth/users/') {
      if (typeof username !== 'string' || typeof email !== 'string' || typeof password !== 'string')
        return { status: 400, body: { username: ['This field is required.'] } };
      const account = { username, email, password };
      if (accounts.some((each) => isTaken(each, account)))
        return { status: 400, body: { username: ['A user with that username already exists.'] } };
      accounts.push(account);
      registered += 1;
      return { status: 201, body: { id: registered, username, email } };
    }
    if (call === 'POST /auth/token/login/') {
      const account = accounts.find((each) => each.username === username && each.password === password);
      if (!account) return { status: 400, body: { non_field_errors: ['Unable to log in with provided credentials.'] } };
      const token = randomUUID();
      tokens.set(token, account);
      return { status: 200, body: { auth_token: token } };
    }
    const account = tokens.get(headers.authorization?.replace('Token ', '') ?? '');
    if (!account || !accounts.includes(account)) return { status: 401, body: { detail: 'Invalid token.' } };
    if (call === 'DELETE /auth/users/me/') {
      if (sent['current_password'] !== account.password) return { status: 400, body: {} };
      accounts.splice(accounts.indexOf(account), 1);
      return { status: 204 };
    }
    return { status: 200, body: { username: account.username, email: account.email } };
  });
  return { baseUrl, accounts, registered: () => registered };
}

describe('the accounts of a check at a server with user names', () => {
  it.each([
    ['takes an email for a second user name', (one: Account, other: Account) => one.username === other.username],
    ['takes a user name twice', (one: Account, other: Account) => one.email === other.email],
    ['takes both twice', () => false],
  ])('are all counted and deleted where it %s', async (_how, isTaken) => {
    const { baseUrl, accounts, registered } = await startServer(isTaken);
    const adapter = await accountAdapter('djoser', baseUrl);
    const only = ['registration.repeated-email' as const];
    const report = await createCheck(baseUrl, { adapter, options: { accounts: 12, only } }).start();
    expect(accounts.map(({ username, email }) => ({ username, email }))).toEqual([]);
    expect(report.cleanup).toEqual({ created: registered(), deleted: registered(), left: [] });
    expect(report.accounts).toHaveLength(registered());
  });

  it('are counted again where one is registered again after its deletion', async () => {
    const { baseUrl, accounts, registered } = await startServer((one, other) => one.username === other.username);
    const adapter = await accountAdapter('djoser', baseUrl);
    const only = ['deletion.registering-again' as const];
    const report = await createCheck(baseUrl, { adapter, options: { only } }).start();
    expect(accounts).toEqual([]);
    expect(report.cleanup).toEqual({ created: registered(), deleted: registered(), left: [] });
  });
});
