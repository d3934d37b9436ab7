import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TransportCall } from '../../../main/client/call.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { against, nothing } from '../../support/against.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';

/** An answer with this body and, unless it is empty, this Content-Encoding. */
const coded = (coding: string, body: Buffer | string): Buffer => {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 200 OK\r\n${coding && `Content-Encoding: ${coding}\r\n`}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
};

const gzipped = (bytes: Buffer): Buffer => coded('gzip', bytes);

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

  it('ignores the environment variables that name a proxy', async () => {
    const proxy = await startRecordingServer(() => answer(200));
    onTestFinished(() => proxy.close());
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.origin);
    for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
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

  const text = '{"a":"ñ"}';

  it.each([
    ['gzip', 'gzip', gzipSync(text)],
    ['gzip by its old name', 'X-GZIP', gzipSync(text)],
    ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(text))],
    ['zlib', 'deflate', deflateSync(text)],
    ['zlib without its head', 'deflate', deflateRawSync(text)],
    ['Brotli within gzip', 'br, gzip', gzipSync(brotliCompressSync(text))],
    ['Zstandard', 'zstd', zstdCompressSync(text)],
    ['gzip, which is not said', '', gzipSync(text)],
    ['gzip, where a charset stands', 'UTF-8', gzipSync(text)],
    ['nothing, although gzip is said', 'gzip', text],
    ['nothing, although gzip is said twice', 'gzip, gzip', text],
    ['nothing', 'identity', text],
    [
      'gzip five times',
      'gzip, gzip, identity, gzip, gzip, gzip',
      [1, 2, 3, 4, 5].reduce<Buffer>((inner) => gzipSync(inner), Buffer.from(text)),
    ],
  ])('is unpacked: %s', async (_name, coding, body) => {
    const { get } = await against(() => coded(coding, body));
    expect(await get()).toMatchObject({ ok: true, response: { body: text } });
  });

  const longText = JSON.stringify(Array.from({ length: 3000 }, (_each, at) => ({ at, name: `ñ${at * 7919}` })));

  it.each([
    ['its last byte', text, gzipSync(text).subarray(0, -1), 'gzip'],
    ['its length', text, gzipSync(text).subarray(0, -4), 'gzip'],
    ['its checksum', text, gzipSync(text).subarray(0, -8), 'gzip'],
    ['its checksum, of an answer in several parts', longText, gzipSync(longText).subarray(0, -8), 'gzip'],
    ['the checksum of zlib', text, deflateSync(text).subarray(0, -4), 'deflate'],
    ['the checksum of one within another', text, gzipSync(gzipSync(text).subarray(0, -8)), 'gzip, gzip'],
  ])('is read without %s where the rest is whole JSON', async (_name, body, packed, coding) => {
    const { get } = await against(() => coded(coding, packed));
    expect(await get()).toMatchObject({ ok: true, response: { body } });
  });

  it.each([
    ['JSON that is cut, too', gzipSync(longText).subarray(0, -60)],
    ['a text, of which nobody knows the end', gzipSync('Logged in').subarray(0, -8)],
    ['a page', gzipSync('<p>Logged in</p>').subarray(0, -8)],
  ])('is not read without its end where the rest is %s', async (_name, packed) => {
    const { get } = await against(() => coded('gzip', packed));
    expect(await get()).toMatchObject({ ok: false, failure: { kind: 'undecodable', code: 'Z_BUF_ERROR' } });
  });

  it('may have a head of 20 KB, and of 200', async () => {
    for (const length of [20_000, 200_000]) {
      const { get } = await against(() => answer(200, text, { 'X-Long': 'h'.repeat(length) }));
      expect(await get()).toMatchObject({ ok: true, response: { body: text } });
    }
  });

  it('is refused while it streams when it grows above the limit', async () => {
    const { server, get } = await against(
      (_request, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        const more = (error?: Error | null): void => {
          if (!error && !socket.destroyed) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, more);
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
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    const { get } = await against(() => gzipped(bomb));
    expect(await get()).toMatchObject({ ok: false, failure: { kind: 'too-large', limitBytes: 16 * 1024 * 1024 } });
  });

  it('of exactly the limit is accepted', async () => {
    const { get } = await against(() => answer(200, 'x'.repeat(100)), { bodyBytes: 100 });
    expect(await get()).toMatchObject({ ok: true });
  });

  it.each([
    ['gzip', gzipSync(text).subarray(0, 12)],
    ['gzip', Buffer.concat([gzipSync(text).subarray(0, 10), Buffer.from('no gzip')])],
    ['br', Buffer.from(text)],
    ['zstd', Buffer.from(text)],
    ['compress', Buffer.from(text)],
    ['gzip, br', gzipSync(text)],
  ])('that is not what its encoding says is undecodable: %s', async (coding, body) => {
    const { get } = await against(() => coded(coding, body));
    expect(await get()).toMatchObject({ ok: false, failure: { kind: 'undecodable', status: 200 } });
  });

  it('that names 5,000 codings is undecodable, and overflows no stack', async () => {
    const { get } = await against(() => coded(Array(5_000).fill('gzip').join(','), Buffer.from(text)));
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

describe('the record', () => {
  it('has the head exactly as written', async () => {
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
    const calls: TransportCall[] = [];
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
