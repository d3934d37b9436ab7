import type { Server } from 'node:http';

/** As long as a timer can be. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Has Node look for requests that take too long only while somebody is connected. It would look every second for good,
 * and wake a computer on which nobody asks anything. Where Node's own way of starting it is not found, it looks for good.
 */
export function checkWhileConnected(server: Server, everyMs: number): void {
  const start = server.listeners('listening').find(({ name }) => name === 'setupConnectionsTracking');
  if (!start) return;
  let open = 0;
  // Node starts its timer anew each time, with what the property says then.
  function checkEvery(milliseconds: number): void {
    if (server.listening) start?.call(Object.assign(server, { connectionsCheckingInterval: milliseconds }));
  }
  server.on('listening', () => checkEvery(NEVER_MS));
  server.on('connection', (socket) => {
    if (++open === 1) checkEvery(everyMs);
    socket.once('close', () => {
      if (--open === 0) checkEvery(NEVER_MS);
    });
  });
}
