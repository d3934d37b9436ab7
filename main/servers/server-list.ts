import type { RegistrationPath } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { Reading } from '../client/read-answer.ts';
import { builtInId, type ConfigStore, type ServerElsewhere, type StoredServer } from '../config/config.ts';
import { wayOf, wayText } from '../config/way.ts';

export type ServerList = ReturnType<typeof createServerList>;

/** Keeps the stored servers, in the order that the person gave them. */
export function createServerList(config: ConfigStore) {
  const stored = (id: string): StoredServer | undefined => config.get().servers.find((each) => each.id === id);

  function save(servers: StoredServer[]): Result<null> {
    config.change({ servers });
    return ok(null);
  }

  const replace = (changed: StoredServer): Result<null> =>
    save(config.get().servers.map((each) => (each.id === changed.id ? changed : each)));

  return {
    stored,
    save,
    replace,

    move(id: string, by: -1 | 1): Result<null> {
      const servers = [...config.get().servers];
      const from = servers.findIndex((each) => each.id === id);
      const other = servers[from + by];
      const moved = servers[from];
      if (!moved || !other) return fail({ kind: 'not-now' });
      servers[from] = other;
      servers[from + by] = moved;
      return save(servers);
    },

    /** Sets the certificates that are trusted for one server, from the next connection on. */
    setPins(id: string, pins: string[]): Result<null> {
      const server = stored(id);
      return server && !server.double ? replace({ ...server, pins }) : fail({ kind: 'not-now' });
    },

    /** Adds the servers of a file, except those that are here already under the same name and address. */
    add(found: readonly ServerElsewhere[]): Result<null> {
      const { servers } = config.get();
      const isHere = ({ name, baseUrl }: ServerElsewhere): boolean =>
        servers.some((each) => each.name === name && each.baseUrl === baseUrl);
      return save([...servers, ...found.filter((each) => !isHere(each))]);
    },

    /**
     * Remembers where the newest answers had their parts, and which of the two paths made an account, where it may be
     * the only one.
     */
    learn(id: string, answers: readonly { reading: Reading; registeredAt?: RegistrationPath | undefined }[]): void {
      const server = stored(id);
      if (!server) return;
      const { learned } = server.dialect;
      const placeOf = (part: 'token' | 'user' | 'message'): string | undefined =>
        answers.findLast(({ reading }) => reading.why[part])?.reading.why[part]?.path.slice(0, 300) ?? learned[part];
      const next = { token: placeOf('token'), user: placeOf('user'), message: placeOf('message') };
      const registeredAt = answers.findLast((each) => each.registeredAt)?.registeredAt;
      const registrationPath = (id === builtInId ? undefined : registeredAt) ?? server.registrationPath;
      replace({ ...server, registrationPath, dialect: { ...server.dialect, learned: withoutUndefined(next) } });
    },
  };
}

/** Where a server is and how it is reached. */
export type Reached = Pick<StoredServer, 'baseUrl' | 'pins' | 'connection'>;

/** Whether two states of a server have the same address, and the same way to it. */
export function isReachedAlike(one: Reached, other: Reached): boolean {
  return one.baseUrl === other.baseUrl && wayText(wayOf(one)) === wayText(wayOf(other));
}

/** A write is left out when nothing changed, which a member without a value would make it look like. */
const withoutUndefined = (learned: Record<string, string | undefined>): StoredServer['dialect']['learned'] =>
  Object.fromEntries(Object.entries(learned).filter(([, place]) => place !== undefined));
