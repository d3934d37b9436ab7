import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** One call that went through: `POST /login 200`, with the token that it was sent with. */
type WatchedCall = { line: string; token: string | undefined };

/** Stands before a server, hands every byte on, and remembers what was called. */
export async function watchServer(origin: string) {
  const calls: WatchedCall[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const onward = send(new URL(url, origin), { method, headers }, (answer) => {
      const token = headers.authorization?.replace(/^Bearer /, '');
      calls.push({ line: `${method} /${path.basename(url)} ${answer.statusCode}`, token });
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens, so it has an address, and one of TCP.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Returns the calls since the last question. */
    take: (): WatchedCall[] => calls.splice(0),
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
