import type { ConnectionSettings } from '../../../preload/contract/connection.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Transport } from '../../client/transport.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { StoredRealServer } from '../config/config.ts';
import { isLocalServerId } from '../config/server-ids.ts';
import { hostOf, hasSameConnection, type Consent } from './consent.ts';
import { parseServerAddress, type ServerFormInput, type ValidatedServerForm } from './server-form.ts';
import type { ProductionGuard } from './production-guard.ts';
import type { ServerStore } from './server-store.ts';
import type { ServerSecrets } from './server-secrets.ts';
import type { VaultSecrets, Transports } from './transports.ts';
import { adapterFor } from './adapter-cache.ts';

/** @property text of the API description; empty for Llavero's own */
type DraftConnection = { transport: Transport; adapter: ApiAdapter; text: string; secrets: string[] };
type ValidatedDraft = Omit<DraftConnection, 'transport'> & { settings: ConnectionSettings; fromVault: VaultSecrets };

type TestInput = Parameters<Handlers['servers']['test']>[0];

type DraftConnectionsOptions = {
  store: Pick<ServerStore, 'find'>;
  consent: Pick<Consent, 'confirmOrigin'>;
  secrets: Pick<ServerSecrets, 'headersForTest' | 'variablesOf'>;
  transports: Pick<Transports, 'testConnection' | 'withTransport'>;
  production: Pick<ProductionGuard, 'checkDraft'>;
  listed: () => readonly Server[];
  validate: (form: ServerFormInput, before: StoredRealServer | undefined) => Promise<Result<ValidatedServerForm>>;
};

/** Connections to a server as its form has it, saved or not. Each is closed after its work. */
export class DraftConnections {
  readonly #options: DraftConnectionsOptions;

  constructor(options: DraftConnectionsOptions) {
    this.#options = options;
  }

  /** Sends one request without a credential. Pinned certificates are used at the server's own address only. */
  async test({ id, ...entered }: TestInput): Promise<Result<ConnectionReport>> {
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
    const draft = await this.#validate(id, entered, { guard: () => ok(null), mayLackSecrets: true });
    if (!draft.ok) return draft;
    const { settings, fromVault, adapter } = draft.value;
    return ok(await this.#options.transports.testConnection(adapter.baseUrl, settings, fromVault, id, adapter));
  }

  /**
   * Runs work at a server as it is entered. A production host must be typed first, and a new origin is asked about.
   * @param consent a further question, once the form is valid
   */
  async withConnection<T>(
    { id, production, ...entered }: ServerFormInput & { id?: string | undefined; production: boolean },
    consent: (to: { host: string; production: boolean; adapter: ApiAdapter }) => Promise<Result<null>>,
    work: (draft: DraftConnection) => Promise<T>,
  ): Promise<Result<T>> {
    if (id !== undefined && (isLocalServerId(id) || !this.#options.store.find(id))) return fail({ kind: 'not-now' });
    const guard = (baseUrl: string): Result<null> => {
      const isProduction = production || this.#isProduction(id, baseUrl);
      return isProduction ? this.#options.production.checkDraft(id ?? '', baseUrl) : ok(null);
    };
    const draft = await this.#validate(id, entered, { guard, mayLackSecrets: false });
    if (!draft.ok) return draft;
    const { settings, fromVault, adapter, text, secrets } = draft.value;
    const { baseUrl } = adapter;
    const isProduction = production || this.#isProduction(id, baseUrl);
    const agreed = await consent({ host: hostOf({ baseUrl }), production: isProduction, adapter });
    if (!agreed.ok) return agreed;
    const withDraft = (transport: Transport) => work({ transport, adapter, text, secrets });
    return ok(await this.#options.transports.withTransport(settings, fromVault, id, withDraft));
  }

  /** As it is saved, or by another path of its host. */
  #isProduction(id: string | undefined, baseUrl: string): boolean {
    const host = hostOf({ baseUrl });
    return this.#options.listed().some((each) => each.production && (each.id === id || hostOf(each) === host));
  }

  async #validate(
    id: string | undefined,
    entered: ServerFormInput,
    { guard, mayLackSecrets }: { guard: (baseUrl: string) => Result<null>; mayLackSecrets: boolean },
  ): Promise<Result<ValidatedDraft>> {
    const found = id === undefined ? undefined : this.#options.store.find(id);
    const known = found?.mock ? undefined : found;
    const form = await this.#options.validate(entered, known);
    if (!form.ok) return form;
    const { baseUrl, connection, headers, validatedInterface, secretOf } = form.value;
    const guarded = guard(baseUrl);
    if (!guarded.ok) return guarded;
    const hasOwnAddress = baseUrl === known?.baseUrl;
    const pins = hasOwnAddress ? known.pins : [];
    const isSame = hasOwnAddress && hasSameConnection(known, { ...known, connection });
    const extraHeaders = this.#options.secrets.headersForTest({ id: id ?? '', baseUrl }, headers, isSame);
    const agreed = await this.#options.consent.confirmOrigin(known?.id, form.value);
    if (!agreed.ok) return agreed;
    const settings = { ...connection, pins };
    const stored = isSame ? await this.#options.secrets.variablesOf(known) : {};
    const given = { ...stored, ...validatedInterface.given };
    const adapter = adapterFor(validatedInterface.interface, baseUrl, given, mayLackSecrets);
    if (!adapter.ok) return adapter;
    const text = validatedInterface.interface?.text ?? '';
    return ok({
      settings,
      fromVault: { secretOf, extraHeaders },
      adapter: adapter.value,
      text,
      secrets: Object.values(given),
    });
  }
}
