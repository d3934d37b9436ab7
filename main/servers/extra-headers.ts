import { z } from 'zod';
import type { EnteredConnection, ExtraHeader, Way } from '../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { HeaderList } from '../client/call.ts';
import { headersProblem, isBelow, isSecretAt, sameName, trimmedHeader } from '../client/extra-headers.ts';
import type { StoredServer } from '../config/config.ts';
import { wayOf, wayText } from '../config/way.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import { vaultService, type Vault } from '../vault/vault.ts';

/** A header as it is to be: `value` is absent when the one of before stays, or when there is none. */
export type HeaderChange = { name: string; value?: string | undefined; isSet: boolean };

/** A value rests with the base URL that it is for, since anybody could write another one into `config.json`. */
const Kept = z.strictObject({ address: z.string(), value: z.string() });

const accountOf = (name: string): string => `connection header ${name.toLowerCase()}`;

type Where = Pick<StoredServer, 'id' | 'baseUrl'>;

export type ExtraHeaders = ReturnType<typeof createExtraHeaders>;

/**
 * Reads the headers of a form. Rows in which nothing was entered are left out. At another address there is nothing to
 * keep: a row with the name alone is dropped.
 * @param before the headers at the address of before
 */
export function readEnteredHeaders(
  entered: EnteredConnection['headers'],
  before: readonly ExtraHeader[],
  moved: boolean,
): Result<HeaderChange[]> {
  const known = (name: string): ExtraHeader | undefined => before.find((each) => sameName(each.name, name));
  if (!entered) return ok(moved ? [] : before.map(({ name, isSet }) => ({ name, isSet })));
  const rows = entered.map((each, row) => ({ ...trimmedHeader(each), row, isKept: known(each.name) !== undefined }));
  const filled = rows.filter(({ name, value }) => name !== '' || value !== '');
  const wrong = headersProblem(filled);
  if (wrong) return fail({ kind: 'invalid-header', ...wrong, row: filled[wrong.row]?.row ?? wrong.row });
  const changes = filled.map(({ name, value }) =>
    value === '' ? { name, isSet: known(name)?.isSet ?? false } : { name, value, isSet: true },
  );
  return ok(moved ? changes.filter(({ value }) => value !== undefined) : changes);
}

/** Returns what is stored of headers once they were changed. */
export const headersAfter = (changes: readonly HeaderChange[]): ExtraHeader[] =>
  changes.map(({ name, isSet }) => ({ name, isSet }));

type Options = {
  vault: Pick<Vault, 'getPassword' | 'setPassword' | 'deletePassword'>;
  stored: (serverId: string) => StoredServer | undefined;
  references: Pick<SecretReferences, 'watch'>;
};

/** The values in the vault. Each that is given or kept is looked for in all that is shown and recorded from then on. */
function createRestingValues({ vault, references }: Options) {
  function watch(value: string, baseUrl: string): void {
    if (isSecretAt(value, baseUrl)) references.watch(value, 'other');
  }

  /** Undefined when there is none for this address, or when the system does not give it now. */
  const read = async ({ id, baseUrl }: Where, name: string): Promise<string | undefined> => {
    const text = await vault.getPassword(vaultService(id), accountOf(name));
    const { data } = Kept.safeParse(parsed(text ?? ''));
    return data?.address === baseUrl ? data.value : undefined;
  };

  const keep = async ({ id, baseUrl }: Where, name: string, value: string): Promise<void> => {
    watch(value, baseUrl);
    await vault.setPassword(vaultService(id), accountOf(name), JSON.stringify({ address: baseUrl, value }));
  };

  const remove = async (id: string, headers: readonly { name: string }[]): Promise<void> => {
    for (const { name } of headers) await vault.deletePassword(vaultService(id), accountOf(name));
  };

  /** All of these with their values; undefined when one has none. */
  const withValues = async (where: Where, headers: readonly HeaderChange[]): Promise<HeaderList | undefined> => {
    const list: [string, string][] = [];
    for (const { name, value = await read(where, name) } of headers) {
      if (value === undefined) return undefined;
      watch(value, where.baseUrl);
      list.push([name, value]);
    }
    return list;
  };

  return { read, keep, remove, withValues };
}

/**
 * Keeps the values of extra headers in the vault, and gives them to the calls that they are for: those to the server's
 * base URL, by the way that it has now.
 */
export function createExtraHeaders(options: Options) {
  const { read, keep, remove, withValues } = createRestingValues(options);

  return {
    /** The headers of a call to this address by this way, as `TransportOptions` wants them. */
    async of(serverId: string, way: Way, url: string): Promise<HeaderList | undefined> {
      const server = options.stored(serverId);
      if (!server || server.extraHeaders.length === 0) return [];
      // The person agreed to the server's own way, and to no other that a session may still go by.
      const isTheirs = isBelow(url, server.baseUrl) && wayText(way) === wayText(wayOf(server));
      return isTheirs ? withValues(server, server.extraHeaders) : [];
    },

    /** Keeps the values that are new, and removes those of the headers that are gone. */
    async change(where: Where, changes: readonly HeaderChange[], before: readonly ExtraHeader[]): Promise<void> {
      const gone = before.filter(({ name }) => !changes.some((each) => sameName(each.name, name)));
      await remove(where.id, gone);
      for (const { name, value } of changes) if (value !== undefined) await keep(where, name, value);
    },

    /**
     * The headers for a look at what is only being entered. What is kept goes only where it goes anyway.
     * @param isSame whether the address and the way to it are those of the server
     */
    forLook(
      where: Where,
      changes: readonly HeaderChange[],
      isSame: boolean,
    ): (url: string) => Promise<HeaderList | undefined> {
      const given = isSame ? changes : changes.filter(({ value }) => value !== undefined);
      return async (url) => (isBelow(url, where.baseUrl) ? withValues(where, given) : []);
    },

    /** Gives another server of the same address the same headers, as far as their values can be read. */
    async copy(server: StoredServer, to: string): Promise<ExtraHeader[]> {
      const copied: ExtraHeader[] = [];
      for (const { name } of server.extraHeaders) {
        const value = await read(server, name);
        if (value !== undefined) await keep({ id: to, baseUrl: server.baseUrl }, name, value);
        copied.push({ name, isSet: value !== undefined });
      }
      return copied;
    },

    removeAll: ({ id, extraHeaders }: Pick<StoredServer, 'id' | 'extraHeaders'>): Promise<void> =>
      remove(id, extraHeaders),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
