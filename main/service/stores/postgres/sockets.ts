import { Socket } from 'node:net';

/**
 * The sockets of the driver's connections. The driver waits for the server to end a connection too, so a server that no
 * longer responds would keep this process running.
 */
export function createSockets() {
  const open = new Set<Socket>();
  return {
    /** For the driver's option `stream`; not connected. */
    make(this: void): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    /** Lets this process end while sockets are open. */
    unref(this: void): void {
      for (const socket of open) socket.unref();
    },
  };
}
