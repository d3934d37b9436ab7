import { z } from 'zod';
import { connectionSecrets, type ConnectionSecret, type ExtraHeader } from '../../../preload/contract/connection.ts';
import type { HeaderList } from '../../client/call.ts';
import { isBelow, isSecretAt, sameName } from '../../client/extra-headers.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { StoredRealServer, StoredServer } from '../config/config.ts';
import { vaultService, type Vault } from '../vault/vault.ts';
import { storedSecretNames } from './interface-form.ts';
import type { HeaderChange, ValidatedServerForm } from './server-form.ts';
import type { ServerStore } from './server-store.ts';

/** A value rests with the base URL that it is for, since anybody could write another one into `config.json`. */
const Kept = z.strictObject({ address: z.string(), value: z.string() });

// No token has such a name: the names of tokens begin with what was typed to log in, and end with an identifier.
const nameOfSecret = (secret: ConnectionSecret): string => `connection ${secret}`;
const nameOfHeader = (name: string): string => `connection header ${name.toLowerCase()}`;

const nameOfVariable = (name: string): string => `connection variable ${name}`;

type Where = Pick<StoredServer, 'id' | 'baseUrl'>;

/** What a server has in the vault beside the secrets of its connection. */
type Had = { extraHeaders: readonly { name: string }[]; interface?: StoredServer['interface'] };

/**
 * The proxy passwords, passphrases, values of extra headers and secret variables of the servers, in the vault beside their
 * tokens. Each value of a header or a variable that is given or kept is looked for in all that is shown and recorded from
 * then on.
 */
export class ServerSecrets {
  readonly #vault: Pick<Vault, 'getPassword' | 'setPassword' | 'deletePassword'>;
  readonly #secretRegistry: Pick<SecretRegistry, 'register'>;
  readonly #store: Pick<ServerStore, 'find'>;

  constructor(
    vault: Pick<Vault, 'getPassword' | 'setPassword' | 'deletePassword'>,
    secretRegistry: Pick<SecretRegistry, 'register'>,
    store: Pick<ServerStore, 'find'>,
  ) {
    this.#vault = vault;
    this.#secretRegistry = secretRegistry;
    this.#store = store;
  }

  /** Answers undefined when no secret is stored, or when the system does not give it now. */
  async read(serverId: string, secret: ConnectionSecret): Promise<string | undefined> {
    return (await this.#vault.getPassword(vaultService(serverId), nameOfSecret(secret))) ?? undefined;
  }

  /** The headers of a call to this address, as `TransportOptions` wants them; they go to the server's base URL alone. */
  async headersOf(serverId: string, url: string): Promise<HeaderList | undefined> {
    const server = this.#store.find(serverId);
    if (!server || server.extraHeaders.length === 0 || !isBelow(url, server.baseUrl)) return [];
    return this.#withValues(server, server.extraHeaders);
  }

  /**
   * The headers for a test of an address that is being entered. Stored values go along only to the server's own address.
   * @param isSame whether the form has the stored address and connection of the server
   */
  headersForTest(
    where: Where,
    changes: readonly HeaderChange[],
    isSame: boolean,
  ): (url: string) => Promise<HeaderList | undefined> {
    const given = isSame ? changes : changes.filter(({ value }) => value !== undefined);
    return async (url) => (isBelow(url, where.baseUrl) ? this.#withValues(where, given) : []);
  }

  /**
   * Keeps the secrets and values that are new, and removes those that are gone.
   * @param before what the server had
   */
  async change(
    id: string,
    {
      baseUrl,
      secrets,
      headers,
      validatedInterface,
    }: Pick<ValidatedServerForm, 'baseUrl' | 'secrets' | 'headers' | 'validatedInterface'>,
    before: Had,
  ): Promise<void> {
    for (const secret of connectionSecrets) {
      const value = secrets[secret];
      if (value === '') await this.#vault.deletePassword(vaultService(id), nameOfSecret(secret));
      else if (value !== undefined) await this.#vault.setPassword(vaultService(id), nameOfSecret(secret), value);
    }
    const isThere = (name: string): boolean => headers.some((each) => each.isSet && sameName(each.name, name));
    const gone = before.extraHeaders.filter(({ name }) => !isThere(name));
    const without = secretsOf(before).filter((name) => !secretsOf(validatedInterface).includes(name));
    await this.#remove(id, [...gone.map(({ name }) => nameOfHeader(name)), ...without.map(nameOfVariable)]);
    for (const { name, value } of headers)
      if (value !== undefined) await this.#keep({ id, baseUrl }, nameOfHeader(name), value);
    for (const [name, value] of Object.entries(validatedInterface.given))
      await this.#keep({ id, baseUrl }, nameOfVariable(name), value);
  }

  /** The secret variables of a server that can be read now. */
  async variablesOf({ id, baseUrl, interface: described }: Where & Pick<StoredServer, 'interface'>) {
    const values: Record<string, string> = {};
    for (const name of secretsOf({ interface: described })) {
      const value = await this.#readKept({ id, baseUrl }, nameOfVariable(name));
      if (value === undefined) continue;
      this.#watch(value, baseUrl);
      values[name] = value;
    }
    return values;
  }

  /** Gives another server of the same address the same secrets and headers, as far as they can be read, and answers which. */
  async copy(
    server: StoredRealServer,
    to: string,
  ): Promise<Pick<StoredRealServer, 'secrets' | 'extraHeaders' | 'interface'>> {
    const copied: ConnectionSecret[] = [];
    for (const secret of server.secrets) {
      const value = await this.read(server.id, secret);
      if (value === undefined) continue;
      await this.#vault.setPassword(vaultService(to), nameOfSecret(secret), value);
      copied.push(secret);
    }
    const extraHeaders: ExtraHeader[] = [];
    for (const { name } of server.extraHeaders) {
      const value = await this.#readKept(server, nameOfHeader(name));
      if (value !== undefined) await this.#keep({ id: to, baseUrl: server.baseUrl }, nameOfHeader(name), value);
      extraHeaders.push({ name, isSet: value !== undefined });
    }
    const variables = await this.variablesOf(server);
    for (const [name, value] of Object.entries(variables))
      await this.#keep({ id: to, baseUrl: server.baseUrl }, nameOfVariable(name), value);
    const described = server.interface && {
      ...server.interface,
      variables: server.interface.variables.map((each) =>
        each.secret ? { ...each, isSet: variables[each.name] !== undefined } : each,
      ),
    };
    return { secrets: copied, extraHeaders, ...(described && { interface: described }) };
  }

  async removeAll({ id, extraHeaders, interface: described }: { id: string } & Had): Promise<void> {
    const variables = secretsOf({ interface: described }).map(nameOfVariable);
    const headers = extraHeaders.map(({ name }) => nameOfHeader(name));
    await this.#remove(id, [...connectionSecrets.map(nameOfSecret), ...headers, ...variables]);
  }

  /** All of these with their values; undefined when one has none. */
  async #withValues(where: Where, headers: readonly HeaderChange[]): Promise<HeaderList | undefined> {
    const list: [string, string][] = [];
    for (const { name, value = await this.#readKept(where, nameOfHeader(name)) } of headers) {
      if (value === undefined) return undefined;
      this.#watch(value, where.baseUrl);
      list.push([name, value]);
    }
    return list;
  }

  /** Undefined when this address has no value, or when the system does not give it now. */
  async #readKept({ id, baseUrl }: Where, entry: string): Promise<string | undefined> {
    const text = await this.#vault.getPassword(vaultService(id), entry);
    const { data } = Kept.safeParse(parsed(text ?? ''));
    return data?.address === baseUrl ? data.value : undefined;
  }

  async #keep({ id, baseUrl }: Where, entry: string, value: string): Promise<void> {
    this.#watch(value, baseUrl);
    const text = JSON.stringify({ address: baseUrl, value } satisfies z.infer<typeof Kept>);
    await this.#vault.setPassword(vaultService(id), entry, text);
  }

  async #remove(id: string, entries: readonly string[]): Promise<void> {
    for (const entry of entries) await this.#vault.deletePassword(vaultService(id), entry);
  }

  #watch(value: string, baseUrl: string): void {
    if (isSecretAt(value, baseUrl)) this.#secretRegistry.register(value, 'other');
  }
}

const secretsOf = ({ interface: described }: Pick<Had, 'interface'>): string[] =>
  described ? storedSecretNames(described) : [];

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
