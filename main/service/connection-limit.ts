import { BlockList, isIPv6, type Socket } from 'node:net';
import { clientNetwork } from './domain/client-network.ts';
import type { App } from './route-dependencies.ts';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Tests addresses against a list of addresses and networks, also IPv4 in its IPv6 form. */
function createAddressTest(members: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const member of members) {
    const [address = '', bits] = member.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/**
 * Limits the connections of one client, so that none takes all. A trusted proxy has the connections of many clients and no
 * limit.
 */
export function limitConnections(
  app: App,
  { perClient, trustedProxies }: { perClient: number; trustedProxies: readonly string[] },
): void {
  const isProxy = createAddressTest(trustedProxies);
  const open = new Map<string, number>();

  function count(socket: Socket, client: string): void {
    const others = open.get(client) ?? 0;
    if (others >= perClient) {
      socket.destroy();
      return;
    }
    open.set(client, others + 1);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  }

  app.server.on('connection', (socket: Socket) => {
    // Missing if the connection is already closed.
    const address = socket.remoteAddress;
    if (address === undefined) socket.destroy();
    else if (!isProxy(address)) count(socket, clientNetwork(address));
  });
}
