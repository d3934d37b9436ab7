import { z } from 'zod';
import { builtInId, isDoubleId, type StoredSession } from '../config/config.ts';
import { vaultService, type Vault } from '../vault/vault.ts';

const Kept = z.strictObject({ token: z.string(), address: z.string() });

type Where = Pick<StoredSession, 'serverId' | 'baseUrl'>;

/**
 * The built-in server and a double are wherever they listen now; no file says where that is. A double's token is for that
 * double alone.
 */
function addressOf({ serverId, baseUrl }: Where): string {
  if (serverId === builtInId) return '';
  return isDoubleId(serverId) ? serverId : baseUrl;
}

/** A token with the address that gave it, as it rests in the vault: `config.json` says the same, and anybody can write it. */
export const tokenText = (token: string, where: Where): string =>
  JSON.stringify({ token, address: addressOf(where) } satisfies z.infer<typeof Kept>);

/** The token for an address out of what the vault kept; undefined when it came from another one. */
export function tokenFor(text: string, where: Where): string | undefined {
  const { data } = Kept.safeParse(parsed(text));
  return data?.address === addressOf(where) ? data.token : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The tokens of sessions in the vault, each with the address that it is for. */
export function createRestingTokens(vault: Vault) {
  return {
    /** Rejects while the vault is closed. */
    keep: (
      session: Pick<StoredSession, 'serverId' | 'vaultAccount' | 'baseUrl'>,
      token: string,
      mayRest: boolean,
    ): Promise<void> =>
      vault.setPassword(vaultService(session.serverId), session.vaultAccount, tokenText(token, session), { mayRest }),

    /**
     * Null when there is none, when it is for another address than the session now says, or when the vault does not give
     * it now; the state of the vault's entry says which.
     */
    async read(stored: StoredSession): Promise<string | null> {
      const kept = await vault.getPassword(vaultService(stored.serverId), stored.vaultAccount);
      return kept === null ? null : (tokenFor(kept, stored) ?? null);
    },
  };
}
