import type { StoredServer } from '../config/config.ts';

/**
 * Returns the servers without what was a guess of one's description, since a login has worked by it; undefined where
 * nothing was one.
 * @param digest of the text that the login worked by
 */
export function withoutGuesses(
  servers: readonly StoredServer[],
  id: string,
  digest: string | undefined,
): StoredServer[] | undefined {
  const isProven = ({ id: own, interface: described }: StoredServer): boolean =>
    own === id && described?.guesses !== undefined && described.digest === digest;
  if (!servers.some(isProven)) return undefined;
  return servers.map((server) => {
    if (!server.interface || !isProven(server)) return server;
    const { guesses: _guesses, ...described } = server.interface;
    return { ...server, interface: described };
  });
}
