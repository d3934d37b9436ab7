import { z } from 'zod';
import { builtInId, isDoubleId, type StoredSession } from '../config/config.ts';
import { vaultService, type Vault } from '../vault/vault.ts';
import type { HeldSessions } from './held-sessions.ts';

/** Begins what the vault keeps of a session; earlier versions kept the token alone. */
const mark = 'llavero token ';
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
  mark + JSON.stringify({ token, address: addressOf(where) } satisfies z.infer<typeof Kept>);

/**
 * The token for an address out of what the vault kept; undefined when it came from another one. `isOld` is one of an earlier
 * version, which did not say so.
 */
export function tokenFor(text: string, where: Where): { token: string; isOld: boolean } | undefined {
  if (!text.startsWith(mark)) return { token: text, isOld: true };
  const { data } = Kept.safeParse(parsed(text.slice(mark.length)));
  return data?.address === addressOf(where) ? { token: data.token, isOld: false } : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The tokens of sessions in the vault, each with the address that it is for. */
export function createRestingTokens(vault: Vault, held: HeldSessions) {
  /** Rejects while the vault is closed. */
  const keep = (
    session: Pick<StoredSession, 'serverId' | 'vaultAccount' | 'baseUrl'>,
    token: string,
    mayRest: boolean,
  ): Promise<void> =>
    vault.setPassword(vaultService(session.serverId), session.vaultAccount, tokenText(token, session), { mayRest });

  return {
    keep,

    /**
     * Null when there is none, when it is for another address than the session now says, or when the vault does not give it
     * now; the state of the vault's entry says which.
     */
    async read(stored: StoredSession): Promise<string | null> {
      const service = vaultService(stored.serverId);
      const kept = await vault.getPassword(service, stored.vaultAccount);
      const found = kept === null ? undefined : tokenFor(kept, stored);
      if (found?.isOld === true && held.find(stored.id)) {
        await keep(stored, found.token, !held.isInMemory(stored)).catch(() => undefined);
        // Forgotten meanwhile.
        if (!held.find(stored.id)) await vault.deletePassword(service, stored.vaultAccount);
      }
      return found?.token ?? null;
    },
  };
}
