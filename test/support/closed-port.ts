import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns a port of this computer at which nothing listens: it was bound and closed again. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with it.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
