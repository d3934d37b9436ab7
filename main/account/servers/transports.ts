import { ConnectionSettings, type CertificateDetails, type TlsProblem } from '../../../preload/contract/connection.ts';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import type { ResolveProxy } from '../../client/proxy-route.ts';
import type { TransportCall } from '../../client/call.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { Transport, TransportOptions } from '../../client/transport.ts';
import { isLocalServerId } from '../config/config.ts';
import type { Destination } from './approved-origins.ts';
import type { ReadSecret } from './server-form.ts';
import type { ServerStore } from './server-store.ts';
import type { ServerSecrets } from './server-secrets.ts';

/** The built-in server and doubles are on this computer, whatever proxy the others need. */
const direct = ConnectionSettings.parse({ proxy: { mode: 'none' } });

/** Trusting one certificate would not solve these. */
const notAboutTheCertificate: ReadonlySet<TlsProblem> = new Set(['client-certificate', 'handshake']);

export type TransportsOptions = {
  resolveProxy: ResolveProxy;
  list: Pick<ServerStore, 'find'>;
  /** What goes along with the calls of a server out of the vault. */
  secrets: Pick<ServerSecrets, 'read' | 'headersOf'>;
  /** Whether anything may be sent there. */
  isApproved: (to: Destination) => boolean;
  /** Told of every call that was sent, recorded here or not. */
  onCall: (call: TransportCall) => void;
  /** Told of every call that is to be recorded; the server is unknown while an address is only being entered. */
  record: (serverId: string | undefined, call: TransportCall) => void;
};

/** What goes along with calls, and comes from the vault. */
export type VaultSecrets = { secretOf: ReadSecret; extraHeaders?: TransportOptions['extraHeaders'] };

/** The one transport of each server, made with the first call. Connections are shared by no two servers. */
export class Transports {
  readonly #options: TransportsOptions;
  readonly #open = new Map<string, Promise<Transport>>();
  /** Changes of connections that are under way. */
  readonly #changes = new Map<string, Promise<unknown>>();
  /** The certificate that the last call to a server was refused for. */
  readonly #refused = new Map<string, CertificateDetails>();
  #looks = new AbortController();

  constructor(options: TransportsOptions) {
    this.#options = options;
  }

  async for(serverId: string): Promise<Transport> {
    await this.#changes.get(serverId);
    const transport = this.#open.get(serverId) ?? this.#makeFor(serverId);
    this.#open.set(serverId, transport);
    return transport;
  }

  /** Closes a server's transport, which sends nothing more. The next one is made once `work` has changed the connection. */
  async change<T>(serverId: string, work: () => T | Promise<T>): Promise<T> {
    this.close(serverId);
    const changing = (async () => work())();
    const ended = changing.catch(() => undefined);
    this.#changes.set(serverId, ended);
    try {
      return await changing;
    } finally {
      if (this.#changes.get(serverId) === ended) this.#changes.delete(serverId);
    }
  }

  close(serverId: string): void {
    void this.#open.get(serverId)?.then((transport) => transport.close());
    this.#open.delete(serverId);
    this.#refused.delete(serverId);
  }

  /** Closes every transport and ends every look; what they were made with is read again for the next one. */
  closeAll(): void {
    for (const serverId of this.#open.keys()) this.close(serverId);
    this.cancelTests();
  }

  /** The certificate that the last call to this server was refused for, if it was. */
  rejectedCertificate(serverId: string): CertificateDetails | undefined {
    return this.#refused.get(serverId);
  }

  cancelTests(): void {
    this.#looks.abort();
    this.#looks = new AbortController();
  }

  /** Looks what answers at a base URL over a connection that is only being entered. */
  async testConnection(
    baseUrl: string,
    connection: ConnectionSettings | undefined,
    fromVault: VaultSecrets,
    serverId: string | undefined,
    adapter?: ApiAdapter,
  ): Promise<ConnectionReport> {
    const { signal } = this.#looks;
    const { runConnectionTest } = await import('./connection-test.ts');
    return this.withTransport(connection ?? direct, fromVault, serverId, (transport) =>
      runConnectionTest(transport, baseUrl, signal, adapter),
    );
  }

  /** Does something over a connection that is only being entered. Nothing stays open. */
  async withTransport<T>(
    connection: ConnectionSettings,
    fromVault: VaultSecrets,
    serverId: string | undefined,
    work: (transport: Transport) => Promise<T>,
  ): Promise<T> {
    const transport = await this.#make(connection, fromVault, (call) => this.#options.record(serverId, call));
    try {
      return await work(transport);
    } finally {
      transport.close();
    }
  }

  #makeFor(id: string): Promise<Transport> {
    const { list, secrets, record } = this.#options;
    const server = list.find(id);
    const settings = server && !isLocalServerId(id) ? { ...server.connection, pins: server.pins } : direct;
    const fromVault: VaultSecrets = {
      secretOf: (secret) => secrets.read(id, secret),
      extraHeaders: (url) => secrets.headersOf(id, url),
    };
    const made = this.#make(
      settings,
      fromVault,
      (call) => record(id, call),
      (call) => {
        if (this.#open.get(id) === made) this.#noteRefusal(id, call);
      },
    );
    return made;
  }

  #noteRefusal(id: string, { failure }: TransportCall): void {
    const certificate = failure?.kind === 'tls' && !notAboutTheCertificate.has(failure.problem) && failure.certificate;
    if (certificate) this.#refused.set(id, certificate);
    else this.#refused.delete(id);
  }

  async #make(
    connection: ConnectionSettings,
    { secretOf, extraHeaders }: VaultSecrets,
    record: (call: TransportCall) => void,
    note?: (call: TransportCall) => void,
  ): Promise<Transport> {
    const { isApproved, resolveProxy, onCall } = this.#options;
    const { createTransport } = await import('../../client/transport.ts');
    let isClosed = false;
    const transport = createTransport({
      connection,
      maySend: (url) => !isClosed && isApproved({ url, proxy: connection.proxy }),
      resolveProxy,
      passphrase: () => secretOf('passphrase'),
      proxyPassword: () => secretOf('proxyPassword'),
      extraHeaders,
      record,
    });
    return {
      async send(...sent) {
        const result = await transport.send(...sent);
        // Every call is noted, whether it is recorded or not.
        onCall(result.call);
        note?.(result.call);
        return result;
      },
      close() {
        isClosed = true;
        transport.close();
      },
    };
  }
}
