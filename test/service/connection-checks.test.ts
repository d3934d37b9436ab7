import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { checkWhileConnected } from '../../main/service/connection-checks.ts';

let server: Server;
afterEach(() => new Promise((resolve) => void server.close(resolve)));

async function listening(): Promise<number> {
  server = createServer({ headersTimeout: 200, connectionsCheckingInterval: 20 });
  checkWhileConnected(server, 20);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on a port has an address with one.
  return (server.address() as AddressInfo).port;
}

/** The milliseconds between two looks, as Node was told. */
const every = (): unknown => Reflect.get(server, 'connectionsCheckingInterval');

it('looks for slow requests while somebody is connected, and at no other time', async () => {
  const port = await listening();
  expect(every()).toBeGreaterThan(86_400_000);
  const first = connect(port, '127.0.0.1');
  const second = connect(port, '127.0.0.1');
  await vi.waitFor(() => expect(every()).toBe(20));
  first.destroy();
  second.destroy();
  await vi.waitFor(() => expect(every()).toBeGreaterThan(86_400_000));
});

it('ends a request that takes too long, also after a time without any', async () => {
  const port = await listening();
  const before = connect(port, '127.0.0.1');
  await once(before, 'connect');
  before.destroy();
  await vi.waitFor(() => expect(every()).toBeGreaterThan(86_400_000));
  const slow = connect(port, '127.0.0.1');
  slow.write('GET / HTTP/1.1\r\n');
  let answer = '';
  slow.on('data', (part: Buffer) => (answer += part.toString()));
  await once(slow, 'close');
  expect(answer).toContain('408');
});
