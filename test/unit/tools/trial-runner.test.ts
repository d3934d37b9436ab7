import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import { filesContaining } from '../../support/temporary-folder.ts';
import { anaForm, entered, defaultConnection, withPerson } from '../../support/with-person.ts';

const description = {
  name: 'Small',
  calls: {
    register: { path: '/users', body: { email: '{{email}}', password: '{{password}}' } },
    login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
    profile: { path: '/me' },
    logout: { path: '/logout' },
  },
};
const enteredInterface = { text: JSON.stringify(description), variables: [] };

/** A server with accounts and sessions, and a call that waits where a test says so. */
async function startSmall() {
  const accounts = new Map([[anaForm.email, anaForm.password]]);
  const sessions = new Map<string, string>();
  const waits: { at?: string; reached: PromiseWithResolvers<void> } = { reached: Promise.withResolvers<void>() };
  const server = await startJsonServer(async ({ target, headers, body }) => {
    if (waits.at === target) {
      waits.reached.resolve();
      await new Promise(() => undefined);
    }
    const sent: { email: string; password: string } = JSON.parse(body === '' ? '{}' : body);
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (target === '/users') {
      accounts.set(sent.email, sent.password);
      return { status: 201, body: { id: 2 } };
    }
    if (target === '/login') {
      if (accounts.get(sent.email) !== sent.password) return { status: 401, body: { error: 'Bad credentials' } };
      const issued = `token-${randomUUID()}`;
      sessions.set(issued, sent.email);
      return { status: 200, body: { token: issued } };
    }
    const email = sessions.get(token);
    if (email === undefined) return { status: 401, body: { error: 'Unauthenticated' } };
    if (target === '/logout') sessions.delete(token);
    return { status: 200, body: target === '/me' ? { id: 1, email } : {} };
  });
  return { ...server, accounts, sessions, waits };
}

const madeUp = { is: 'made-up' } as const;
const typed = { is: 'typed', email: anaForm.email, password: anaForm.password } as const;

async function trying(addresses: Parameters<typeof withPerson>[0] = {}) {
  const small = await startSmall();
  const person = await withPerson(addresses);
  const wanted = {
    address: small.baseUrl,
    enteredConnection: defaultConnection,
    enteredInterface,
    production: false,
    account: typed,
  };
  return { small, ...person, wanted, interfaces: person.main.handlers.interfaces };
}

describe('a trial of a description', () => {
  it('logs in, reads whose session it is, logs out, and keeps nothing but its calls', async () => {
    const { small, main, wanted, interfaces, kinds } = await trying();
    const before = main.state.get();
    const tried = await interfaces.runTrial(wanted);
    expect(tried).toMatchObject({
      ok: true,
      value: {
        works: true,
        whose: anaForm.email,
        calls: [
          { call: 'login', method: 'POST', path: '/login', status: 200 },
          { call: 'profile', method: 'GET', path: '/me', status: 200 },
          { call: 'logout', method: 'POST', path: '/logout', status: 200 },
        ],
        proposals: [],
      },
    });
    expect(kinds()).toEqual(['new-origin']);
    expect(small.sessions.size).toBe(0);
    expect(main.state.get()).toEqual(before);
    const first = tried.ok ? tried.value.calls[0]?.callId : undefined;
    await main.calls.settled();
    expect(main.calls.get(first ?? '')).toMatchObject({ ok: true, value: { response: { status: 200 } } });
    await main.application.close();
    expect(await filesContaining(main.folder, anaForm.password)).toEqual([]);
  });

  it('with a made-up account is asked about each time, and tells the account that stays', async () => {
    const { small, wanted, interfaces, asked, answers } = await trying();
    answers['try-made-up'] = false;
    expect(await interfaces.runTrial({ ...wanted, account: madeUp })).toEqual({
      ok: false,
      error: { kind: 'cancelled' },
    });
    expect(small.requests).toEqual([]);
    const { host } = new URL(small.baseUrl);
    expect(asked).toMatchObject([{ kind: 'new-origin' }, { kind: 'try-made-up', host, production: false }]);
  });

  it('with a made-up account registers once, and logs out of what it made', async () => {
    const { small, wanted, interfaces } = await trying();
    const tried = await interfaces.runTrial({ ...wanted, account: madeUp });
    expect(tried).toMatchObject({ ok: true, value: { works: true, created: expect.stringMatching(/@example\.com$/) } });
    expect(small.requests.map(({ target }) => target)).toEqual(['/users', '/login', '/me', '/logout']);
    const created = tried.ok ? (tried.value.created ?? '') : '';
    expect([...small.accounts.keys()]).toEqual([anaForm.email, created]);
    expect(small.sessions.size).toBe(0);
  });

  it('with a made-up account is refused where the description has no registration', async () => {
    const { small, wanted, interfaces } = await trying();
    const { register: _, ...calls } = description.calls;
    const text = JSON.stringify({ ...description, calls });
    const without = { ...wanted, enteredInterface: { text, variables: [] }, account: madeUp };
    expect(await interfaces.runTrial(without)).toEqual({ ok: false, error: { kind: 'not-now' } });
    expect(small.requests).toEqual([]);
  });

  it('sends nothing while a variable has no value, and names it', async () => {
    const { small, wanted, interfaces } = await trying();
    const text = JSON.stringify({
      ...description,
      headers: { 'X-Api-Key': '{{apiKey}}' },
      variables: { apiKey: { secret: true } },
    });
    const variables = (value: string) => ({ text, variables: [{ name: 'apiKey', value }] });
    expect(await interfaces.runTrial({ ...wanted, enteredInterface: variables('') })).toEqual({
      ok: false,
      error: { kind: 'invalid-interface', faults: [{ problem: 'missing', at: 'variables', name: 'apiKey' }] },
    });
    expect(small.requests).toEqual([]);
    expect(await interfaces.runTrial({ ...wanted, enteredInterface: variables('k3y') })).toMatchObject({
      value: { works: true },
    });
    expect(small.requests[0]?.headers['x-api-key']).toBe('k3y');
  });

  it('tries a wrong password once', async () => {
    const { small, wanted, interfaces } = await trying();
    const tried = await interfaces.runTrial({ ...wanted, account: { ...typed, password: 'a wrong password' } });
    expect(tried).toMatchObject({
      ok: true,
      value: { works: false, calls: [{ status: 401, error: { kind: 'unauthenticated' } }], proposals: [] },
    });
    expect(small.requests).toHaveLength(1);
  });

  it('proposes the other guess for a field that the import guessed, and tries it in no press of its own', async () => {
    const { small, wanted, interfaces } = await trying();
    const body = { username: '{{username}}', password: '{{password}}' };
    const text = JSON.stringify({ ...description, calls: { ...description.calls, login: { path: '/login', body } } });
    const guesses = [{ at: 'calls.login.body', why: 'usual' }] as const;
    const by = (guessed: InterfaceGuess[]) =>
      interfaces.runTrial({ ...wanted, enteredInterface: { text, variables: [], guesses: guessed } });
    const proposal = { at: 'calls.login.body', value: 'username → email: {{email}}' };
    expect(await by([...guesses])).toMatchObject({ ok: true, value: { proposals: [proposal] } });
    expect(await by([])).toMatchObject({ ok: true, value: { proposals: [] } });
    expect(small.requests).toHaveLength(2);
  });

  it('asks at production for the host, of a server that is saved or not', async () => {
    const { small, main, wanted, interfaces } = await trying();
    const { host } = new URL(small.baseUrl);
    const refused = (serverId: string) => ({ ok: false, error: { kind: 'production-not-confirmed', serverId, host } });
    expect(await interfaces.runTrial({ ...wanted, production: true })).toEqual(refused(''));
    expect(main.servers.production.confirm('', 'another')).toMatchObject({ ok: false });
    expect(small.requests).toEqual([]);
    expect(main.servers.production.confirm('', host)).toEqual({ ok: true, value: null });
    expect(await interfaces.runTrial({ ...wanted, production: true })).toMatchObject({
      ok: true,
      value: { works: true },
    });
  });

  it('counts a host as production that a saved server says is', async () => {
    const small = await startSmall();
    const { main } = await withPerson({ there: small });
    await main.servers.edit({ ...entered(main, 'there', {}), id: 'there', production: true });
    const { host } = new URL(small.baseUrl);
    const wanted = { address: `${small.baseUrl}/v2`, enteredInterface, production: false, account: typed };
    for (const id of ['there', undefined]) {
      const refused = { kind: 'production-not-confirmed', serverId: id ?? '', host };
      expect(await main.handlers.interfaces.runTrial({ ...wanted, ...(id && { id }) })).toEqual({
        ok: false,
        error: refused,
      });
    }
    expect(small.requests).toEqual([]);
  });

  it('that is cancelled logs out of the session that it made', async () => {
    const { small, wanted, interfaces } = await trying();
    small.waits.at = '/me';
    const underWay = interfaces.runTrial(wanted);
    await small.waits.reached.promise;
    expect(await interfaces.runTrial(wanted)).toEqual({ ok: false, error: { kind: 'not-now' } });
    expect(interfaces.cancelTrial()).toEqual({ ok: true, value: {} });
    expect(await underWay).toMatchObject({
      ok: true,
      value: { works: false, calls: [{ call: 'login' }, { error: { kind: 'cancelled' } }, { call: 'logout' }] },
    });
    expect(small.sessions.size).toBe(0);
  });
});

describe('what is a guess of a saved description', () => {
  const guesses = [{ at: 'security', why: 'usual' }, { at: 'calls.profile' }] as const;

  async function saved(open: readonly InterfaceGuess[] = guesses) {
    const { small, main, wanted, interfaces } = await trying({ there: { baseUrl: 'https://old.example.test' } });
    const guessed = { ...enteredInterface, guesses: [...open] };
    const edited = { ...entered(main, 'there', { address: small.baseUrl }), id: 'there', enteredInterface: guessed };
    expect(await main.servers.edit(edited)).toMatchObject({ ok: true });
    const shown = () => main.state.get().servers.find(({ id }) => id === 'there')?.interface.guesses;
    return { small, main, wanted, interfaces, edited, shown };
  }

  it('is told until a login has worked and its profile was read, and is written nowhere from then on', async () => {
    const { main, edited, shown } = await saved();
    expect(shown()).toEqual(guesses);
    // The same text once more says nothing new of it.
    const again = { ...edited, notes: 'x', enteredInterface: { ...enteredInterface, guesses: [] } };
    expect(await main.servers.edit(again)).toMatchObject({ ok: true });
    expect(shown()).toEqual(guesses);
    expect(await main.session.logins.login({ ...anaForm, password: 'wrong password' })).toMatchObject({ ok: false });
    expect(shown()).toEqual(guesses);
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(shown()).toBeUndefined();
    expect(JSON.stringify(main.config.get())).not.toContain('guesses');
  });

  it('stays one for a registration that the login did not need, until a trial has registered', async () => {
    const ofRegistration = { at: 'calls.register', why: 'by-name' } as const;
    const { main, wanted, interfaces, shown } = await saved([...guesses, ofRegistration]);
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(shown()).toEqual([ofRegistration]);
    const again = { ...wanted, id: 'there', account: madeUp };
    expect(await interfaces.runTrial(again)).toMatchObject({ ok: true, value: { works: true } });
    expect(shown()).toBeUndefined();
  });

  it('is over where a trial of the very text has worked', async () => {
    const { wanted, interfaces, shown } = await saved();
    const other = { ...description, about: 'Another text' };
    const elsewhere = { ...wanted, id: 'there', enteredInterface: { text: JSON.stringify(other), variables: [] } };
    expect(await interfaces.runTrial(elsewhere)).toMatchObject({ ok: true, value: { works: true } });
    expect(shown()).toEqual(guesses);
    const wrong = { ...wanted, id: 'there', account: { ...typed, password: 'wrong password' } };
    expect(await interfaces.runTrial(wrong)).toMatchObject({ ok: true, value: { works: false } });
    expect(shown()).toEqual(guesses);
    expect(await interfaces.runTrial({ ...wanted, id: 'there' })).toMatchObject({ ok: true, value: { works: true } });
    expect(shown()).toBeUndefined();
  });
});
