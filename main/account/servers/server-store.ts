import type { RegistrationPath } from '../../../preload/contract/settings.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { parseWebOrigin } from '../../files/web-origin.ts';
import type { Interpretation } from '../../client/parse-response.ts';
import { builtInId, type Config, type ConfigStore, type StoredServer } from '../config/config.ts';

/** The stored servers, in the order that the person gave them. */
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

  /** Answers the new place of the server, from 1 on. */
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

  /** Lets web pages of these origins use a server. One that is no exact origin changes nothing. */
  allowOrigins(id: string, origins: readonly string[]): Result<null> {
    const read = origins.map((origin) => parseWebOrigin(origin));
    const wrong = origins.find((_origin, at) => read[at] === undefined);
    if (wrong !== undefined) return fail({ kind: 'invalid-origin', origin: wrong });
    const allowed = [...new Set(read.flatMap((each) => each ?? []))];
    this.#config.change({ allowedOrigins: { ...this.#config.get().allowedOrigins, [id]: allowed } });
    return ok(null);
  }

  /** Sets the certificates that are trusted for one server, from the next connection on. */
  setPins(id: string, pins: string[]): Result<null> {
    const server = this.find(id);
    return server && !server.double ? this.replace({ ...server, pins }) : fail({ kind: 'not-now' });
  }

  /** Puts a copy behind its original, under a name that no server has. */
  addCopy(original: StoredServer, copy: StoredServer): Result<{ id: string }> {
    const named = { ...copy, name: this.#unusedName(copy.name) };
    this.save(this.all().flatMap((each) => (each.id === original.id ? [each, named] : [each])));
    return ok({ id: copy.id });
  }

  /**
   * What is to be remembered of a server: where the newest answers had their parts, and which of the two paths made an
   * account, where it may be the only one.
   */
  learnFrom(
    id: string,
    answers: readonly { reading: Interpretation; registeredAt?: RegistrationPath | undefined }[],
  ): Pick<Config, 'servers'> {
    const { servers } = this.#config.get();
    const server = this.find(id);
    if (!server) return { servers };
    const { learned } = server.dialect;
    const placeOf = (part: 'token' | 'user' | 'message'): string | undefined =>
      answers.findLast(({ reading }) => reading.trace[part])?.reading.trace[part]?.path.slice(0, 300) ?? learned[part];
    const next = { token: placeOf('token'), user: placeOf('user'), message: placeOf('message') };
    const registeredAt = answers.findLast((each) => each.registeredAt)?.registeredAt;
    const registrationPath = (id === builtInId ? undefined : registeredAt) ?? server.registrationPath;
    const changed = { ...server, registrationPath, dialect: { ...server.dialect, learned: withoutUndefined(next) } };
    return { servers: servers.map((each) => (each === server ? changed : each)) };
  }

  #unusedName(name: string): string {
    const taken = new Set(this.all().map((each) => each.name));
    let number = 2;
    while (taken.has(`${name} (${number})`)) number += 1;
    return `${name} (${number})`.slice(0, 100);
  }
}

/** A write is left out when nothing changed, which a member without a value would make it look like. */
const withoutUndefined = (learned: Record<string, string | undefined>): StoredServer['dialect']['learned'] =>
  Object.fromEntries(Object.entries(learned).filter(([, place]) => place !== undefined));
