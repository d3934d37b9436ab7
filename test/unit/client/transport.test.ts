import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../../main/client/call.ts';
import type { TransportLimits } from '../../../main/client/call-under-way.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { badAnswers } from '../../support/bad-answers.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { answer, portOf, startRecordingServer, type Respond } from '../../support/recording-server.ts';

const trusted = makeCertificate({ commonName: 'server', names: ['127.0.0.1'] });
const selfSigned = readFileSync(new URL('self-signed.pem', import.meta.url), 'utf8');

async function against(respond: Respond, limits: Partial<TransportLimits> = {}, tls = false) {
  const calls: Call[] = [];
  const server = await startRecordingServer(respond, tls ? { key: selfSigned, cert: selfSigned } : undefined);
  const transport = createTransport({ record: (call) => calls.push(call), limits });
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });
  const get = (signal?: AbortSignal) =>
    transport.send({ method: 'GET', url: `${server.origin}/x`, headers: [] }, signal && { signal });
  return { server, transport, calls, get };
}

const nothing: Respond = () => undefined;
const gzipped = (bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`),
    bytes,
  ]);

describe('a request', () => {
  it('is written in the order and case given, duplicates kept, with only what HTTP needs added', async () => {
    const { server, transport } = await against(() => answer(200));
    await transport.send({
      method: 'GET',
      url: `${server.origin}/a%20b?c=%7C&d`,
      headers: [
        ['x-Two', '1'],
        ['X-TWO', '2'],
        ['Accept', 'application/json'],
      ],
    });
    expect(server.requests[0]?.raw).toBe(
      [
        'GET /a%20b?c=%7C&d HTTP/1.1',
        `Host: 127.0.0.1:${server.port}`,
        'x-Two: 1',
        'X-TWO: 2',
        'Accept: application/json',
        'Connection: keep-alive',
        '\r\n',
      ].join('\r\n'),
    );
  });

  it.each(['GET', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('may carry a body with %s', async (method) => {
    const { server, transport } = await against(() => answer(200));
    await transport.send({ method, url: server.origin, headers: [['Content-Type', 'text/plain']], body: 'ñ' });
    expect(server.requests[0]).toMatchObject({ method, body: 'ñ' });
    expect(server.requests[0]?.headers).toContainEqual(['Content-Length', '2']);
  });

  it('may say anything of its own about host, length, cookies and origin', async () => {
    const { server, transport } = await against(() => answer(200));
    const headers = [
      ['Host', 'other.test'],
      ['Content-Length', '1'],
      ['Cookie', 'a=b'],
      ['Origin', 'null'],
      ['User-Agent', 'me'],
    ] as const;
    await transport.send({ method: 'POST', url: server.origin, headers, body: '1' });
    expect(server.requests[0]?.headers).toEqual([...headers, ['Connection', 'keep-alive']]);
  });

  it('ignores the proxy variables of the environment', async () => {
    const proxy = await startRecordingServer(() => answer(200));
    onTestFinished(() => proxy.close());
    const before = { ...process.env };
    onTestFinished(() => {
      process.env = before;
    });
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']) process.env[name] = proxy.origin;
    delete process.env['no_proxy'];
    delete process.env['NO_PROXY'];
    const { server, get } = await against(() => answer(200));
    await get();
    expect(server.requests).toHaveLength(1);
    expect(proxy.requests).toEqual([]);
  });

  it('uses the connection of the one before it', async () => {
    const { server, calls, get } = await against(() => answer(200));
    await get();
    await get();
    expect(server.requests.map(({ connection }) => connection)).toEqual([0, 0]);
    expect(calls.map(({ reusedConnection }) => reusedConnection)).toEqual([false, true]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    'that changes something goes on a new connection: %s',
    async (method) => {
      const { server, transport, calls, get } = await against(() => answer(200));
      await get();
      await transport.send({ method, url: `${server.origin}/x`, headers: [] });
      await get();
      expect(server.requests.map(({ connection }) => connection)).toEqual([0, 1, 1]);
      expect(calls.map(({ reusedConnection }) => reusedConnection)).toEqual([false, false, true]);
    },
  );

  it('is not lost on a connection that the server closed while it was idle', async () => {
    const { server, get } = await against((_request, socket) => {
      socket.end(answer(200));
      return undefined;
    });
    expect(await get()).toMatchObject({ ok: true });
    await expect.poll(() => server.openConnections()).toBe(0);
    expect(await get()).toMatchObject({ ok: true });
    expect(server.connections()).toBe(2);
  });

  it('shares no connection with one that is under way', async () => {
    const { server, get } = await against(() => answer(200));
    await Promise.all([get(), get(), get()]);
    expect(new Set(server.requests.map(({ connection }) => connection))).toEqual(new Set([0, 1, 2]));
  });

  it('leaves at most four connections idle', async () => {
    const { server, get } = await against(() => answer(200));
    await Promise.all(Array.from({ length: 12 }, () => get()));
    await expect.poll(() => server.openConnections()).toBe(4);
  });

  it('is refused before anything is sent when a header would break the head', async () => {
    const { server, transport } = await against(() => answer(200));
    const headers = [['X', 'a\r\nY: b']] as const;
    expect(await transport.send({ method: 'GET', url: server.origin, headers })).toMatchObject({
      ok: false,
      failure: { kind: 'unsendable' },
    });
    expect(server.connections()).toBe(0);
  });
});

describe('a response', () => {
  it('keeps status, version, raw headers and text', async () => {
    const { get } = await against(
      () => 'HTTP/1.1 299 Odd\r\nx-A: 1\r\nX-a: 2\r\nSet-Cookie: a\r\nContent-Length: 8\r\n\r\n\uFEFF{"a"}',
    );
    expect(await get()).toMatchObject({
      ok: true,
      response: {
        status: 299,
        statusText: 'Odd',
        httpVersion: '1.1',
        rawHeaders: [
          ['x-A', '1'],
          ['X-a', '2'],
          ['Set-Cookie', 'a'],
          ['Content-Length', '8'],
        ],
        body: '\uFEFF{"a"}',
      },
    });
  });

  it.each([200, 204, 302, 401, 418, 500, 599])('is an answer whatever its status (%i)', async (status) => {
    const { get } = await against(() => `HTTP/1.1 ${status} S\r\nContent-Length: 0\r\n\r\n`);
    expect(await get()).toMatchObject({ ok: true, response: { status } });
  });

  it('is decompressed', async () => {
    const { get } = await against(() => gzipped(gzipSync('{"a":"ñ"}')));
    expect(await get()).toMatchObject({ ok: true, response: { body: '{"a":"ñ"}' } });
  });

  it('is refused while it streams when it grows above the limit', async () => {
    const { server, get } = await against(
      (_request, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        const more = (): void => {
          if (!socket.destroyed) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, more);
        };
        more();
        return undefined;
      },
      { bodyBytes: 10_000 },
    );
    expect(await get()).toMatchObject({ ok: false, failure: { kind: 'too-large', status: 200, limitBytes: 10_000 } });
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  it('counts the bytes after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(2 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(10_000);
    const { get } = await against(() => gzipped(bomb));
    expect(await get()).toMatchObject({ ok: false, failure: { kind: 'too-large', limitBytes: 1024 * 1024 } });
  });

  it('of exactly the limit is accepted', async () => {
    const { get } = await against(() => answer(200, 'x'.repeat(100)), { bodyBytes: 100 });
    expect(await get()).toMatchObject({ ok: true });
  });

  it('that is not what its encoding says is undecodable', async () => {
    const { get } = await against(() => gzipped(Buffer.from('not gzip at all')));
    expect(await get()).toMatchObject({ ok: false, failure: { kind: 'undecodable', status: 200 } });
  });

  it('cut off in the middle is truncated', async () => {
    const { get } = await against((_request, socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"to');
      return undefined;
    });
    expect(await get()).toMatchObject({
      ok: false,
      failure: { kind: 'truncated', status: 200 },
      call: { response: { body: '{"to' } },
    });
  });
});

describe('a failure', () => {
  it('of an untrusted certificate names its reason, and nothing was sent', async () => {
    const { server, get } = await against(() => answer(200), {}, true);
    expect(await get()).toMatchObject({
      ok: false,
      failure: { kind: 'tls', host: `127.0.0.1:${server.port}`, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(server.requests).toEqual([]);
  });

  it('of https spoken to a plain port is tls', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void plain.close());
    const result = await createTransport().send({
      method: 'GET',
      url: `https://127.0.0.1:${portOf(plain)}`,
      headers: [],
    });
    expect(result).toMatchObject({
      failure: { kind: 'tls', problem: 'handshake', code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    });
  });

  it('of a name that does not exist is dns, or offline without any network', async () => {
    const transport = createTransport();
    const result = await transport.send({ method: 'GET', url: 'http://nobody.invalid', headers: [] });
    expect(result.ok ? 'ok' : result.failure.kind).toMatch(/^(dns|name-server|offline)$/);
  });

  it('of an address that is no URL is a value too', async () => {
    const result = await createTransport().send({ method: 'GET', url: 'http://', headers: [] });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'unsendable' } });
  });
});

describe('a time limit', () => {
  it('ends a handshake that never answers, in the connect phase', async () => {
    const plain = await startRecordingServer(nothing);
    onTestFinished(() => plain.close());
    const transport = createTransport({ limits: { connectSeconds: 0.05 } });
    const result = await transport.send({ method: 'GET', url: `https://127.0.0.1:${plain.port}`, headers: [] });
    expect(result).toMatchObject({ failure: { kind: 'timeout', phase: 'connect', seconds: 0.05 } });
  });

  it('ends a server that takes the request and stays silent', async () => {
    const { get } = await against(nothing, { connectSeconds: 0.4, totalSeconds: 0.6 });
    expect(await get()).toMatchObject({ failure: { kind: 'timeout', phase: 'total', seconds: 0.6 } });
  });

  it('ends the wait for the first byte of an answer', async () => {
    const { server, get } = await against(nothing, { firstByteSeconds: 0.05 });
    expect(await get()).toMatchObject({ failure: { kind: 'timeout', phase: 'first-byte', seconds: 0.05 } });
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  it('of the first byte is met by an answer whose body is slow', async () => {
    const { get } = await against(
      (_request, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na');
        setTimeout(() => socket.write('b'), 700);
        return undefined;
      },
      { firstByteSeconds: 0.5 },
    );
    expect(await get()).toMatchObject({ ok: true, response: { body: 'ab' } });
  });

  it('of connecting is met by a server that is slow to answer', async () => {
    const { get } = await against(
      (_request, socket) => {
        setTimeout(() => socket.write(answer(200)), 700);
        return undefined;
      },
      { connectSeconds: 0.5 },
    );
    expect(await get()).toMatchObject({ ok: true });
  });

  it('ends a name that is never found', async () => {
    const transport = createTransport({ lookup: () => undefined, limits: { connectSeconds: 0.05 } });
    const result = await transport.send({ method: 'GET', url: 'http://slow.test', headers: [] });
    expect(result).toMatchObject({ failure: { kind: 'timeout', phase: 'connect' } });
  });

  it('ends a body that never does', async () => {
    const { get } = await against(() => 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', { totalSeconds: 0.4 });
    expect(await get()).toMatchObject({
      failure: { kind: 'timeout', phase: 'total' },
      call: { response: { status: 200, body: 'abc' } },
    });
  });
});

describe('cancelling', () => {
  it('before the call sends nothing', async () => {
    const { server, get } = await against(() => answer(200));
    expect(await get(AbortSignal.abort())).toMatchObject({ failure: { kind: 'cancelled' } });
    expect(server.requests).toEqual([]);
  });

  it('works while the name is looked up', async () => {
    const controller = new AbortController();
    const lookedUp = Promise.withResolvers<void>();
    const transport = createTransport({ lookup: () => lookedUp.resolve() });
    const sent = transport.send({ method: 'GET', url: 'http://slow.test', headers: [] }, { signal: controller.signal });
    await lookedUp.promise;
    controller.abort();
    expect(await sent).toMatchObject({ failure: { kind: 'cancelled' } });
  });

  it('works while the connection is made', async () => {
    const controller = new AbortController();
    const plain = await startRecordingServer(nothing);
    onTestFinished(() => plain.close());
    const sent = createTransport().send(
      { method: 'GET', url: `https://127.0.0.1:${plain.port}`, headers: [] },
      { signal: controller.signal },
    );
    await expect.poll(() => plain.openConnections()).toBe(1);
    controller.abort();
    expect(await sent).toMatchObject({ failure: { kind: 'cancelled' } });
    await expect.poll(() => plain.openConnections()).toBe(0);
  });

  it('works while an answer is waited for, and closes the connection', async () => {
    const controller = new AbortController();
    const { server, get } = await against(() => {
      controller.abort();
      return undefined;
    });
    expect(await get(controller.signal)).toMatchObject({ failure: { kind: 'cancelled' } });
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  it('works in the middle of a body', async () => {
    const controller = new AbortController();
    const { server, get } = await against((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () => setImmediate(() => controller.abort()));
      return undefined;
    });
    expect(await get(controller.signal)).toMatchObject({ failure: { kind: 'cancelled' } });
    await expect.poll(() => server.openConnections()).toBe(0);
  });
});

describe('a bad answer', () => {
  const cases: [name: keyof typeof badAnswers, failure: object][] = [
    ['hanging', { kind: 'timeout', phase: 'first-byte' }],
    ['dripping', { kind: 'timeout', phase: 'total' }],
    ['truncated', { kind: 'truncated', status: 200 }],
    ['headless', { kind: 'connection-lost', answerBegun: true }],
    ['gzipBomb', { kind: 'too-large', limitBytes: 1024 * 1024 }],
    ['endless', { kind: 'too-large', limitBytes: 1024 * 1024 }],
    ['reset', { kind: 'connection-lost', code: 'ECONNRESET', answerBegun: false }],
    ['notHttp', { kind: 'not-http' }],
  ];

  it.each(cases.flatMap(([name, failure]) => [false, true].map((tls) => ({ name, failure, tls }))))(
    'is a value, and leaves no connection behind: $name, over TLS $tls',
    async ({ name, failure, tls }) => {
      const server = await startRecordingServer(badAnswers[name], tls ? trusted : undefined);
      const transport = createTransport({
        systemCertificates: () => [trusted.cert],
        limits: {
          firstByteSeconds: name === 'hanging' ? 0.1 : 30,
          totalSeconds: name === 'dripping' ? 0.3 : 30,
        },
      });
      onTestFinished(async () => {
        transport.close();
        await server.close();
      });
      const request = { method: 'POST', url: server.origin, headers: [], body: '{}' };
      expect(await transport.send(request)).toMatchObject({ ok: false, failure });
      // One that was whole may be idle now.
      transport.close();
      await expect.poll(() => server.openConnections()).toBe(0);
    },
  );

  it('in place of a TLS handshake is a handshake that failed', async () => {
    const server = createServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${portOf(server)}`;
    expect(await createTransport().send({ method: 'POST', url, headers: [] })).toMatchObject({
      failure: { kind: 'tls', problem: 'handshake', code: 'ECONNRESET' },
    });
  });
});

describe('the record', () => {
  it('records the head exactly as written', async () => {
    const { server, transport, calls } = await against(() => answer(200));
    await transport.send({ method: 'POST', url: `${server.origin}/p`, headers: [['A', 'b']], body: '{}' });
    const [call] = calls;
    expect(call?.request.head).toEqual({
      text: server.requests[0]?.raw.slice(0, -'{}'.length),
      source: 'as-written',
    });
    expect(call).toMatchObject({
      request: { method: 'POST', body: '{}' },
      remote: `127.0.0.1:${server.port}`,
      response: { status: 200 },
    });
    expect(call?.timings.totalMs).toBeGreaterThanOrEqual(call?.timings.firstByteMs ?? Infinity);
  });

  it('marks the head of a request that was never written as prepared', async () => {
    const closed = await startRecordingServer(nothing);
    await closed.close();
    const calls: Call[] = [];
    const transport = createTransport({ record: (call) => calls.push(call) });
    await transport.send({ method: 'GET', url: `${closed.origin}/p?q`, headers: [['A', 'b']] });
    expect(calls[0]).toMatchObject({
      request: {
        head: { text: `GET /p?q HTTP/1.1\r\nHost: 127.0.0.1:${closed.port}\r\nA: b\r\n\r\n`, source: 'as-prepared' },
      },
      failure: { kind: 'refused' },
    });
    expect(calls[0]?.response).toBeUndefined();
  });
});
