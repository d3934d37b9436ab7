import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunOptions } from '../../preload/contract/report.ts';
import { mainWith } from './support/main-with-runs.ts';
import { ada } from './support/make-service.ts';
import { clientAt, fault, startBuiltInServer } from './support/fault-injection.ts';

const run = promisify(execFile);
const fields = { email: ada.email, password: ada.password };

/** Starts the service with ada's account, and forgets what made it. */
async function start(more: Parameters<typeof startBuiltInServer>[1] = {}) {
  const server = await startBuiltInServer({}, { clients: 'watched', clock: true, ...more });
  const { clients, clock, baseUrl } = server.service;
  if (!clients || !clock) throw new Error('It watches nothing');
  clients.clear();
  return {
    ...server,
    ...plainClient((path) => `${baseUrl}/api/v1/auth/${path}`),
    clock,
    baseUrl,
    url: (path: string): string => `${baseUrl}/api/v1/auth/${path}`,
    clients,
    /** The lines, with how often and by which requests each was shown. */
    lines: () =>
      clients.lines().map(({ fault: name, count, shownBy }) => ({
        fault: name,
        count,
        shownBy: shownBy.map((requests) =>
          requests.map(({ method, route, status }) => `${method} ${route?.split('/').at(-1)} ${status}`),
        ),
      })),
  };
}

type Sent = { method?: string; headers?: Record<string, string>; body?: object };

/** A client that sends one request after the other on one connection, with exactly these headers. */
function plainClient(url: (path: string) => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = async (path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    const outgoing = request(url(path), { method, headers, agent }).end(body && JSON.stringify(body));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: await text(answer) };
  };
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  return {
    send,
    post: (path: string, body: object) => send(path, { method: 'POST', headers: json, body }),
    perfil: (token: string) => send('perfil', { headers: bearer(token) }),
    salir: (token: string) => send('salir', { method: 'POST', headers: bearer(token) }),
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: 'application/json' });

describe('a client that is wrong in one way', () => {
  it('gets its line for a registration that it sends again after the connection was cut', async () => {
    const { behaviour, post, lines } = await start();
    behaviour.set({ faults: [fault('registro:reset:1')] });
    const person = { ...ada, email: 'new@example.test' };
    await expect(post('registro', person)).rejects.toThrow('ECONNRESET');
    expect((await post('registro', person)).status).toBe(422);
    expect(lines()).toEqual([
      { fault: 'registration-repeated', count: 1, shownBy: [['POST registro null', 'POST registro 422']] },
    ]);
  });

  it('gets its line for asking again before the time of Retry-After is over', async () => {
    const { post, lines, clock } = await start({ rateLimit: 'on' });
    const guess = { email: ada.email, password: 'not the one' };
    for (let tries = 0; tries < 6; tries += 1) await post('login', guess);
    await clock.move({ advanceMs: 60_000 });
    expect((await post('login', fields)).status).toBe(200);
    expect(lines()).toEqual([]);
    for (let tries = 0; tries < 6; tries += 1) await post('login', guess);
    await clock.move({ advanceMs: 30_000 });
    expect((await post('login', fields)).status).toBe(429);
    expect(lines()).toEqual([
      { fault: 'retry-after-ignored', count: 1, shownBy: [['POST login 429', 'POST login 429']] },
    ]);
  });

  it('gets its line for using a token after its logout', async () => {
    const { perfil, salir, token, lines } = await start();
    await perfil(token);
    await salir(token);
    await perfil(token);
    expect(lines()).toEqual([
      { fault: 'token-used-after-logout', count: 1, shownBy: [['POST salir 200', 'GET perfil 401']] },
    ]);
  });

  it('gets its line for using a token after its end, once it was told so twice', async () => {
    const { perfil, post, lines, clock } = await start();
    const { token } = JSON.parse((await post('login', fields)).body) as { token: string };
    await clock.move({ to: 'newest-token-end' });
    for (let asked = 0; asked < 2; asked += 1) expect((await perfil(token)).status).toBe(401);
    expect(lines()).toEqual([]);
    await perfil(token);
    await perfil(token);
    const shown = ['GET perfil 401', 'GET perfil 401', 'GET perfil 401'];
    expect(lines()).toEqual([{ fault: 'token-used-after-end', count: 2, shownBy: [shown, shown] }]);
  });

  it('gets its line for a password in a URL', async () => {
    const { url, lines } = await start();
    await fetch(url(`login?email=${ada.email}&password=${encodeURIComponent(ada.password)}`));
    expect(lines()).toEqual([{ fault: 'password-in-url', count: 1, shownBy: [['GET undefined 405']] }]);
  });

  it('gets its line for cookies', async () => {
    const { send, token, lines } = await start();
    await send('perfil', { headers: { ...bearer(token), cookie: 'session=1' } });
    expect(lines()).toEqual([{ fault: 'cookies-kept', count: 1, shownBy: [['GET perfil 200']] }]);
  });

  it('gets its line for sending no Accept header', async () => {
    const { send, token, lines } = await start();
    await send('perfil', { headers: { authorization: `Bearer ${token}` } });
    expect(lines()).toEqual([{ fault: 'no-accept', count: 1, shownBy: [['GET perfil 200']] }]);
  });

  it('gets its line for a body on the profile call', async () => {
    const { send, token, lines } = await start();
    const headers = { ...bearer(token), 'content-type': 'application/json', 'content-length': '2' };
    await send('perfil', { headers, body: {} });
    expect(lines()).toEqual([{ fault: 'body-on-profile', count: 1, shownBy: [['GET perfil 200']] }]);
  });

  it('is seen in each dialect, whatever status that answers with', async () => {
    for (const dialect of ['error-true', 'django', 'spring'] as const) {
      const { perfil, salir, token, lines, behaviour } = await start();
      behaviour.set({ dialect });
      await salir(token);
      await perfil(token);
      expect(lines().map((line) => line.fault)).toEqual(['token-used-after-logout']);
    }
  });
});

describe('a client that does what it should', () => {
  it('gets no line with curl', async () => {
    const { url, lines } = await start();
    const json = ['-H', 'Content-Type: application/json'];
    const curl = async (...args: string[]) => (await run('curl', ['-s', ...args])).stdout;
    const person = JSON.stringify({ ...ada, email: 'curl@example.test' });
    await curl(url('registro'), ...json, '-d', person);
    const { token } = JSON.parse(await curl(url('login'), ...json, '-d', person)) as { token: string };
    expect(await curl(url('perfil'), '-H', `Authorization: Bearer ${token}`)).toContain('curl@example.test');
    await curl(url('salir'), '-X', 'POST', '-H', `Authorization: Bearer ${token}`);
    await curl(url('login'), ...json, '-d', person);
    expect(lines()).toEqual([]);
  });

  it('gets no line with our own client, also when the connection is cut or it is asked to wait', async () => {
    const { baseUrl, lines, behaviour, token, clock } = await start({ clients: 'with-cookie', rateLimit: 'on' });
    const client = clientAt(baseUrl);
    const person = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery' };
    behaviour.set({ faults: [fault('registro:reset:1'), fault('profile:reset:1'), fault('logout:html:1')] });
    expect((await client.register({ path: 'registro', ...person, cpassword: '' })).ok).toBe(false);
    expect((await client.login({ email: person.email, password: person.password })).ok).toBe(true);
    await client.profile({ token });
    await client.logout({ token });
    await client.logout({ token });
    await clock.move({ to: 'newest-token-end' });
    await client.profile({ token });
    expect(lines()).toEqual([]);
  });

  it('gets no line for what was under way when it was told', async () => {
    const { url, token, lines, clock } = await start({ rateLimit: 'on' });
    const atOnce = (ask: () => Promise<unknown>) => Promise.all(Array.from({ length: 10 }, ask));
    await fetch(url('perfil'), { headers: bearer(token) });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: ada.email, password: 'not the one' });
    await atOnce(() => fetch(url('login'), { method: 'POST', headers, body }));
    await clock.move({ to: 'newest-token-end' });
    await atOnce(() => fetch(url('perfil'), { headers: bearer(token) }));
    expect(lines()).toEqual([]);
  });

  it('gets no line for a registration that it gave up, or that a person sends later', async () => {
    // The hash takes many times as long as the client waits, also on a busy machine.
    const { url, post, lines, clients, behaviour, clock } = await start({
      argon2: { memoryKiB: 19_456, passes: 60, lanes: 1 },
    });
    const person = { ...ada, email: 'slow@example.test' };
    const given = fetch(url('registro'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
      signal: AbortSignal.timeout(50),
    });
    await expect(given).rejects.toThrow('timeout');
    // Two connections are read in any order, so that the next call might come before the end of this one.
    await expect.poll(() => clients.requests()).toBe(1);
    await post('registro', person);
    behaviour.set({ faults: [fault('registro:reset:1')] });
    await post('registro', person).catch(() => undefined);
    await clock.move({ advanceMs: 5000 });
    await post('registro', person);
    expect(lines()).toEqual([]);
  });
});

describe('the report of clients', () => {
  it('leaves out a check of the application, and looks again after it', async () => {
    const { service } = await startBuiltInServer({}, { clients: 'watched', clock: true });
    const main = await mainWith({}, { service });
    service.clients?.clear();
    const only = ['errors.without-accept', 'logout.same-token-afterwards'] as const;
    await main.run('built-in', RunOptions.parse({ callsPerSecond: 100, only }));
    expect(main.state().running).toBeUndefined();
    expect(service.clients?.requests()).toBe(0);
    await fetch(`${service.baseUrl}/api/v1/auth/perfil`);
    expect(service.clients?.requests()).toBe(1);
  });

  it('holds nothing that a client sent, whatever that was', async () => {
    const { send, clients, token } = await start();
    const secrets = ['sekrit-one', 'sekrit-two', 'sekrit-three', 'sekrit-four', 'sekrit-five', token];
    await send('login?password=sekrit-one&sekrit-two=1', {
      method: 'POST',
      headers: { cookie: 'a=sekrit-three', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: { email: 'sekrit-four', password: 'sekrit-five' },
    });
    const text = JSON.stringify(clients.lines());
    expect(clients.lines().map((line) => line.fault)).toEqual(['password-in-url', 'cookies-kept', 'no-accept']);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('keeps a few of the requests and counts all, and starts over when it is cleared', async () => {
    const { send, clients } = await start();
    for (let sent = 0; sent < 20; sent += 1) await send('perfil');
    expect(clients.lines()).toMatchObject([{ fault: 'no-accept', count: 20, shownBy: { length: 5 } }]);
    clients.clear();
    expect([clients.lines(), clients.requests()]).toEqual([[], 0]);
  });
});
