import { randomBytes } from 'node:crypto';
import { createTokenSecret, tokenDigest, tokenSecretOf } from '../domain/bearer.ts';
import type { MockTokenStore } from '../mock/mock-token-store.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { DefectActivation, DefectActivations } from './defects.ts';

/** A token that a wrong mode made or keeps alive. It is dead once one of its uses is over. */
type Held = {
  /** The token in the store that has its account and its end. No secret belongs to that one. */
  row: number;
  secretDigest: Uint8Array;
  /** The secret that was given in the place of a random one. */
  secret?: string | undefined;
  uses: readonly DefectActivation[];
};

/** A digest that no secret has. */
const nobodysDigest = (): Uint8Array => randomBytes(32);

/**
 * Wraps a store. The digest of a token of a wrong mode is in memory only: the token ends with the mode and the process,
 * and no other process accepts it. Its row in the store is listed, ended and deleted like any other.
 */
export function createDefectiveStore(accounts: AccountStore, uses: DefectActivations, now: () => number) {
  const held = new Map<number, Held>();
  const nextSecret = createGuessableSecrets();

  async function letGo(isOver: (token: Held) => boolean): Promise<void> {
    for (const [id, token] of held) {
      if (!isOver(token)) continue;
      held.delete(id);
      await accounts.revokeToken(token.row);
    }
  }
  // A row that cannot be deleted is a token that nobody has.
  uses.onDeactivated(() => void letGo((token) => !uses.areOn(token.uses)).catch(() => undefined));

  /** Ends a token in the store, and lets it live on here. */
  async function outlive(tokenId: number, use: DefectActivation): Promise<boolean> {
    const token = held.get(tokenId);
    if (token) {
      token.uses = [...token.uses, use];
      return true;
    }
    const session = await accounts.findSession(tokenId);
    if (!session) return held.has(tokenId);
    const { account, secretDigest, expiresAtMs } = session;
    const row = await accounts.createToken({
      accountId: account.id,
      secretDigest: nobodysDigest(),
      createdAtMs: now(),
      expiresAtMs,
    });
    // Of two logouts at once, the other was first.
    if (held.has(tokenId)) await accounts.revokeToken(row);
    else held.set(tokenId, { row, secretDigest, uses: [use] });
    await accounts.revokeToken(tokenId);
    return true;
  }

  const store: AccountStore = {
    ...accounts,
    async createToken(token) {
      const all = uses.all();
      if (all.length === 0) return accounts.createToken(token);
      const secret = uses.isOn('tokens-guessable') ? nextSecret() : undefined;
      const row = await accounts.createToken({ ...token, secretDigest: nobodysDigest() });
      const secretDigest = secret === undefined ? token.secretDigest : tokenDigest(secret);
      held.set(row, { row, secretDigest, secret, uses: all });
      return row;
    },
    async findSession(tokenId) {
      const token = held.get(tokenId);
      if (token && !uses.areOn(token.uses)) return undefined;
      const session = await accounts.findSession(token?.row ?? tokenId);
      return session && token ? { ...session, secretDigest: token.secretDigest } : session;
    },
    async revokeToken(tokenId) {
      const use = uses.of('token-outlives-logout');
      if (use !== undefined) return outlive(tokenId, use);
      const row = held.get(tokenId)?.row ?? tokenId;
      held.delete(tokenId);
      return accounts.revokeToken(row);
    },
    noteTokenUses: (usedAtMs) =>
      accounts.noteTokenUses(new Map([...usedAtMs].map(([id, atMs]) => [held.get(id)?.row ?? id, atMs]))),
    async close() {
      await letGo(() => true).catch(() => undefined);
      await accounts.close();
    },
  };

  return {
    store,
    /** Returns the secret that a token was given in the place of a random one. */
    secretOf: (tokenId: number): string | undefined => held.get(tokenId)?.secret,
  };
}

/** Makes secrets that count up. */
function createGuessableSecrets(): () => string {
  let given = 0;
  return () => tokenSecretOf(String(++given).padStart(40, '0'));
}

/** Does the same to the tokens of a double, which keeps them in a file of its own. */
export function createDefectiveTokenStore(tokens: MockTokenStore, uses: DefectActivations): MockTokenStore {
  const usesOf = new Map<number, readonly DefectActivation[]>();
  uses.onDeactivated(() => {
    for (const [id, its] of usesOf) {
      if (uses.areOn(its)) continue;
      void tokens.delete(id).catch(() => undefined);
    }
  });
  return {
    ...tokens,
    async create(token) {
      const all = uses.all();
      const id = await tokens.create({ ...token, isPassing: all.length > 0 });
      if (all.length > 0) usesOf.set(id, all);
      else usesOf.delete(id);
      return id;
    },
    async find(wanted) {
      const found = await tokens.find(wanted);
      return found && uses.areOn(usesOf.get(found.id) ?? []) ? found : undefined;
    },
    async end(id) {
      const use = uses.of('token-outlives-logout');
      if (use === undefined) return tokens.end(id);
      usesOf.set(id, [...(usesOf.get(id) ?? []), use]);
      return tokens.deleteAtNextStart(id);
    },
    endAllOf: async (accountId) => (uses.isOn('token-outlives-logout') ? undefined : tokens.endAllOf(accountId)),
  };
}

/** Makes the secrets of a double's tokens, guessable ones while that mode is on. */
export function createSecretGenerator(uses: DefectActivations): () => string {
  const next = createGuessableSecrets();
  return () => (uses.isOn('tokens-guessable') ? next() : createTokenSecret());
}
