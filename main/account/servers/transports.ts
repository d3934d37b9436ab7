import { ConnectionSettings, type CertificateDetails, type TlsProblem } from '../../../preload/contract/connection.ts';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import type { ResolveProxy } from '../../client/proxy-route.ts';
import type { TransportCall } from '../../client/call.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { Transport, TransportOptions } from '../../client/transport.ts';
import { isLocalServerId } from '../config/server-ids.ts';
import type { Consent } from './consent.ts';
import type { ReadSecret } from './server-form.ts';
import type { ServerStore } from './server-store.ts';
import type { ServerSecrets } from './server-secrets.ts';

/** Of the built-in server and mock servers, which run on this computer. */
const direct = ConnectionSettings.parse({ proxy: { mode: 'none' } });

/** Pinning a certificate would not solve these. */
const notAboutTheCertificate: ReadonlySet<TlsProblem> = new Set(['client-certificate', 'handshake']);

export type TransportsOptions = {
  resolveProxy: ResolveProxy;
  store: Pick<ServerStore, 'find'>;
  secrets: Pick<ServerSecrets, 'read' | 'headersOf'>;
  consent: Pick<Consent, 'isApproved'>;
  /** Also of calls that are not recorded. */
  onCall: (call: TransportCall) => void;
  /** The server is unknown while its address is only being entered. */
  record: (serverId: string | undefined, call: TransportCall) => void;
};

export type VaultSecrets = { secretOf: ReadSecret; extraHeaders?: TransportOptions['extraHeaders'] };

/** One transport for each server, made with the first call. No two servers share a connection. */
export class Transports {
  readonly #options: TransportsOptions;
  readonly #open = new Map<string, Promise<Transport>>();
  readonly #changes = new Map<string, Promise<unknown>>();
  /** The certificate that the last call rejected, by server id. */
  readonly #rejected = new Map<string, CertificateDetails>();
  #tests = new AbortController();

  constructor(options: TransportsOptions) {
    this.#options = options;
  }

  async for(serverId: string): Promise<Transport> {
    await this.#changes.get(serverId);
    const transport = this.#open.get(serverId) ?? this.#makeFor(serverId);
    this.#open.set(serverId, transport);
    return transport;
  }

  /** Closes the transport, which sends nothing more. The next one is made after `work` has changed the connection. */
  async change<T>(serverId: string, work: () => T | Promise<T>): Promise<T> {
    this.close(serverId);
    const change = (async () => work())();
    const settled = change.catch(() => undefined);
    this.#changes.set(serverId, settled);
    try {
      return await change;
    } finally {
      if (this.#changes.get(serverId) === settled) this.#changes.delete(serverId);
    }
  }

  close(serverId: string): void {
    void this.#open.get(serverId)?.then((transport) => transport.close());
    this.#open.delete(serverId);
    this.#rejected.delete(serverId);
  }

  /** Closes every transport and cancels every test. */
  closeAll(): void {
    for (const serverId of this.#open.keys()) this.close(serverId);
    this.cancelTests();
  }

  rejectedCertificate(serverId: string): CertificateDetails | undefined {
    return this.#rejected.get(serverId);
  }

  cancelTests(): void {
    this.#tests.abort();
    this.#tests = new AbortController();
  }

  async testConnection(
    baseUrl: string,
    connection: ConnectionSettings | undefined,
    fromVault: VaultSecrets,
    serverId: string | undefined,
    adapter?: ApiAdapter,
  ): Promise<ConnectionReport> {
    const { signal } = this.#tests;
    const { runConnectionTest } = await import('./connection-test.ts');
    return this.withTransport(connection ?? direct, fromVault, serverId, (transport) =>
      runConnectionTest(transport, baseUrl, signal, adapter),
    );
  }

  /** Closes the transport after the work. */
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
    const { store, secrets, record } = this.#options;
    const server = store.find(id);
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
        if (this.#open.get(id) === made) this.#noteRejection(id, call);
      },
    );
    return made;
  }

  #noteRejection(id: string, { failure }: TransportCall): void {
    const certificate = failure?.kind === 'tls' && !notAboutTheCertificate.has(failure.problem) && failure.certificate;
    if (certificate) this.#rejected.set(id, certificate);
    else this.#rejected.delete(id);
  }

  async #make(
    connection: ConnectionSettings,
    { secretOf, extraHeaders }: VaultSecrets,
    record: (call: TransportCall) => void,
    note?: (call: TransportCall) => void,
  ): Promise<Transport> {
    const { consent, resolveProxy, onCall } = this.#options;
    const { createTransport } = await import('../../client/transport.ts');
    let isClosed = false;
    const transport = createTransport({
      connection,
      maySend: (url) => !isClosed && consent.isApproved({ url, proxy: connection.proxy }),
      resolveProxy,
      passphrase: () => secretOf('passphrase'),
      proxyPassword: () => secretOf('proxyPassword'),
      extraHeaders,
      record,
    });
    return {
      async send(...sent) {
        const result = await transport.send(...sent);
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
