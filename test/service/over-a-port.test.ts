import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startService, type ServiceOptions } from '../../main/service/server.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';
import { openSocket, readAnswer } from './support/raw-socket.ts';

const Address = z.object({ port: z.int() });

async function start(options: Partial<ServiceOptions> = {}) {
  const started = await startService({ database: { file: ':memory:' }, port: 0, argon2: cheapArgon2, ...options });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  const url = (path: string): string => `${service.baseUrl}/api/v1/auth/${path}`;
  return {
    ...service,
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(url(path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    perfil: (token: string) => fetch(url('perfil'), { headers: { authorization: `Bearer ${token}` } }),
    /** Answers whether the service still answers as it should. */
    isAlive: async () => (await fetch(url('perfil'))).status === 401,
  };
}

const head = (port: number, line: string, ...headers: string[]): string =>
  [line, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n');

describe('the service on a port', () => {
  it('says where it is, and is on the loopback address only', async () => {
    const service = await start();
    expect(service.baseUrl).toBe(`http://127.0.0.1:${service.port}`);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    for (const host of ['::1', '127.0.0.2', ...others]) {
      await expect(openSocket(service.port, host)).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/);
    }
  });

  it.each([
    ['a foreign Host', 'GET /api/v1/auth/perfil HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 421],
    ['no Host', 'GET /api/v1/auth/perfil HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'two Hosts, the first of them ours',
      'GET /api/v1/auth/perfil HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['no Host in HTTP/1.0', 'GET /api/v1/auth/perfil HTTP/1.0\r\n\r\n', 400],
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a bad escape in the path', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n', 400],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}', 417],
  ])('answers %s with JSON, and lives on', async (_what, request, status) => {
    const service = await start();
    const socket = await openSocket(service.port);
    socket.write(request);
    const answer = readAnswer(await socket.untilClosed());

    expect(answer.status).toBe(status);
    expect(answer.headers).toContain('content-type: application/json; charset=utf-8');
    expect(answer.headers).toContain('cache-control: no-store');
    expect(answer.body).toEqual({ message: expect.any(String) });
    expect(await service.isAlive()).toBe(true);
  });

  it.each(['a known length', 'chunks'])('refuses a body of 10 MB with %s, and lives on', async (how) => {
    const service = await start();
    const socket = await openSocket(service.port);
    const size = 10 * 1024 * 1024;
    const type = 'Content-Type: application/json';
    const length = how === 'chunks' ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`;
    socket.write(head(service.port, 'POST /api/v1/auth/registro HTTP/1.1', type, length));
    socket.write((how === 'chunks' ? `${size.toString(16)}\r\n` : '') + 'x'.repeat(size));

    expect(await socket.until(/larger than 16 KiB/)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await service.isAlive()).toBe(true);
  });

  it.each([
    ['headers', 'POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'a body',
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('does not wait for ever for %s', async (_what, beginning) => {
    const service = await start({ timeouts: { headersMs: 50, requestMs: 100, checkEveryMs: 20 } });
    const socket = await openSocket(service.port);
    socket.write(beginning);
    expect(readAnswer(await socket.untilClosed())).toMatchObject({
      status: 408,
      body: { message: 'The request did not arrive in time.' },
    });
  });

  it('answers ten thousand requests sent at once on one connection, in order, and others meanwhile', async () => {
    const service = await start();
    const socket = await openSocket(service.port);
    const pair = head(service.port, 'GET /api/v1/auth/perfil HTTP/1.1') + head(service.port, 'GET /a HTTP/1.1');
    socket.write(pair.repeat(5000));
    expect(await service.isAlive()).toBe(true);
    socket.write(head(service.port, 'DELETE /api/v1/auth/perfil HTTP/1.1', 'Connection: close'));
    const statuses = (await socket.untilClosed()).match(/(?<=HTTP\/1\.1 )\d{3}/g);
    expect(statuses).toEqual([...Array.from({ length: 5000 }, () => ['401', '404']).flat(), '405']);
  });

  it('closes connections beyond the most it holds, and serves those it has', async () => {
    const service = await start({ maxConnections: 3 });
    const held = [await openSocket(service.port), await openSocket(service.port), await openSocket(service.port)];
    const refused = await openSocket(service.port);
    expect(await refused.untilClosed()).toBe('');
    held[0]!.write(head(service.port, 'GET /a HTTP/1.1'));
    expect(await held[0]!.until(/\}$/)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('ends connections of thousands of headers, and lives on', async () => {
    const service = await start();
    const socket = await openSocket(service.port);
    const flood = Array.from({ length: 3000 }, (_, index) => `X-${index}: ${index}`);
    socket.write(head(service.port, 'GET /api/v1/auth/perfil HTTP/1.1', ...flood));
    expect(readAnswer(await socket.untilClosed()).status).toBe(431);
    expect(await service.isAlive()).toBe(true);
  });

  it('ends a connection on which nothing happens', async () => {
    const service = await start({ timeouts: { keepAliveMs: 50 } });
    const socket = await openSocket(service.port);
    socket.write(head(service.port, 'GET /a HTTP/1.1'));
    expect(readAnswer(await socket.untilClosed()).status).toBe(404);
  });
});

describe('closing the service', () => {
  it('ends connections on which nothing is under way, and takes no new ones', async () => {
    const service = await start({ closeWithinMs: 600_000 });
    const [silent, idle] = [await openSocket(service.port), await openSocket(service.port)];
    idle.write(head(service.port, 'GET /a HTTP/1.1'));
    await idle.until(/\r\n\r\n\{/);
    await service.close();

    expect(await silent.untilClosed()).toBe('');
    expect(await idle.untilClosed()).toContain(' 404 ');
    await expect(openSocket(service.port)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('lets a request under way finish', async () => {
    const service = await start({ closeWithinMs: 600_000 });
    const socket = await openSocket(service.port);
    const body = JSON.stringify(ada);
    const [type, length] = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    // The answer to Expect proves that the request has begun.
    socket.write(head(service.port, 'POST /api/v1/auth/registro HTTP/1.1', type, length, 'Expect: 100-continue'));
    await socket.until(/100 Continue\r\n\r\n/);
    socket.write(body.slice(0, 10));
    const closing = service.close();
    socket.write(body.slice(10));

    expect(await socket.untilClosed()).toContain('HTTP/1.1 201 Created');
    await closing;
  });

  it('does not wait for ever for a request that never ends', async () => {
    const service = await start({ closeWithinMs: 50 });
    const socket = await openSocket(service.port);
    const headers = ['Content-Type: application/json', 'Content-Length: 9', 'Expect: 100-continue'];
    socket.write(head(service.port, 'POST /api/v1/auth/login HTTP/1.1', ...headers));
    await socket.until(/100 Continue\r\n\r\n/);
    await service.close();
    expect(await socket.untilClosed()).not.toContain('HTTP/1.1 200');
  });

  it('may be asked for twice', async () => {
    const service = await start();
    await Promise.all([service.close(), service.close()]);
    await expect(service.close()).resolves.toBeUndefined();
  });
});

describe('starting the service', () => {
  it('answers with a value when the port is taken, and takes the next one when asked to', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = Address.parse(taken.address());

    expect(await startService({ database: { file: ':memory:' }, port })).toEqual({
      ok: false,
      kind: 'port-in-use',
      message: `Port ${port} is already in use by another program.`,
    });
    const service = await start({ port, portSearch: true });
    expect(service.port).toBeGreaterThan(port);
    expect(await service.isAlive()).toBe(true);
  });
});
