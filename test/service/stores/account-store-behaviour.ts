import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccountStore, NewAccount } from '../../../main/service/stores/account-store.ts';

const ada: NewAccount = {
  name: 'Ada Lovelace',
  email: 'Ada@Example.test',
  emailKey: 'ada@example.test',
  passwordHash: '$argon2id$of-ada',
  createdAtMs: 1_700_000_000_123,
};
const eve: NewAccount = { ...ada, name: 'Eve', email: 'eve@example.test', emailKey: 'eve@example.test' };

const digest = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** Makes stores for one test, which are closed after it. */
function storesOf(openStore: () => Promise<AccountStore>) {
  async function emptyStore(): Promise<AccountStore> {
    const store = await openStore();
    onTestFinished(() => store.close());
    return store;
  }

  async function storeWithAda() {
    const store = await emptyStore();
    const created = await store.createAccount(ada);
    if (!created.ok) throw new Error(created.kind);
    const tokenFor = (byte: number, expiresAtMs = 1_800_000_000_000) =>
      store.createToken({ accountId: created.account.id, secretDigest: digest(byte), createdAtMs: 1, expiresAtMs });
    return { store, account: created.account, tokenFor };
  }

  return { emptyStore, storeWithAda };
}

type Stores = ReturnType<typeof storesOf>;

/** Tests what every adapter must do. `openStore` gives an empty store each time. */
export function behavesLikeAnAccountStore(openStore: () => Promise<AccountStore>): void {
  const stores = storesOf(openStore);
  const { emptyStore, storeWithAda } = stores;
  keepsAccounts(stores);
  keepsTokens(stores);
  endsTokens(stores);

  describe('the hash of a password', () => {
    it('says with its beginning what it cost, and each beginning comes once', async () => {
      const { store } = await storeWithAda();
      const hashes = [
        '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
        '$argon2id$v=19$m=19456,t=2,p=1$YW5vdGhlcg$aGFzaA',
        '$argon2id$v=19$m=65536,t=3,p=16$c2FsdA$aGFzaA',
      ];
      for (const [index, passwordHash] of hashes.entries()) {
        await store.createAccount({ ...eve, emailKey: `eve${index}@example.test`, passwordHash });
      }
      const beginnings = await store.hashPrefixes();
      const costs = ['$argon2id$v=19$m=19456,t=2,p=1', '$argon2id$v=19$m=65536,t=3,p=16'];
      expect(beginnings).toHaveLength(costs.length + 1);
      for (const cost of costs) expect(beginnings.filter((beginning) => beginning.startsWith(cost))).toHaveLength(1);
    });

    it('is replaced by a stronger one, unless another got there meanwhile', async () => {
      const { store, account } = await storeWithAda();
      await store.replacePasswordHash(account.id, ada.passwordHash, '$argon2id$stronger');
      await store.replacePasswordHash(account.id, ada.passwordHash, '$argon2id$too-late');
      expect(await store.findLogin(ada.emailKey)).toEqual({ account, passwordHash: '$argon2id$stronger' });
    });
  });

  it('answers while it is open', async () => {
    await expect((await emptyStore()).ping()).resolves.toBeUndefined();
  });

  it('may be closed twice', async () => {
    const store = await emptyStore();
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });
}

function keepsAccounts({ emptyStore, storeWithAda }: Stores): void {
  describe('accounts', () => {
    it('are answered as they were made, and found by the key of their address', async () => {
      const { store, account } = await storeWithAda();
      expect(account).toEqual({
        id: 1,
        name: ada.name,
        email: ada.email,
        createdAtMs: ada.createdAtMs,
        updatedAtMs: ada.createdAtMs,
      });
      expect(await store.findLogin(ada.emailKey)).toEqual({ account, passwordHash: ada.passwordHash });
    });

    it('are not found by another key', async () => {
      const { store } = await storeWithAda();
      for (const key of ['', 'ada', ada.email, '%', "' OR 1=1 --"]) expect(await store.findLogin(key)).toBeUndefined();
    });

    it('refuse a key that is taken, and keep the first account as it was', async () => {
      const { store, account } = await storeWithAda();
      expect(await store.createAccount({ ...eve, emailKey: ada.emailKey })).toEqual({ ok: false, kind: 'email-taken' });
      expect(await store.findLogin(ada.emailKey)).toEqual({ account, passwordHash: ada.passwordHash });
    });

    it('are made once when many are made with one key at the same time', async () => {
      const store = await emptyStore();
      const made = await Promise.all(Array.from({ length: 20 }, () => store.createAccount(ada)));
      expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    });

    it('hold any text that UTF-8 can hold', async () => {
      const store = await emptyStore();
      const name = `Ñandú 💎 " ' \\ %s ; -- ${'名'.repeat(200)}`;
      await store.createAccount({ ...ada, name });
      expect((await store.findLogin(ada.emailKey))?.account.name).toBe(name);
    });
  });
}

function keepsTokens({ emptyStore, storeWithAda }: Stores): void {
  describe('tokens', () => {
    it('are found by their id, with their account, their digest and their end', async () => {
      const { store, account, tokenFor } = await storeWithAda();
      const tokenId = await tokenFor(7);
      expect(await store.findSession(tokenId)).toEqual({
        account,
        secretDigest: digest(7),
        expiresAtMs: 1_800_000_000_000,
      });
    });

    it('are found after their end too, since the store does not say when a token is dead', async () => {
      const { store, tokenFor } = await storeWithAda();
      expect(await store.findSession(await tokenFor(1, 5))).toMatchObject({ expiresAtMs: 5 });
    });

    it('are not found by another id', async () => {
      const { store, tokenFor } = await storeWithAda();
      const tokenId = await tokenFor(1);
      for (const id of [0, -1, tokenId + 1, 999_999_999_999_999]) expect(await store.findSession(id)).toBeUndefined();
    });

    it('belong to their own account', async () => {
      const { store, tokenFor } = await storeWithAda();
      const other = await store.createAccount(eve);
      if (!other.ok) throw new Error(other.kind);
      const evesToken = await store.createToken({
        accountId: other.account.id,
        secretDigest: digest(9),
        createdAtMs: 1,
        expiresAtMs: 2,
      });
      expect((await store.findSession(await tokenFor(1)))?.account.name).toBe(ada.name);
      expect((await store.findSession(evesToken))?.account.name).toBe(eve.name);
    });

    it('are not made for an account that is not there', async () => {
      const store = await emptyStore();
      const orphan = store.createToken({ accountId: 1, secretDigest: digest(1), createdAtMs: 1, expiresAtMs: 2 });
      await expect(orphan).rejects.toThrow(/foreign key/i);
    });
  });
}

function endsTokens({ storeWithAda }: Stores): void {
  describe('tokens', () => {
    it('end one by one, and each once', async () => {
      const { store, tokenFor } = await storeWithAda();
      const [first, second] = [await tokenFor(1), await tokenFor(2)];
      const ended = await Promise.all([store.revokeToken(first), store.revokeToken(first)]);
      expect(ended.toSorted()).toEqual([false, true]);
      expect(await store.revokeToken(999)).toBe(false);
      expect(await store.findSession(first)).toBeUndefined();
      expect(await store.findSession(second)).toBeDefined();
    });

    it('never have the id of an ended one', async () => {
      const { store, tokenFor } = await storeWithAda();
      const ended = await tokenFor(1);
      await store.revokeToken(ended);
      expect(await tokenFor(2)).toBeGreaterThan(ended);
    });

    it('are swept once they ended, a few at a time, and no other is', async () => {
      const { store, tokenFor } = await storeWithAda();
      const [ended, alsoEnded, atTheEnd, alive] = [
        await tokenFor(1, 10),
        await tokenFor(2, 99),
        await tokenFor(3, 100),
        await tokenFor(4),
      ];
      expect(await store.deleteExpiredTokens(100, 1)).toBe(1);
      expect(await store.deleteExpiredTokens(100, 10)).toBe(1);
      expect(await store.deleteExpiredTokens(100, 10)).toBe(0);
      for (const id of [ended, alsoEnded]) expect(await store.findSession(id)).toBeUndefined();
      for (const id of [atTheEnd, alive]) expect(await store.findSession(id)).toBeDefined();
    });

    it('may be noted as used, ended ones and none at all included', async () => {
      const { store, tokenFor } = await storeWithAda();
      const [used, ended] = [await tokenFor(1), await tokenFor(2)];
      const before = await store.findSession(used);
      await store.revokeToken(ended);
      await store.noteTokenUses(new Map());
      await store.noteTokenUses(
        new Map([
          [used, 1_700_000_000_500],
          [ended, 1_700_000_000_500],
          [999, 1],
        ]),
      );
      expect(await store.findSession(used)).toEqual(before);
      expect(await store.findSession(ended)).toBeUndefined();
    });
  });
}
