import { randomBytes } from 'node:crypto';
import { createTokenSecret, tokenDigest, tokenSecretOf } from '../domain/bearer.ts';
import type { MockTokenStore } from '../mock/mock-token-store.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { DefectActivation, DefectActivations } from './defects.ts';

/** A token that a defect issued or keeps valid. It ends with the first of its activations. */
type DefectiveToken = {
  /** The id of the stored token with its account and expiry, which no secret fits. */
  storedId: number;
  secretDigest: Uint8Array;
  /** A guessable secret that was issued instead of a random one. */
  secret?: string | undefined;
  activations: readonly DefectActivation[];
};

/** A digest that no known secret has. */
const unmatchableDigest = (): Uint8Array => randomBytes(32);

/**
 * Wraps a store. The digest of a token that a defect issued is in memory only, so the token ends with the defect and the
 * process, and no other process accepts it. Its row is listed, revoked and deleted like any other.
 */
export function createDefectiveStore(accounts: AccountStore, activations: DefectActivations, now: () => number) {
  const tokens = new Map<number, DefectiveToken>();
  const nextSecret = createGuessableSecrets();

  async function revokeWhere(isEnded: (token: DefectiveToken) => boolean): Promise<void> {
    for (const [id, token] of tokens) {
      if (!isEnded(token)) continue;
      tokens.delete(id);
      await accounts.revokeToken(token.storedId);
    }
  }
  // A row that cannot be deleted is harmless, since no secret fits it.
  activations.onDeactivated(
    () => void revokeWhere((token) => !activations.areOn(token.activations)).catch(() => undefined),
  );

  /** Revokes a token in the store and keeps it valid here. */
  async function keepValid(tokenId: number, activation: DefectActivation): Promise<boolean> {
    const token = tokens.get(tokenId);
    if (token) {
      token.activations = [...token.activations, activation];
      return true;
    }
    const session = await accounts.findSession(tokenId);
    if (!session) return tokens.has(tokenId);
    const { account, secretDigest, expiresAtMs } = session;
    const storedId = await accounts.createToken({
      accountId: account.id,
      secretDigest: unmatchableDigest(),
      createdAtMs: now(),
      expiresAtMs,
    });
    // A concurrent logout may have been first.
    if (tokens.has(tokenId)) await accounts.revokeToken(storedId);
    else tokens.set(tokenId, { storedId, secretDigest, activations: [activation] });
    await accounts.revokeToken(tokenId);
    return true;
  }

  const store: AccountStore = {
    ...accounts,
    async createToken(token) {
      const all = activations.all();
      if (all.length === 0) return accounts.createToken(token);
      const secret = activations.isOn('tokens-guessable') ? nextSecret() : undefined;
      const storedId = await accounts.createToken({ ...token, secretDigest: unmatchableDigest() });
      const secretDigest = secret === undefined ? token.secretDigest : tokenDigest(secret);
      tokens.set(storedId, { storedId, secretDigest, secret, activations: all });
      return storedId;
    },
    async findSession(tokenId) {
      const token = tokens.get(tokenId);
      if (token && !activations.areOn(token.activations)) return undefined;
      const session = await accounts.findSession(token?.storedId ?? tokenId);
      return session && token ? { ...session, secretDigest: token.secretDigest } : session;
    },
    async revokeToken(tokenId) {
      const activation = activations.of('token-outlives-logout');
      if (activation !== undefined) return keepValid(tokenId, activation);
      const storedId = tokens.get(tokenId)?.storedId ?? tokenId;
      tokens.delete(tokenId);
      return accounts.revokeToken(storedId);
    },
    noteTokenUses: (usedAtMs) =>
      accounts.noteTokenUses(new Map([...usedAtMs].map(([id, atMs]) => [tokens.get(id)?.storedId ?? id, atMs]))),
    async close() {
      await revokeWhere(() => true).catch(() => undefined);
      await accounts.close();
    },
  };

  return { store, ...createTokenViews(tokens) };
}

/** What others ask about the tokens of a defective store. */
const createTokenViews = (tokens: ReadonlyMap<number, DefectiveToken>) => ({
  /** The guessable secret of a token, if it has one. */
  secretOf: (tokenId: number): string | undefined => tokens.get(tokenId)?.secret,
  /** A token with its guessable secret, if it has one. */
  visibleToken(token: string): string {
    const [id = ''] = token.split('|');
    const secret = tokens.get(Number(id))?.secret;
    return secret === undefined ? token : `${id}|${secret}`;
  },
  storedIdOf: (tokenId: number): number => tokens.get(tokenId)?.storedId ?? tokenId,
  /** The ids by which clients know stored tokens. */
  clientIdsOf(storedIds: readonly number[]): Set<number> {
    const ids = new Set(storedIds);
    for (const [id, { storedId }] of tokens) if (storedIds.includes(storedId)) ids.add(id);
    return ids;
  },
});

function createGuessableSecrets(): () => string {
  let count = 0;
  return () => tokenSecretOf(String(++count).padStart(40, '0'));
}

/** Wraps the token store of a mock server. */
export function createDefectiveTokenStore(tokens: MockTokenStore, activations: DefectActivations): MockTokenStore {
  const activationsOf = new Map<number, readonly DefectActivation[]>();
  activations.onDeactivated(() => {
    for (const [id, its] of activationsOf) {
      if (activations.areOn(its)) continue;
      void tokens.delete(id).catch(() => undefined);
    }
  });
  return {
    ...tokens,
    async create(token) {
      const all = activations.all();
      const id = await tokens.create({ ...token, isPassing: all.length > 0 });
      if (all.length > 0) activationsOf.set(id, all);
      else activationsOf.delete(id);
      return id;
    },
    async find(token) {
      const found = await tokens.find(token);
      return found && activations.areOn(activationsOf.get(found.id) ?? []) ? found : undefined;
    },
    async end(id) {
      const activation = activations.of('token-outlives-logout');
      if (activation === undefined) return tokens.end(id);
      activationsOf.set(id, [...(activationsOf.get(id) ?? []), activation]);
      return tokens.deleteAtNextStart(id);
    },
    endAllOf: async (accountId) => (activations.isOn('token-outlives-logout') ? undefined : tokens.endAllOf(accountId)),
  };
}

/** Generates the secrets of a mock server's tokens, guessable ones while that defect is active. */
export function createSecretGenerator(activations: DefectActivations): () => string {
  const next = createGuessableSecrets();
  return () => (activations.isOn('tokens-guessable') ? next() : createTokenSecret());
}
