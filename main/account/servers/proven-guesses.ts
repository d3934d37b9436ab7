import { isProvenBy } from '../../../preload/contract/proven-parts.ts';
import type { StoredServer } from '../config/config.ts';

/**
 * Returns the servers without the guesses of one's description that a login has proved; undefined where nothing changes.
 * @param digest of the text that the login worked by
 * @param calls what was called for it without a fault, by the names of a description
 */
export function withoutProvenGuesses(
  servers: readonly StoredServer[],
  id: string,
  digest: string | undefined,
  calls: readonly string[],
): StoredServer[] | undefined {
  const isProven = ({ id: own, interface: described }: StoredServer): boolean =>
    own === id && described?.digest === digest && described?.guesses?.some(({ at }) => isProvenBy(at, calls)) === true;
  if (!servers.some(isProven)) return undefined;
  return servers.map((server) => {
    if (!server.interface || !isProven(server)) return server;
    const { guesses = [], ...described } = server.interface;
    const open = guesses.filter(({ at }) => !isProvenBy(at, calls));
    return { ...server, interface: { ...described, ...(open.length > 0 && { guesses: open }) } };
  });
}
