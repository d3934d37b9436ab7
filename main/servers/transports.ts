import { ConnectionSettings, type ConnectionSecret } from '../../preload/contract/connection.ts';
import type { ConnectionReport, Server } from '../../preload/contract/models.ts';
import type { ResolveProxy } from '../client/proxy-route.ts';
import type { Call } from '../client/call.ts';
import type { Transport } from '../client/transport.ts';

/** Gives a secret of one connection when it is needed. */
export type SecretOf = (secret: ConnectionSecret) => Promise<string | undefined>;

/** The built-in server is on this computer, whatever proxy the others need. */
const direct = ConnectionSettings.parse({ proxy: { mode: 'none' } });

export type Transports = ReturnType<typeof createTransports>;

/**
 * The way to each server, loaded with its first call. Connections are shared by nobody else, and made anew
 * when the settings change.
 */
export function createTransports(options: {
  resolveProxy: ResolveProxy;
  secretOf: (serverId: string, secret: ConnectionSecret) => Promise<string | undefined>;
  /** Told of every call; the server is unknown while an address is only being entered. */
  record: (serverId: string | undefined, call: Call) => void;
}) {
  const open = new Map<string, { settings: string; transport: Promise<Transport> }>();
  /** Ends the looks at addresses that are only being entered. */
  let looks = new AbortController();

  async function create(
    connection: ConnectionSettings,
    secretOf: SecretOf,
    serverId: string | undefined,
  ): Promise<Transport> {
    const { createTransport } = await import('../client/transport.ts');
    return createTransport({
      connection,
      resolveProxy: options.resolveProxy,
      passphrase: () => secretOf('passphrase'),
      proxyPassword: () => secretOf('proxyPassword'),
      record: (call) => options.record(serverId, call),
    });
  }

  function endLooks(): void {
    looks.abort();
    looks = new AbortController();
  }

  return {
    for(server: Server): Promise<Transport> {
      const { id, builtIn, connection, pins } = server;
      const settings = builtIn ? direct : { ...connection, pins };
      const text = JSON.stringify(settings);
      const known = open.get(id);
      if (known?.settings === text) return known.transport;
      void known?.transport.then(({ close }) => close());
      const transport = create(settings, (secret) => options.secretOf(id, secret), id);
      open.set(id, { settings: text, transport });
      return transport;
    },

    /** Ends every idle connection and every look; what it was made with is read again for the next one. */
    closeAll(): void {
      for (const { transport } of open.values()) void transport.then(({ close }) => close());
      open.clear();
      endLooks();
    },

    endLooks,

    /** Looks what answers at a base URL over a connection that is only being entered; nothing stays open. */
    async look(
      baseUrl: string,
      connection: ConnectionSettings | undefined,
      secretOf: SecretOf,
      serverId: string | undefined,
    ): Promise<ConnectionReport> {
      const { signal } = looks;
      const [{ testConnection }, transport] = await Promise.all([
        import('./connection-test.ts'),
        create(connection ?? direct, secretOf, serverId),
      ]);
      try {
        return await testConnection(transport, baseUrl, signal);
      } finally {
        transport.close();
      }
    },
  };
}
