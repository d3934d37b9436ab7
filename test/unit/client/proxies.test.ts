import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionSettings, type ProxyAddress, type ProxySettings } from '../../../preload/contract/connection.ts';
import type { TransportRequest } from '../../../main/client/call.ts';
import { createTransport, type TransportOptions } from '../../../main/client/transport.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts';
import { answer, startRecordingServer, type Respond } from '../../support/recording-server.ts';

const login = { username: 'ana', password: 'p:ä ß' };
const basic = `Basic ${Buffer.from('ana:p:ä ß').toString('base64')}`;

function through(proxy: ProxyAddress | ProxySettings, options: TransportOptions = {}, username?: string) {
  const settings: unknown =
    'mode' in proxy ? proxy : { mode: 'manual', proxy, ...(username !== undefined && { username }) };
  const transport = createTransport({ ...options, connection: ConnectionSettings.parse({ proxy: settings }) });
  onTestFinished(() => transport.close());
  return transport;
}

async function startServer(respond: Respond = () => answer(200, 'welcome')) {
  const server = await startRecordingServer(respond);
  onTestFinished(() => server.close());
  return server;
}

const to = (port: number, scheme: 'http' | 'https', more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'POST',
  url: `${scheme}://api.example.test:${port}/a?b`,
  headers: [['Accept', 'application/json']],
  ...more,
});

/** Returns an address where nothing listens: no other test is ever given port 1. */
const nowhere = (scheme: ProxyAddress['scheme'] = 'http'): ProxyAddress => at(1, scheme);

const at = (port: number, scheme: ProxyAddress['scheme']): ProxyAddress => ({ scheme, host: '127.0.0.1', port });

describe('a plain request', () => {
  it('names its whole address to an HTTP proxy, and adds nothing else', async () => {
    const server = await startServer();
    const front = await startServer();
    const result = await through(at(front.port, 'http')).send(to(server.port, 'http', { body: 'ñ' }));
    expect(result).toMatchObject({ ok: true, call: { proxy: `http://127.0.0.1:${front.port}` } });
    expect(front.requests[0]?.raw.split('\r\n').slice(0, -1)).toEqual([
      `POST http://api.example.test:${server.port}/a?b HTTP/1.1`,
      `Host: api.example.test:${server.port}`,
      'Accept: application/json',
      'Content-Length: 2',
      'Connection: keep-alive',
      '',
    ]);
    expect(server.connections()).toBe(0);
  });

  it('shows its credentials to the proxy and not to the server', async () => {
    const server = await startServer();
    const { proxy, forwarded } = await startHttpProxy({ login });
    const transport = through(proxy, { proxyPassword: async () => login.password }, login.username);
    expect(await transport.send(to(server.port, 'http'))).toMatchObject({ ok: true, response: { body: 'welcome' } });
    expect(forwarded[0]?.rawHeaders).toEqual(expect.arrayContaining(['Proxy-Authorization', basic]));
    expect(server.requests[0]?.raw).not.toMatch(/proxy/i);
  });

  it('shows them in a tunnel to the proxy alone too', async () => {
    const server = await startServer();
    const { proxy } = await startSocksProxy({ login });
    const transport = through(proxy, { proxyPassword: async () => login.password }, login.username);
    await transport.send(to(server.port, 'http'));
    expect(server.requests[0]?.headers.map(([name]) => name)).toEqual([
      'Host',
      'Accept',
      'Content-Length',
      'Connection',
    ]);
  });

  it('uses its connection again when it is safe to', async () => {
    const front = await startServer();
    const transport = through(at(front.port, 'http'));
    const get = to(80, 'http', { method: 'GET' });
    const calls = [await transport.send(get), await transport.send(get), await transport.send(to(80, 'http'))];
    expect(calls.map(({ call }) => call.reusedConnection)).toEqual([false, true, false]);
    expect(front.connections()).toBe(2);
  });

  it('is answered by the proxy itself when the credentials are wrong', async () => {
    const server = await startServer();
    const { proxy } = await startHttpProxy({ login });
    const result = await through(proxy).send(to(server.port, 'http'));
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'proxy', proxy: `127.0.0.1:${proxy.port}`, problem: 'credentials', status: 407 },
    });
    expect(server.connections()).toBe(0);
  });

  it('is not refused by a 407 of the server itself', async () => {
    const server = await startServer(() => answer(407, 'odd'));
    const { proxy } = await startSocksProxy();
    expect(await through(proxy).send(to(server.port, 'http'))).toMatchObject({ ok: true, response: { status: 407 } });
  });
});

describe('a proxy that fails', () => {
  const cases: [
    name: string,
    start: () => Promise<{ proxy: ProxyAddress; username?: string; password?: string }>,
    failure: object,
  ][] = [
    ['is not there', async () => ({ proxy: nowhere() }), { problem: 'unreachable', code: 'ECONNREFUSED' }],
    ['is not there, by SOCKS', async () => ({ proxy: nowhere('socks5') }), { problem: 'unreachable' }],
    ['has a name nobody knows', async () => ({ proxy: { ...nowhere(), host: 'proxy.invalid' } }), {}],
    ['wants credentials', () => startHttpProxy({ login }), { problem: 'credentials', status: 407 }],
    [
      'wants other credentials',
      async () => ({ ...(await startHttpProxy({ login })), username: 'eve', password: 'x' }),
      { problem: 'credentials', status: 407 },
    ],
    ['wants credentials, by SOCKS', () => startSocksProxy({ login }), { problem: 'credentials' }],
    [
      'wants other credentials, by SOCKS',
      async () => ({ ...(await startSocksProxy({ login })), username: 'eve', password: 'x' }),
      { problem: 'credentials' },
    ],
    [
      'does not reach the server',
      () => startHttpProxy({ answersConnect: 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno' }),
      { problem: 'refused', status: 502 },
    ],
    ['closes the connection', () => startHttpProxy({ answersConnect: '' }), { problem: 'refused', code: 'ECONNRESET' }],
    ['does not reach the server, by SOCKS', () => startSocksProxy({ refusal: 5 }), { problem: 'refused' }],
    [
      'is another kind of server',
      async () => ({ proxy: at((await startServer(() => 'SSH-2.0-OpenSSH_9.2\r\n\r\n')).port, 'http') }),
      { problem: 'not-a-proxy' },
    ],
    [
      'speaks HTTP and no SOCKS',
      async () => ({ proxy: { ...(await startHttpProxy()).proxy, scheme: 'socks5' } }),
      { problem: 'not-a-proxy' },
    ],
    [
      'speaks no TLS',
      async () => ({ proxy: { ...(await startHttpProxy()).proxy, scheme: 'https' } }),
      { problem: 'not-a-proxy' },
    ],
    [
      'shows a certificate nobody vouches for',
      () => startHttpProxy({ tls: makeCertificate({ commonName: 'proxy', names: ['127.0.0.1'] }) }),
      { problem: 'untrusted', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', certificate: { names: ['127.0.0.1'] } },
    ],
  ];

  it.each(cases)('is told apart when it %s', async (_case, start, failure) => {
    const server = await startServer();
    const { proxy, username, password } = await start();
    const transport = through(proxy, { proxyPassword: async () => password }, username);
    expect(await transport.send(to(server.port, 'https'))).toMatchObject({
      ok: false,
      failure: { kind: 'proxy', proxy: `${proxy.host}:${proxy.port}`, ...failure },
    });
    expect(server.connections()).toBe(0);
  });
});

describe('the resolver of the system', () => {
  it('is told the origin alone, once for each request', async () => {
    const server = await startServer();
    const origins: string[] = [];
    const resolveProxy = async (origin: string): Promise<string> => {
      origins.push(origin);
      return 'DIRECT';
    };
    const url = `${server.origin}/secret/path?token=1`;
    await through({ mode: 'system' }, { resolveProxy }).send({ method: 'GET', url, headers: [] });
    expect(origins).toEqual([`${server.origin}/`]);
  });

  it('names the next way for a proxy that nothing answers at', async () => {
    const server = await startServer();
    const gone = nowhere();
    const { proxy } = await startSocksProxy();
    const resolveProxy = async (): Promise<string> =>
      `PROXY 127.0.0.1:${gone.port}; SOCKS5 127.0.0.1:${proxy.port}; DIRECT`;
    const result = await through({ mode: 'system' }, { resolveProxy }).send(to(server.port, 'http'));
    expect(result).toMatchObject({ ok: true, call: { proxy: `socks5://127.0.0.1:${proxy.port}` } });
    expect(server.requests).toHaveLength(1);
  });

  it('goes directly where it may, when the proxy is not there', async () => {
    const server = await startServer();
    const gone = nowhere();
    const resolveProxy = async (): Promise<string> => `PROXY 127.0.0.1:${gone.port}; DIRECT`;
    const transport = through({ mode: 'system' }, { resolveProxy });
    const result = await transport.send({ method: 'POST', url: server.origin, headers: [] });
    expect(result.ok).toBe(true);
    expect(result.call.proxy).toBeUndefined();
  });

  it('is not passed by when a proxy refuses', async () => {
    const server = await startServer();
    const { proxy } = await startHttpProxy({ answersConnect: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
    const resolveProxy = async (): Promise<string> => `PROXY 127.0.0.1:${proxy.port}; DIRECT`;
    const transport = through({ mode: 'system' }, { resolveProxy });
    const result = await transport.send({ method: 'POST', url: `https://127.0.0.1:${server.port}`, headers: [] });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'proxy', problem: 'refused', status: 403 } });
    expect(server.connections()).toBe(0);
  });

  it.each([
    ['fails', (): Promise<string> => Promise.reject(new Error('no such script'))],
    ['has a script that could not be fetched or run', async (): Promise<string> => ''],
    ['names only what we do not speak', async (): Promise<string> => 'QUIC 127.0.0.1:443'],
  ])('sends nothing when it %s', async (_case, resolveProxy) => {
    const server = await startServer();
    const transport = through({ mode: 'system' }, { resolveProxy });
    const result = await transport.send({ method: 'POST', url: server.origin, headers: [] });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'proxy', problem: 'unresolved' } });
    expect(server.connections()).toBe(0);
  });

  it('is needed for a PAC script', async () => {
    const server = await startServer();
    const transport = through({ mode: 'pac', url: 'http://pac.test/proxy.pac' });
    expect(await transport.send({ method: 'POST', url: server.origin, headers: [] })).toMatchObject({
      failure: { kind: 'proxy', problem: 'unresolved' },
    });
  });
});

describe('a proxy that is slow', () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const silent: [
    name: string,
    start: () => Promise<{ transport: (more: TransportOptions) => ReturnType<typeof through>; idle: () => boolean }>,
  ][] = [
    [
      'the resolver',
      async () => ({
        transport: (more) => through({ mode: 'system' }, { resolveProxy: never, ...more }),
        idle: () => true,
      }),
    ],
    ...(['http', 'https', 'socks5'] as const).map((scheme): (typeof silent)[number] => [
      `a proxy by ${scheme}`,
      async () => {
        const server = await startServer(() => undefined);
        return {
          transport: (more) => through(at(server.port, scheme), more),
          idle: () => server.openConnections() === 0,
        };
      },
    ]),
    [
      'the vault with the password',
      async () => {
        const { proxy, openConnections } = await startHttpProxy({ login });
        return {
          transport: (more) => through(proxy, { proxyPassword: never, ...more }, 'ana'),
          idle: () => openConnections() === 0,
        };
      },
    ],
  ];

  it.each(silent)('meets the limit of connecting: %s', async (_case, start) => {
    const { transport, idle } = await start();
    const result = await transport({ limits: { connectSeconds: 0.05 } }).send(to(443, 'https'));
    expect(result).toMatchObject({ ok: false, failure: { kind: 'timeout', phase: 'connect', seconds: 0.05 } });
    await expect.poll(idle).toBe(true);
  });

  it.each(silent)('can be cancelled: %s', async (_case, start) => {
    const { transport, idle } = await start();
    const controller = new AbortController();
    const sent = transport({}).send(to(443, 'https'), { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await sent).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    await expect.poll(idle).toBe(true);
  });
});
