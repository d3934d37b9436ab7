import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../main/client/client.ts';
import { toUserProfile } from '../../../main/client/user-profile.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { defaultInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { answer, startRecordingServer, type RecordedRequest, type Respond } from '../../support/recording-server.ts';

const token = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const person = { name: 'Ana Ñandú', email: 'ana@example.test', password: 'contraseña 123' };
const registration = { ...person, cpassword: 'something else' };

const session = { token, user: { id: 7, name: 'Ana', email: 'ana@example.test' } };
const always: Respond = () => answer(200, session);

async function against(respond: Respond = always, options: { acceptLanguage?: string; prefix?: string } = {}) {
  const server = await startRecordingServer(respond);
  const transport = createTransport();
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });
  const { prefix = '', ...rest } = options;
  return { server, client: createClient({ transport, baseUrl: server.origin + prefix, ...rest }) };
}

type Calls = Awaited<ReturnType<typeof against>>['client'];

const everyOperation: [name: string, path: string, method: string, call: (client: Calls) => Promise<unknown>][] = [
  ['registro', '/api/v1/auth/registro', 'POST', (client) => client.register({ ...registration, path: 'registro' })],
  ['register', '/api/v1/auth/register', 'POST', (client) => client.register({ ...registration, path: 'register' })],
  ['login', '/api/v1/auth/login', 'POST', (client) => client.login(person)],
  ['profile', '/api/v1/auth/perfil', 'GET', (client) => client.profile({ token })],
  ['logout', '/api/v1/auth/salir', 'POST', (client) => client.logout({ token })],
];
const withBody = everyOperation.slice(0, 3);
const withToken = everyOperation.slice(3);

async function requestOf(call: (client: Calls) => Promise<unknown>): Promise<RecordedRequest> {
  const { server, client } = await against();
  await call(client);
  expect(server.requests).toHaveLength(1);
  return server.requests[0]!;
}

const valuesOf = (request: RecordedRequest, name: string): string[] =>
  request.headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);

it('a login is read although its answer has megabytes', async () => {
  const { client } = await against(() =>
    answer(200, { ...session, more: Array.from({ length: 40_000 }, () => 'ñ'.repeat(40)) }),
  );
  expect(await client.login(person)).toMatchObject({ ok: true, reading: { summary: { token } } });
});

describe('the client', () => {
  it.each(everyOperation)('sends %s to %s with %s', async (_name, path, method, call) => {
    expect((await requestOf(call)).requestLine).toBe(`${method} ${path} HTTP/1.1`);
  });

  it.each(everyOperation)('sends exactly one Accept header, application/json, with %s', async (_n, _p, _m, call) => {
    expect(valuesOf(await requestOf(call), 'accept')).toEqual(['application/json']);
  });

  it.each(withBody)('sends Content-Type: application/json and no Authorization with %s', async (_n, _p, _m, call) => {
    const request = await requestOf(call);
    expect(valuesOf(request, 'content-type')).toEqual(['application/json']);
    expect(valuesOf(request, 'authorization')).toEqual([]);
  });

  it.each(withToken)(
    'sends the token byte for byte, no body and no Content-Type with %s',
    async (_n, _p, method, call) => {
      const request = await requestOf(call);
      expect(request.raw).toContain(`\r\nAuthorization: Bearer ${token}\r\n`);
      expect(valuesOf(request, 'content-type')).toEqual([]);
      expect(valuesOf(request, 'content-length')).toEqual(method === 'POST' ? ['0'] : []);
      expect(valuesOf(request, 'transfer-encoding')).toEqual([]);
      expect(request.body).toBe('');
    },
  );

  it.each(everyOperation)(
    'sends no header beyond those of the interface and of HTTP with %s',
    async (_n, _p, _m, call) => {
      const allowed = new Set(['host', 'accept', 'content-type', 'authorization', 'content-length', 'connection']);
      const names = (await requestOf(call)).headers.map(([name]) => name.toLowerCase());
      expect(names.filter((name) => !allowed.has(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it('sends the three fields to /registro and never cpassword', async () => {
    const request = await requestOf((client) => client.register({ ...registration, path: 'registro' }));
    expect(JSON.parse(request.body)).toEqual(person);
  });

  it('sends the four fields to /register', async () => {
    const request = await requestOf((client) => client.register({ ...registration, path: 'register' }));
    expect(JSON.parse(request.body)).toEqual(registration);
  });

  it('sends email and password, and nothing else, to log in', async () => {
    const request = await requestOf((client) => client.login({ ...registration }));
    expect(JSON.parse(request.body)).toEqual({ email: person.email, password: person.password });
  });

  it('states the length of the body in bytes', async () => {
    const request = await requestOf((client) => client.login(person));
    expect(valuesOf(request, 'content-length')).toEqual([String(Buffer.byteLength(request.body))]);
  });

  it('sends what was typed unchanged, also spaces, null bytes and lone surrogates', async () => {
    const password = ' a\u0000b\ud800 ';
    const request = await requestOf((client) => client.login({ email: ' A@B ', password }));
    expect(JSON.parse(request.body)).toEqual({ email: ' A@B ', password });
  });

  it('sends Accept-Language only where it was asked for', async () => {
    const { server, client } = await against(always, { acceptLanguage: 'es' });
    await client.profile({ token });
    expect(valuesOf(server.requests[0]!, 'accept-language')).toEqual(['es']);
  });

  it('keeps a path prefix of the base address', async () => {
    const { server, client } = await against(always, { prefix: '/app' });
    await client.login(person);
    expect(server.requests[0]?.target).toBe('/app/api/v1/auth/login');
  });

  it('sends no cookie that a server set', async () => {
    const { server, client } = await against(() => answer(200, session, { 'Set-Cookie': 'a=b; Path=/' }));
    await client.login(person);
    await client.profile({ token });
    expect(valuesOf(server.requests[1]!, 'cookie')).toEqual([]);
  });

  it('takes no redirect for the answer to a log-out, which the interface has one for', async () => {
    const { client } = await against(() => answer(302, '', { Location: '/' }));
    const error = { kind: 'not-an-api-answer', reason: 'redirect' };
    expect(await client.logout({ token })).toMatchObject({ ok: false, error });
  });

  it.each([301, 302, 303, 307, 308])(
    'does not follow a redirect with %i, and sends the token nowhere else',
    async (status) => {
      const other = await startRecordingServer(always);
      onTestFinished(() => other.close());
      const { server, client } = await against(() => answer(status, '', { Location: `${other.origin}/elsewhere` }));
      const result = await client.profile({ token });
      expect(result).toMatchObject({
        ok: false,
        error: { kind: 'not-an-api-answer', status, reason: 'redirect', detail: `${other.origin}/elsewhere` },
      });
      expect(server.requests).toHaveLength(1);
      expect(other.requests).toEqual([]);
    },
  );

  it.each(everyOperation)(
    'sends %s again only if it is perfil, and then once more, when the connection is lost before any answer',
    async (name, _p, _m, call) => {
      const { server, client } = await against((_request, socket) => {
        socket.destroy();
        return undefined;
      });
      const result = await call(client);
      expect(server.requests).toHaveLength(name === 'profile' ? 2 : 1);
      expect(result).toMatchObject({ ok: false, error: { kind: 'unexpected', reason: 'connection-lost' } });
    },
  );

  it.each(['POST', 'DELETE'] as const)('sends a profile that is a %s once', async (method) => {
    const server = await startRecordingServer((_request, socket) => {
      socket.destroy();
      return undefined;
    });
    const transport = createTransport();
    onTestFinished(async () => {
      transport.close();
      await server.close();
    });
    const description = {
      ...defaultInterface,
      calls: { ...defaultInterface.calls, profile: { path: '/refresh', method } },
    };
    const adapter = new ApiAdapter(description, server.origin);
    const result = await createClient({ transport, baseUrl: server.origin, adapter }).profile({ token });
    expect(result).toMatchObject({ ok: false, error: { kind: 'unexpected', reason: 'connection-lost' } });
    expect(server.requests.map((request) => request.method)).toEqual([method]);
  });

  it('sends perfil the second time on a new connection', async () => {
    const { server, client } = await against((_request, socket) => {
      // The first request of each connection is answered, as by a server that restarts behind its back.
      if (server.requests.length <= 2) return answer(200, session);
      socket.destroy();
      return undefined;
    });
    await Promise.all([client.login(person), client.login(person)]);
    await client.profile({ token });
    expect(server.requests).toHaveLength(4);
    expect(server.requests.at(2)?.connection).toBeLessThan(2);
    expect(server.requests.at(3)?.connection).toBe(2);
  });

  it('gives the answer of the second try of perfil', async () => {
    const { server, client } = await against(({ connection }, socket) => {
      if (connection > 0) return answer(200, session.user);
      socket.destroy();
      return undefined;
    });
    expect(await client.profile({ token })).toMatchObject({ ok: true });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['part of an answer came', 'HTTP/1.1 200 OK\r\nContent-'],
    ['the answer is a fault', answer(503, 'no')],
    ['the body is cut off', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
  ])('does not send perfil again when %s', async (_case, bytes) => {
    const { server, client } = await against((_request, socket) => {
      socket.end(bytes);
      return undefined;
    });
    expect(await client.profile({ token })).toMatchObject({ ok: false });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the outcome of a call', () => {
  it('gives the token and the user of a login', async () => {
    const { client } = await against();
    const result = await client.login(person);
    expect(result).toMatchObject({ ok: true, reading: { summary: { token, user: { id: 7, name: 'Ana' } } } });
    expect(result.ok && toUserProfile(result.reading)).toEqual({
      id: '7',
      name: 'Ana',
      email: 'ana@example.test',
      rest: [],
    });
  });

  it('is a failure when a login is 2xx without a token', async () => {
    const { client } = await against(() => answer(200, { message: 'Welcome', user: { id: 7 } }));
    expect(await client.login(person)).toMatchObject({
      ok: false,
      error: { kind: 'unexpected', reason: 'no-token', message: 'Welcome' },
      reading: { verdict: 'accepted-without-token' },
    });
  });

  it('says unauthenticated of a profile only when the server said so', async () => {
    const refused = await against(() => answer(401, { message: 'Unauthenticated.' }));
    expect(await refused.client.profile({ token })).toMatchObject({ error: { kind: 'unauthenticated' } });
    const page = await against(() => answer(403, '<html><title>Just a moment...</title></html>'));
    expect(await page.client.profile({ token })).toMatchObject({
      error: { kind: 'not-an-api-answer', reason: 'html', detail: 'Just a moment...' },
    });
  });

  it('is no logout that the server was told of when a protection accepted it in its place', async () => {
    const { client } = await against(() => answer(202, '', { 'X-Amzn-Waf-Action': 'challenge' }));
    expect(await client.logout({ token })).toMatchObject({
      ok: false,
      error: { kind: 'not-an-api-answer', reason: 'protection-page', detail: 'AWS WAF' },
    });
  });

  it('is the sign-in page of a network when that redirects in plain http, without its parameters', async () => {
    const { server, client } = await against(() =>
      answer(302, '', { Location: `http://hotspot.invalid/login?dst=x&mac=${encodeURIComponent(token)}` }),
    );
    expect(await client.profile({ token })).toMatchObject({
      ok: false,
      error: { kind: 'not-an-api-answer', reason: 'captive-portal', detail: 'http://hotspot.invalid/login' },
      reading: { verdict: 'unknown' },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('has the waiting time of headers in any case', async () => {
    const { client } = await against(() => answer(429, 'Too Many Attempts.', { 'rEtRy-AfTeR': '57' }));
    expect(await client.login(person)).toMatchObject({ error: { kind: 'throttled', retryAfterSeconds: 57 } });
  });

  it('is a logout at 204', async () => {
    const { client } = await against(() => 'HTTP/1.1 204 No Content\r\n\r\n');
    expect(await client.logout({ token })).toMatchObject({ ok: true });
  });

  it('is cancelled when its signal says so', async () => {
    const controller = new AbortController();
    const { client } = await against(() => {
      controller.abort();
      return undefined;
    });
    expect(await client.login(person, controller.signal)).toEqual({ ok: false, error: { kind: 'cancelled' } });
  });

  it('names every address tried when nothing listens', async () => {
    const closed = await startRecordingServer(always);
    await closed.close();
    const client = createClient({ transport: createTransport(), baseUrl: closed.origin });
    expect(await client.login(person)).toEqual({
      ok: false,
      error: { kind: 'refused', host: `127.0.0.1:${closed.port}`, addresses: [`127.0.0.1:${closed.port}`] },
    });
  });

  it('is a refusal when HTTP cannot carry the token unchanged', async () => {
    const { server, client } = await against();
    expect(await client.profile({ token: '41|a\r\nX-Other: b' })).toMatchObject({
      ok: false,
      error: { kind: 'unexpected' },
    });
    expect(await client.profile({ token: '41|日本' })).toMatchObject({ ok: false, error: { kind: 'unexpected' } });
    expect(server.requests).toEqual([]);
  });
});
