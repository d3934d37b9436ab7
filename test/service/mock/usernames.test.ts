import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { measureAndLearn } from '../../prove/mocks.ts';
import { startMock, haste } from '../support/mock-servers.ts';
import { startJson, type JsonAnswer } from '../support/json-server.ts';
import { described } from '../support/service-at.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 60_000 });

type Sent = Record<string, string | undefined>;
type Account = { id: string; username: string; email: string; password: string };

type Rules = {
  /** The member of a log-in that says who it is. */
  loginMember: string;
  /** Finds an account by that. */
  isKnownBy: (account: Account, sent: string) => boolean;
  takesTwoOfOneName: boolean;
};

/** Starts a server whose accounts have a user name, as the tutorials of Express with JSON Web Tokens write one. */
function startByUsername({ loginMember, isKnownBy, takesTwoOfOneName }: Rules): Promise<string> {
  const accounts: Account[] = [];
  const tokens = new Map<string, Account>();
  function answerTo(path: string, sent: Sent, token: string): JsonAnswer {
    if (path === 'POST /signup') {
      const { username, email, password } = sent;
      if (!username || !email || !password) return [400, { message: 'username, email and password are needed' }];
      if (!takesTwoOfOneName && accounts.some((each) => each.username === username))
        return [400, { message: 'Failed! Username is already in use!' }];
      if (accounts.some((each) => each.email === email)) return [400, { message: 'Failed! Email is already in use!' }];
      accounts.push({ id: randomUUID(), username, email, password });
      return [200, { message: 'User was registered successfully!' }];
    }
    if (path === 'POST /signin') {
      const account = accounts.find((each) => isKnownBy(each, sent[loginMember] ?? ''));
      if (!account) return [404, { message: 'User Not found.' }];
      if (account.password !== sent['password']) return [401, { accessToken: null, message: 'Invalid Password!' }];
      const accessToken = randomUUID();
      tokens.set(accessToken, account);
      const { id, username, email } = account;
      return [200, { id, username, email, roles: ['ROLE_USER'], accessToken }];
    }
    const account = tokens.get(token);
    if (path !== 'GET /me') return [404, { message: 'Not found' }];
    return account ? [200, { id: account.id, username: account.username }] : [401, { message: 'Unauthorized!' }];
  }
  return startJson(({ path, body, header }) => answerTo(path, body, header('authorization').replace('Bearer ', '')));
}

const zoe = { username: 'zoe', email: 'zoe@example.test', password: 'correct horse 9' };
const bea = { username: 'bea', email: 'bea@example.test', password: 'another horse 9' };

/** What a client sees of user names, at a server and at its mock server. */
async function waysAt(baseUrl: string, loginMember: string): Promise<unknown[]> {
  const post = async (path: string, body: object): Promise<[number, Record<string, unknown>]> => {
    const answered = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [answered.status, (await answered.json()) as Record<string, unknown>];
  };
  const gist = ([status, { message, username, email, accessToken }]: Awaited<ReturnType<typeof post>>) => [
    status,
    message,
    username,
    email,
    typeof accessToken,
  ];
  const { password } = zoe;
  const registered = await post('/signup', zoe);
  const loggedIn = await post('/signin', { [loginMember]: 'zoe', password });
  const profile = await fetch(`${baseUrl}/me`, {
    headers: { authorization: `Bearer ${String(loggedIn[1]['accessToken'])}` },
  });
  return [
    gist(registered),
    gist(await post('/signup', { ...bea, username: 'zoe' })),
    gist(await post('/signup', { ...bea, email: zoe.email, username: 'zed' })),
    gist(loggedIn),
    [profile.status, Reflect.get((await profile.json()) as object, 'username')],
    gist(await post('/signin', { [loginMember]: zoe.email, password })),
    gist(await post('/signin', { [loginMember]: 'zoe', password: bea.password })),
    gist(await post('/signin', { [loginMember]: 'nobody', password })),
    gist(await post('/signin', { email: zoe.email, password })),
    gist(await post('/signin', { [loginMember]: 'ZOE', password })),
  ];
}

const byMembers = (loginMember: string, names: 'username' | 'email'): InterfaceDescription =>
  described({
    calls: {
      register: {
        path: '/signup',
        body: { username: `{{${names}}}`, email: '{{email}}', password: '{{password}}' },
      },
      login: { path: '/signin', body: { [loginMember]: `{{${names}}}`, password: '{{password}}' } },
      profile: { path: '/me' },
    },
    outputs: { token: '$response.body#/accessToken' },
  });

const byName = (account: Account, sent: string): boolean => account.username === sent;
const byEither = (account: Account, sent: string): boolean => [account.username, account.email].includes(sent);

describe('the mock server of a server whose accounts have a user name', () => {
  it.each([
    ['logs in by that alone', { loginMember: 'username', isKnownBy: byName }, 'username'],
    ['logs in by that alone, described from a command', { loginMember: 'username', isKnownBy: byName }, 'email'],
    ['logs in by either, under one name', { loginMember: 'username', isKnownBy: byEither }, 'username'],
    ['logs in by either, under another name', { loginMember: 'identifier', isKnownBy: byEither }, 'email'],
    ['takes a name twice', { loginMember: 'username', isKnownBy: byName, takesTwoOfOneName: true }, 'username'],
  ] as const)('which %s knows accounts as it does', async (_case, rules, names) => {
    const baseUrl = await startByUsername({ takesTwoOfOneName: false, ...rules });
    const { model } = await measureAndLearn(baseUrl, {
      ...haste,
      interface: byMembers(rules.loginMember, names),
      options: {
        only: [
          'registration.repeated-email',
          'login.right-credentials',
          'login.wrong-password',
          'login.unknown-email',
          'login.email-spelling',
          'login.fields',
          'profile.served',
          'token.missing',
        ],
      },
    });
    const mockServer = await startMock(model);
    expect(await waysAt(mockServer.baseUrl, rules.loginMember)).toEqual(await waysAt(baseUrl, rules.loginMember));
  });
});
