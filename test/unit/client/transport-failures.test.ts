import http2 from 'node:http2';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTransport } from '../../../main/client/transport.ts';
import { against, nothing } from '../../support/against.ts';
import { badAnswers, brokenHttp } from '../../support/bad-answers.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { answer, portOf, startRecordingServer } from '../../support/recording-server.ts';

const trusted = makeCertificate({ commonName: 'server', names: ['127.0.0.1'] });

describe('a failure', () => {
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
      failure: { kind: 'tls', problem: 'not-tls', code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
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

  it('ends the wait for a server that takes the request and stays silent', async () => {
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

  it('ends the search for a name that is never found', async () => {
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
  const answers = { ...badAnswers, ...brokenHttp };
  const cases: [name: keyof typeof answers, failure: object][] = [
    ['hanging', { kind: 'timeout', phase: 'first-byte' }],
    ['dripping', { kind: 'timeout', phase: 'total' }],
    ['truncated', { kind: 'truncated', status: 200 }],
    ['headless', { kind: 'connection-lost', answerBegun: true }],
    ['gzipBomb', { kind: 'too-large', limitBytes: 16 * 1024 * 1024 }],
    ['endless', { kind: 'too-large', limitBytes: 16 * 1024 * 1024 }],
    ['reset', { kind: 'connection-lost', code: 'ECONNRESET', answerBegun: false }],
    ['notHttp', { kind: 'broken-http', problem: 'not-http', code: 'HPE_INVALID_CONSTANT' }],
    ['http2', { kind: 'broken-http', problem: 'http-2', code: 'HPE_INVALID_CONSTANT' }],
    ['hugeHead', { kind: 'broken-http', problem: 'head-too-long', code: 'HPE_HEADER_OVERFLOW' }],
    ['lengthBesideChunks', { kind: 'broken-http', problem: 'length' }],
    ['doubledLength', { kind: 'broken-http', problem: 'length' }],
    ['listedLength', { kind: 'broken-http', problem: 'length' }],
    ['bareLineFeeds', { kind: 'broken-http', problem: 'line-ends', code: 'HPE_CR_EXPECTED' }],
    ['wrongChunk', { kind: 'broken-http', problem: 'chunks', code: 'HPE_INVALID_CHUNK_SIZE', status: 200 }],
    ['blankInName', { kind: 'broken-http', problem: 'other', code: 'HPE_INVALID_HEADER_TOKEN' }],
  ];

  it.each(cases.flatMap(([name, failure]) => [false, true].map((tls) => ({ name, failure, tls }))))(
    'is a value, and leaves no connection behind: $name, over TLS $tls',
    async ({ name, failure, tls }) => {
      const server = await startRecordingServer(answers[name], tls ? trusted : undefined);
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
      // A connection whose call was whole may be idle now.
      transport.close();
      await expect.poll(() => server.openConnections()).toBe(0);
    },
  );

  it.each([
    ['version', 70],
    ['protocol', 120],
    ['name', 112],
    ['client-certificate', 49],
    ['handshake', 40],
  ])('that is an alert of TLS is named: %s', async (problem, alert) => {
    // RFC 8446, 5.1 and 6: a fatal alert in a record of its own.
    const server = createServer((socket) =>
      socket.on('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert]))),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${portOf(server)}`;
    const result = await createTransport().send({ method: 'POST', url, headers: [] });
    expect(result).toMatchObject({
      failure: { kind: 'tls', problem, code: expect.stringContaining('ALERT') as string },
    });
  });

  it('of a server of HTTP/2 alone is named, plain or over TLS', async () => {
    for (const [server, failure] of [
      [http2.createServer(), { kind: 'broken-http', problem: 'http-2' }],
      [http2.createSecureServer(trusted), { kind: 'tls', problem: 'protocol' }],
    ] as const) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const url = `${'setSecureContext' in server ? 'https' : 'http'}://127.0.0.1:${portOf(server)}`;
      const transport = createTransport({ systemCertificates: () => [trusted.cert] });
      expect(await transport.send({ method: 'POST', url, headers: [] })).toMatchObject({ failure });
    }
  });

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
