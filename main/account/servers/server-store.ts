import type { RegistrationPath } from '../../../preload/contract/settings.ts';
import { descriptionDigest } from '../../interface/read-description.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { parseWebOrigin } from '../../files/web-origin.ts';
import type { Interpretation } from '../../client/parse-response.ts';
import type { Config, StoredServer } from '../config/config.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { builtInId, isLocalServerId } from '../config/server-ids.ts';
import { withoutProvenGuesses } from './proven-guesses.ts';

/** An interpreted response, and the path of a registration that succeeded. */
export type ObservedResponse = { reading: Interpretation; registeredAt?: RegistrationPath | undefined };

/** The servers in `config.json`, in the user's order. */
export class ServerStore {
  readonly #config: ConfigStore;

  constructor(config: ConfigStore) {
    this.#config = config;
  }

  all(): readonly StoredServer[] {
    return this.#config.get().servers;
  }

  find(id: string): StoredServer | undefined {
    return this.all().find((each) => each.id === id);
  }

  save(servers: StoredServer[]): Result<null> {
    this.#config.change({ servers });
    return ok(null);
  }

  replace(changed: StoredServer): Result<null> {
    return this.save(this.all().map((each) => (each.id === changed.id ? changed : each)));
  }

  /** Returns the new position, from 1. */
  move(id: string, by: -1 | 1): Result<{ place: number }> {
    const servers = [...this.all()];
    const from = servers.findIndex((each) => each.id === id);
    const other = servers[from + by];
    const moved = servers[from];
    if (!moved || !other) return fail({ kind: 'not-now' });
    servers[from] = other;
    servers[from + by] = moved;
    this.save(servers);
    return ok({ place: from + by + 1 });
  }

  /** Lets web pages of these origins use a server that runs here (CORS). An invalid origin changes nothing. */
  allowOrigins(id: string, origins: readonly string[]): Result<null> {
    if (!isLocalServerId(id) || !this.find(id)) return fail({ kind: 'not-now' });
    const parsed = origins.map((origin) => parseWebOrigin(origin));
    const invalid = origins.find((_origin, index) => parsed[index] === undefined);
    if (invalid !== undefined) return fail({ kind: 'invalid-origin', origin: invalid });
    const allowed = [...new Set(parsed.flatMap((each) => each ?? []))];
    this.#config.change({ allowedOrigins: { ...this.#config.get().allowedOrigins, [id]: allowed } });
    return ok(null);
  }

  setPins(id: string, pins: string[]): Result<null> {
    const server = this.find(id);
    return server && !server.mock ? this.replace({ ...server, pins }) : fail({ kind: 'not-now' });
  }

  /** Inserts a copy after its original, under an unused name. */
  addCopy(original: StoredServer, copy: StoredServer): Result<{ id: string }> {
    const named = { ...copy, name: this.#unusedName(copy.name) };
    this.save(this.all().flatMap((each) => (each.id === original.id ? [each, named] : [each])));
    return ok({ id: copy.id });
  }

  /** The servers with what these responses showed: where they have their parts, and which registration path works. */
  learnFrom(id: string, responses: readonly ObservedResponse[]): Pick<Config, 'servers'> {
    const { servers } = this.#config.get();
    const server = this.find(id);
    if (!server) return { servers };
    const { learned } = server.dialect;
    const pathOf = (part: 'token' | 'user' | 'message'): string | undefined =>
      responses.findLast(({ reading }) => reading.trace[part])?.reading.trace[part]?.path.slice(0, 300) ??
      learned[part];
    const next = { token: pathOf('token'), user: pathOf('user'), message: pathOf('message') };
    const registeredAt = responses.findLast((each) => each.registeredAt)?.registeredAt;
    const registrationPath = (id === builtInId ? undefined : registeredAt) ?? server.registrationPath;
    const changed = { ...server, registrationPath, dialect: { ...server.dialect, learned: withoutUndefined(next) } };
    return { servers: servers.map((each) => (each === server ? changed : each)) };
  }

  /** Removes the guesses of an API description that a login with this text and these calls has proved. */
  removeProvenGuesses(id: string, text: string, calls: readonly string[]): void {
    const servers = withoutProvenGuesses(this.all(), id, descriptionDigest(text), calls);
    if (servers) this.save(servers);
  }

  #unusedName(name: string): string {
    const taken = new Set(this.all().map((each) => each.name));
    let number = 2;
    while (taken.has(`${name} (${number})`)) number += 1;
    return `${name} (${number})`.slice(0, 100);
  }
}

/** A member without a value would look like a change, and cause a write. */
const withoutUndefined = (learned: Record<string, string | undefined>): StoredServer['dialect']['learned'] =>
  Object.fromEntries(Object.entries(learned).filter(([, path]) => path !== undefined));
