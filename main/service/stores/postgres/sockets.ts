import { Socket } from 'node:net';

/**
 * Makes the sockets below the driver's connections. The driver ends a connection politely and waits for the server to
 * do the same, so one that no longer answers would keep this process from ending.
 */
export function createSockets() {
  const open = new Set<Socket>();
  return {
    /** Makes the next socket, unconnected, as the driver's option `stream` asks for. */
    make(this: void): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    /** Lets this process end without waiting for the sockets that are still open. */
    unref(this: void): void {
      for (const socket of open) socket.unref();
    },
  };
}
