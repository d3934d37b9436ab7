import type { ConnectionSettings } from '../../../preload/contract/connection.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Transport } from '../../client/transport.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { isLocalServerId, type StoredRealServer } from '../config/config.ts';
import type { ApprovedOrigins } from './approved-origins.ts';
import { hostOf, hasSameConnection } from './confirm-connection-change.ts';
import { parseServerAddress, type ServerFormInput, type ValidatedServerForm } from './server-form.ts';
import type { ProductionGuard } from './production-guard.ts';
import type { ServerStore } from './server-store.ts';
import type { ServerSecrets } from './server-secrets.ts';
import type { VaultSecrets, Transports } from './transports.ts';
import { adapterFor } from './adapter-cache.ts';

/**
 * A server as it is entered: what is sent over, how it is spoken to, the text of its description, which is empty for
 * Llavero's own, and the values of secret variables.
 */
type EnteredWay = { transport: Transport; adapter: ApiAdapter; text: string; secrets: string[] };
type ReadWay = Omit<EnteredWay, 'transport'> & { settings: ConnectionSettings; fromVault: VaultSecrets };

type Asked = Parameters<Handlers['servers']['test']>[0];

type EnteredWaysOptions = {
  list: Pick<ServerStore, 'find'>;
  approvedOrigins: Pick<ApprovedOrigins, 'confirm'>;
  secrets: Pick<ServerSecrets, 'headersForTest' | 'variablesOf'>;
  transports: Pick<Transports, 'testConnection' | 'withTransport'>;
  production: Pick<ProductionGuard, 'checkDraft'>;
  listed: () => readonly Server[];
  read: (entered: ServerFormInput, before: StoredRealServer | undefined) => Promise<Result<ValidatedServerForm>>;
};

/** Does what is asked of a server as its form has it, saved or not, over a connection that is closed after it. */
export class DraftConnections {
  readonly #options: EnteredWaysOptions;

  constructor(options: EnteredWaysOptions) {
    this.#options = options;
  }

  /** Looks what answers, once the person agreed to it, with the connection as entered. The trusted certificates go with the server's address. */
  async test({ id, ...entered }: Asked): Promise<Result<ConnectionReport>> {
    if (id !== undefined && isLocalServerId(id)) {
      const address = parseServerAddress(
        entered.address,
        this.#options.listed().find((each) => each.id === id)?.baseUrl,
      );
      if (!address.ok) return address;
      return ok(
        await this.#options.transports.testConnection(
          address.value,
          undefined,
          { secretOf: async () => undefined },
          id,
        ),
      );
    }
    const way = await this.#wayOf(id, entered, { guard: () => ok(null), mayLackSecrets: true });
    if (!way.ok) return way;
    const { settings, fromVault, adapter } = way.value;
    return ok(await this.#options.transports.testConnection(adapter.baseUrl, settings, fromVault, id, adapter));
  }

  /**
   * Does something at a server as it is entered, saved or not, over a connection of its own that is closed after it. The
   * host is asked for at production, by the form or by what is known of that host, and a new place is asked about.
   * @param consent what else the person is asked, once all that was entered can be used
   */
  async withConnection<T>(
    { id, production, ...entered }: ServerFormInput & { id?: string | undefined; production: boolean },
    consent: (to: { host: string; production: boolean; adapter: ApiAdapter }) => Promise<Result<null>>,
    work: (way: EnteredWay) => Promise<T>,
  ): Promise<Result<T>> {
    if (id !== undefined && (isLocalServerId(id) || !this.#options.list.find(id))) return fail({ kind: 'not-now' });
    const guard = (baseUrl: string): Result<null> => {
      const isProduction = production || this.#isProduction(id, baseUrl);
      return isProduction ? this.#options.production.checkDraft(id ?? '', baseUrl) : ok(null);
    };
    const way = await this.#wayOf(id, entered, { guard, mayLackSecrets: false });
    if (!way.ok) return way;
    const { settings, fromVault, adapter, text, secrets } = way.value;
    const { baseUrl } = adapter;
    const isProduction = production || this.#isProduction(id, baseUrl);
    const agreed = await consent({ host: hostOf({ baseUrl }), production: isProduction, adapter });
    if (!agreed.ok) return agreed;
    const doing = (transport: Transport) => work({ transport, adapter, text, secrets });
    return ok(await this.#options.transports.withTransport(settings, fromVault, id, doing));
  }

  /** Whether a server is one in production: as it is saved, or by another path of its host. */
  #isProduction(id: string | undefined, baseUrl: string): boolean {
    const host = hostOf({ baseUrl });
    return this.#options.listed().some((each) => each.production && (each.id === id || hostOf(each) === host));
  }

  /** How a server is reached and spoken to as it is entered, once the person agreed to its place. */
  async #wayOf(
    id: string | undefined,
    entered: ServerFormInput,
    { guard, mayLackSecrets }: { guard: (baseUrl: string) => Result<null>; mayLackSecrets: boolean },
  ): Promise<Result<ReadWay>> {
    const found = id === undefined ? undefined : this.#options.list.find(id);
    const known = found?.double ? undefined : found;
    const read = await this.#options.read(entered, known);
    if (!read.ok) return read;
    const { baseUrl, connection, headers, validatedInterface, secretOf } = read.value;
    const guarded = guard(baseUrl);
    if (!guarded.ok) return guarded;
    const isThere = baseUrl === known?.baseUrl;
    const reached = {
      baseUrl,
      connection,
      pins: isThere ? known.pins : [],
      ...(known?.interface && { interface: known.interface }),
    };
    const isSame = isThere && hasSameConnection(known, reached);
    const extraHeaders = this.#options.secrets.headersForTest({ id: id ?? '', baseUrl }, headers, isSame);
    const agreed = await this.#options.approvedOrigins.confirm(known && id, { url: baseUrl, proxy: connection.proxy });
    if (!agreed.ok) return agreed;
    const settings = { ...connection, pins: reached.pins };
    const kept = isSame ? await this.#options.secrets.variablesOf(known) : {};
    const given = { ...kept, ...validatedInterface.given };
    const wire = adapterFor(validatedInterface.interface, baseUrl, given, mayLackSecrets);
    if (!wire.ok) return wire;
    const text = validatedInterface.interface?.text ?? '';
    return ok({
      settings,
      fromVault: { secretOf, extraHeaders },
      adapter: wire.value,
      text,
      secrets: Object.values(given),
    });
  }
}
