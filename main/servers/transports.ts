import { isDeepStrictEqual } from 'node:util';
import {
  ConnectionSettings,
  type CertificateDetails,
  type ConnectionChoices,
  type ConnectionSecret,
  type Way,
} from '../../preload/contract/connection.ts';
import type { ConnectionReport } from '../../preload/contract/connection-report.ts';
import type { Server } from '../../preload/contract/models.ts';
import type { ResolveProxy } from '../client/proxy-route.ts';
import type { Call, HeaderList } from '../client/call.ts';
import type { Transport, TransportOptions } from '../client/transport.ts';
import { isRunHere } from '../config/config.ts';
import { wayOf, wayText } from '../config/way.ts';
import type { Destination } from './agreed-places.ts';
import { whoAsks } from './entered-connection.ts';
import { createRefusedCertificates } from './refused-certificates.ts';

/** Gives a secret of one connection when it is needed. */
export type SecretOf = (secret: ConnectionSecret) => Promise<string | undefined>;

/** The built-in server and doubles are on this computer, whatever proxy the others need. */
const direct = ConnectionSettings.parse({ proxy: { mode: 'none' } });

/** As many as there are secrets that may be known of them. */
const mostCalls = 20_000;

/** A server has one for the way of now, and one for each way of its sessions; the oldest goes. */
const mostOfServer = 8;

type TransportsOptions = {
  resolveProxy: ResolveProxy;
  secretOf: (serverId: string, secret: ConnectionSecret) => Promise<string | undefined>;
  /** The extra headers of a call to an address by a way. */
  headersOf: (serverId: string, way: Way, url: string) => Promise<HeaderList | undefined>;
  /** How a server is to be reached as it is now: its secrets belong to that. */
  connectionOf: (serverId: string) => ConnectionChoices | undefined;
  /** Whether anything may be sent there. */
  allows: (to: Destination) => boolean;
  /** Told of every call that was sent, recorded here or not. */
  onCall: (call: Call) => void;
  /** Told of every call that is to be recorded; the server is unknown while an address is only being entered. */
  record: (serverId: string | undefined, call: Call) => void;
};

/** What goes along with calls, and comes from the vault. */
type FromVault = { secretOf: SecretOf; extraHeaders?: TransportOptions['extraHeaders'] };

type MakeTransport = (
  connection: ConnectionSettings,
  fromVault: FromVault,
  record: (call: Call) => void,
) => Promise<Transport>;

export type Transports = ReturnType<typeof createTransports>;

/**
 * The transports to each server, loaded with the first call. Connections are shared by nobody else, and by no two ways
 * to a server: a session goes by its own.
 */
export function createTransports(options: TransportsOptions) {
  /** By server, and then by settings. */
  const open = new Map<string, Map<string, Promise<Transport>>>();
  const trail = createTrail();
  const refused = createRefusedCertificates();

  const make: MakeTransport = async (connection, { secretOf, extraHeaders }, record) => {
    const { createTransport } = await import('../client/transport.ts');
    const transport = createTransport({
      connection,
      maySend: (url) => options.allows({ url, proxy: connection.proxy }),
      resolveProxy: options.resolveProxy,
      passphrase: () => secretOf('passphrase'),
      proxyPassword: () => secretOf('proxyPassword'),
      extraHeaders,
      record,
    });
    return noting(transport, options.onCall);
  };
  const looks = createLooks(options, make);

  /** Makes a transport to a server, whose calls leave a trail. */
  async function makeFor(id: string, way: Way, settings: ConnectionSettings): Promise<Transport> {
    const asText = wayText(way);
    const extraHeaders = (url: string) => options.headersOf(id, way, url);
    const fromVault = { secretOf: (secret: ConnectionSecret) => secretFor(options, id, way, secret), extraHeaders };
    const transport = await make(settings, fromVault, (call) => options.record(id, call));
    return noting(transport, (call) => {
      trail.note(call.id, asText);
      refused.note(id, way, call);
    });
  }

  return {
    /** @param way that of now, unless a session goes by its own */
    for(server: Server, way: Way = wayOf(server)): Promise<Transport> {
      const { id, connection } = server;
      const settings: ConnectionSettings = isRunHere(id) ? direct : { limits: connection.limits, ...way };
      const text = JSON.stringify(settings);
      const ofServer = open.get(id) ?? new Map<string, Promise<Transport>>();
      open.set(id, ofServer);
      const known = ofServer.get(text);
      if (known) return known;
      const transport = makeFor(id, way, settings);
      ofServer.set(text, transport);
      const [oldest] = ofServer;
      if (oldest && ofServer.size > mostOfServer) {
        ofServer.delete(oldest[0]);
        void oldest[1].then(({ close }) => close());
      }
      return transport;
    },

    /** Whether a call of this run went by this way. */
    wentBy: trail.wentBy,

    /** The certificate that was just refused at this address by this way, if one was. */
    refusedAt: (serverId: string, baseUrl: string, way: Way): CertificateDetails | undefined =>
      refused.find(serverId, baseUrl, way),

    /** Ends every idle connection and every look; what it was made with is read again for the next one. */
    closeAll(): void {
      for (const ofServer of open.values()) {
        for (const transport of ofServer.values()) void transport.then(({ close }) => close());
      }
      open.clear();
      refused.forget();
      looks.endLooks();
    },

    ...looks,
  };
}

/** A transport of which every call is noted, whether it is recorded or not. */
const noting = (transport: Transport, note: (call: Call) => void): Transport => ({
  ...transport,
  async send(...sent) {
    const result = await transport.send(...sent);
    note(result.call);
    return result;
  },
});

/** A proxy gets the password that was entered for it, and a certificate the passphrase that was. */
async function secretFor(
  { connectionOf, secretOf }: TransportsOptions,
  serverId: string,
  way: Way,
  secret: ConnectionSecret,
): Promise<string | undefined> {
  const now = connectionOf(serverId);
  const isForIt =
    secret === 'proxyPassword'
      ? isDeepStrictEqual(now && whoAsks(now), whoAsks(way))
      : isDeepStrictEqual(now?.clientCertificate, way.clientCertificate);
  return isForIt ? secretOf(serverId, secret) : undefined;
}

/** By which way each call of this run went. */
function createTrail() {
  const ways = new Map<string, string>();
  return {
    note(callId: string, way: string): void {
      ways.set(callId, way);
      const [oldest] = ways.keys();
      if (oldest !== undefined && ways.size > mostCalls) ways.delete(oldest);
    },
    wentBy: (callId: string, way: Way): boolean => ways.get(callId) === wayText(way),
  };
}

/** Looks at addresses that are only being entered. */
function createLooks({ record }: Pick<TransportsOptions, 'record'>, make: MakeTransport) {
  let looks = new AbortController();

  return {
    endLooks(): void {
      looks.abort();
      looks = new AbortController();
    },

    /** Looks what answers at a base URL over a connection that is only being entered. Nothing stays open. */
    async look(
      baseUrl: string,
      connection: ConnectionSettings | undefined,
      fromVault: FromVault,
      serverId: string | undefined,
    ): Promise<ConnectionReport> {
      const { signal } = looks;
      const [{ testConnection }, transport] = await Promise.all([
        import('./connection-test.ts'),
        make(connection ?? direct, fromVault, (call) => record(serverId, call)),
      ]);
      try {
        return await testConnection(transport, baseUrl, signal);
      } finally {
        transport.close();
      }
    },
  };
}
