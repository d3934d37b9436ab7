import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import type { TestIdentity } from '../support/certificates.ts';

export type HostileHost = Awaited<ReturnType<typeof startHostileHost>>;

/**
 * A host of an attacker at one port, which is whatever it is taken for: a server with TLS and without, a proxy for HTTP
 * and for CONNECT, SOCKS 5, and where a script for proxies lies, which names this host. It opens TLS with a certificate
 * of its own, and remembers every byte that it can read.
 */
export async function startHostileHost({ cert, key }: TestIdentity) {
  let received = '';
  const sockets = new Set<Socket>();
  const context = tls.createSecureContext({ cert, key });

  function open(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', (first) => greet(socket, first));
  }

  function greet(socket: Socket, first: Buffer): void {
    received += first.toString('latin1');
    if (first[0] === 0x16) {
      socket.pause();
      socket.unshift(first);
      const secured = new tls.TLSSocket(socket, { isServer: true, secureContext: context });
      return open(secured);
    }
    if (first[0] === 5) {
      socket.write(Buffer.from([5, 0]));
      return void socket.once('data', (wanted) => {
        received += wanted.toString('latin1');
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        socket.once('data', (next) => greet(socket, next));
      });
    }
    if (first.toString('latin1').startsWith('CONNECT ')) {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      return void socket.once('data', (next) => greet(socket, next));
    }
    serve(socket, first);
  }

  /** Answers everything as a server would that takes any login. */
  function serve(socket: Socket, first: Buffer): void {
    const answer = (data: Buffer): void => {
      const isScript = data.toString('latin1').includes('.pac');
      const { port } = server.address() as AddressInfo;
      const body = isScript
        ? `function FindProxyForURL() { return 'PROXY 127.0.0.4:${port}' }`
        : JSON.stringify({ token: `9|${'evil'.repeat(10)}`, user: { name: 'Eve', email: 'eve@evil.test' } });
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    };
    socket.on('data', (data) => (received += data.toString('latin1')));
    // The body may come after the head.
    setTimeout(() => answer(first), 5);
  }

  const server = net.createServer(open);
  server.listen(0, '127.0.0.4');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.4:${port}`,
    /** Every byte that it could read, as Latin 1. */
    received: () => received,
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
