import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Dialed } from './dial.ts';
import type { ConnectionSecurity } from './trust.ts';

/** A connection checked out for one request. */
export type Connection = {
  /** True if the connection was used before. */
  reused: boolean;
  remote?: { address: string; port: number };
  security?: ConnectionSecurity;
  /** Sends one request. Afterwards the connection returns to the pool by itself, if both ends keep it open. */
  request(options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest;
  /** Closes a connection that was not used. */
  discard(): void;
};

/** Node and Apache close an idle connection after five seconds, so this is less. */
const idleMs = 4_000;
const maxIdle = 4;

/**
 * Idle connections by key. Node's agents choose a connection themselves, and open one if none is idle. Here the connection
 * is chosen before the request, so each has an agent of its own, which keeps it alive and watches it while it is idle.
 */
export function createConnectionPool() {
  const idle = new Map<string, { agent: http.Agent; connection: Connection }[]>();

  function add(key: string, secure: boolean, { socket, remote, security }: Dialed): Connection {
    const options = { keepAlive: true, maxSockets: 1, timeout: idleMs };
    const agent = secure ? new https.Agent(options) : new http.Agent(options);
    let sent = false;
    agent.createConnection = () => {
      // The connection died after it was chosen and before it was used.
      if (sent) throw Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
      sent = true;
      return socket;
    };
    const connection: Connection = {
      reused: false,
      ...(remote && { remote }),
      ...(security && { security }),
      request: (options, onResponse) => (secure ? https : http).request({ ...options, agent }, onResponse),
      discard: () => void (sent || socket.destroy()),
    };
    agent.on('free', () => {
      if (socket.destroyed) return;
      connection.reused = true;
      const others = idleOf(key);
      idle.set(key, [{ agent, connection }, ...others].slice(0, maxIdle));
      for (const { agent: surplus } of others.slice(maxIdle - 1)) surplus.destroy();
    });
    return connection;
  }

  function idleOf(key: string) {
    return (idle.get(key) ?? []).filter(({ agent }) => Object.keys(agent.freeSockets).length > 0);
  }

  return {
    add,

    /** Removes an idle connection from the pool. */
    take(key: string): Connection | undefined {
      const [first, ...others] = idleOf(key);
      idle.set(key, others);
      return first?.connection;
    },

    /** Closes the idle connections. */
    close(): void {
      for (const { agent } of [...idle.values()].flat()) agent.destroy();
      idle.clear();
    },
  };
}
