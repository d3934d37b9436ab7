import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import net, { type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ProxyAddress } from '../../preload/contract/connection.ts';
import type { TestIdentity } from './certificates.ts';
import { portOf } from './recording-server.ts';

export type Login = { username: string; password: string };

/** A proxy on 127.0.0.1 for which every name is 127.0.0.1. `asked` has what it was asked for, as `host:port`. */
export type TestProxy = { proxy: ProxyAddress; asked: string[]; openConnections: () => number };

const everyName = '127.0.0.1';

/**
 * Starts a proxy that passes plain requests on and opens tunnels for CONNECT. `answersConnect` is what it says instead
 * of opening one. With `tls` it is itself spoken to over TLS.
 */
export async function startHttpProxy(
  options: { login?: Login; tls?: TestIdentity; answersConnect?: string } = {},
): Promise<TestProxy & { forwarded: { requestLine: string; rawHeaders: string[] }[] }> {
  const { login, tls, answersConnect } = options;
  const asked: string[] = [];
  const forwarded: { requestLine: string; rawHeaders: string[] }[] = [];
  const wanted = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const mayPass = ({ headers }: IncomingMessage): boolean =>
    wanted === undefined || headers['proxy-authorization'] === wanted;

  const server = tls ? https.createServer({ cert: tls.cert, key: tls.key }) : http.createServer();
  server.on('request', (request, response) => {
    const { method, url = '', rawHeaders } = request;
    forwarded.push({ requestLine: `${method} ${url}`, rawHeaders });
    if (!mayPass(request)) {
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="tests"' }).end('who are you?');
      return;
    }
    const target = new URL(url);
    asked.push(target.host);
    const kept = rawHeaders.filter((_, index) => !/^proxy-/i.test(rawHeaders[index - (index % 2)] ?? ''));
    const onward = http.request(
      { host: everyName, port: target.port, path: target.pathname + target.search, method, headers: kept },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    client.on('error', () => client.destroy());
    asked.push(request.url ?? '');
    if (answersConnect !== undefined) client.end(answersConnect);
    else if (!mayPass(request))
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 3\r\n\r\nwho');
    else {
      const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1]);
      joinTo(client, port, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    }
  });
  const openConnections = await listen(server);
  return { proxy: addressOf(tls ? 'https' : 'http', server), asked, forwarded, openConnections };
}

/** Starts a proxy for SOCKS 5 (RFC 1928, RFC 1929) and CONNECT. `refusal` is the reply code of one that refuses. */
export async function startSocksProxy(options: { login?: Login; refusal?: number } = {}): Promise<TestProxy> {
  const { login, refusal } = options;
  const asked: string[] = [];
  const server = net.createServer((client) => {
    client.on('error', () => client.destroy());
    void negotiate(client).catch(() => client.destroy());
  });

  async function negotiate(client: Socket): Promise<void> {
    const take = reader(client);
    const [, methodCount = 0] = await take(2);
    const methods = await take(methodCount);
    const method = login ? 2 : 0;
    if (!methods.includes(method)) return void client.end(Buffer.from([5, 0xff]));
    client.write(Buffer.from([5, method]));
    if (login) {
      const [, nameLength = 0] = await take(2);
      const username = (await take(nameLength)).toString();
      const password = (await take((await take(1))[0] ?? 0)).toString();
      const known = username === login.username && password === login.password;
      client.write(Buffer.from([1, known ? 0 : 1]));
      if (!known) return void client.end();
    }
    const [, , , kind = 0] = await take(4);
    const host =
      kind === 3 ? (await take((await take(1))[0] ?? 0)).toString() : (await take(kind === 1 ? 4 : 16)).join('.');
    const port = (await take(2)).readUInt16BE();
    asked.push(`${host}:${port}`);
    const reply = (code: number): boolean => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (refusal !== undefined) {
      reply(refusal);
      return void client.end();
    }
    client.removeAllListeners('readable');
    joinTo(client, port, () => reply(0));
  }

  const openConnections = await listen(server);
  return { proxy: addressOf('socks5', server), asked, openConnections };
}

/** Reads exactly so many bytes at a time. */
function reader(socket: Socket): (length: number) => Promise<Buffer> {
  return async (length) => {
    if (length === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes: unknown = socket.read(length);
      if (Buffer.isBuffer(bytes)) return bytes;
      await once(socket, 'readable');
    }
  };
}

function joinTo(client: Socket, port: number, onConnected: () => void): void {
  const server = net.connect(port, everyName, () => {
    onConnected();
    client.pipe(server).pipe(client);
  });
  server.on('error', () => client.destroy());
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
}

async function listen(server: Server): Promise<() => number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return () => sockets.size;
}

function addressOf(scheme: ProxyAddress['scheme'], server: Server): ProxyAddress {
  return { scheme, host: '127.0.0.1', port: portOf(server) };
}
