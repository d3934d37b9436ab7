import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VaultStatus } from '../../../preload/contract/models.ts';
import type { Cipher } from '../../../main/vault/cipher.ts';
import { createVault } from '../../../main/vault/vault.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';

const token = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';

async function makeVault(cipher: Cipher = createFakeCipher()) {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'vault.json');
  const told: VaultStatus[] = [];
  const open = (using: Cipher = cipher) =>
    createVault({ file, cipher: using, onStatus: (status) => told.push(status) });
  return { folder, file, told, open, vault: open() };
}

describe('a vault the system protects', () => {
  it('gives a password back, also after a restart', async () => {
    const { vault, open } = await makeVault();
    await vault.setPassword('server', 'ana@example.test', token);
    expect(await vault.getPassword('server', 'ana@example.test')).toBe(token);
    expect(await open().getPassword('server', 'ana@example.test')).toBe(token);
  });

  it('keeps entries apart by service and by account', async () => {
    const { vault } = await makeVault();
    await vault.setPassword('one', 'ana', 'a');
    await vault.setPassword('one', 'bob', 'b');
    await vault.setPassword('two', 'ana', 'c');
    expect(await vault.getPassword('one', 'ana')).toBe('a');
    expect(await vault.getPassword('two', 'ana')).toBe('c');
    expect(await vault.getPassword('two', 'bob')).toBeNull();
    expect(await vault.findCredentials('one')).toEqual([
      { account: 'ana', password: 'a' },
      { account: 'bob', password: 'b' },
    ]);
  });

  it('deletes one entry and says whether there was one', async () => {
    const { vault, open } = await makeVault();
    await vault.setPassword('one', 'ana', 'a');
    await vault.setPassword('one', 'bob', 'b');
    expect(await vault.deletePassword('one', 'ana')).toBe(true);
    expect(await vault.deletePassword('one', 'ana')).toBe(false);
    expect(await open().findCredentials('one')).toEqual([{ account: 'bob', password: 'b' }]);
  });

  it('never writes the password in clear, and only the user may read the file', async () => {
    const { vault, file, folder } = await makeVault();
    await vault.setPassword('server', 'ana', token);
    expect(await filesContaining(folder, token)).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8')).entries[0].backend).toBe('fake');
  });

  it('loses none of many passwords set at once', async () => {
    const { vault, open } = await makeVault();
    const accounts = Array.from({ length: 25 }, (_, index) => `account ${index}`);
    await Promise.all(accounts.map((account) => vault.setPassword('server', account, `password of ${account}`)));
    const found = await open().findCredentials('server');
    expect(found.map(({ account }) => account).toSorted()).toEqual(accounts.toSorted());
  });

  it('seals anew what the system wants sealed anew', async () => {
    const { vault, open } = await makeVault();
    await vault.setPassword('server', 'ana', token);
    const ageing = createFakeCipher({ shouldReEncrypt: true });
    expect(await open(ageing).getPassword('server', 'ana')).toBe(token);
    // Decrypted, encrypted again, and read back before the older copy went.
    expect(ageing.calls()).toBe(3);
  });
});

describe('a vault the system does not protect', () => {
  it.each(['no-keyring', 'weak-keyring', 'keyring-failed'] as const)(
    'holds the password in memory only: %s',
    async (reason) => {
      const { vault, told, folder, open } = await makeVault(
        createFakeCipher({ protection: { protected: false, reason } }),
      );
      await vault.setPassword('server', 'ana', token);
      expect(told).toEqual([{ state: 'memory-only', reason }]);
      expect(await vault.getPassword('server', 'ana')).toBe(token);
      expect(vault.entryState('server', 'ana')).toBe('memory');
      expect(await readdir(folder)).toEqual([]);
      expect(await open().getPassword('server', 'ana')).toBeNull();
    },
  );

  it('keeps what was sealed earlier, and reads it again once the keyring is back', async () => {
    const { vault, open } = await makeVault();
    await vault.setPassword('server', 'ana', token);
    const without = open(createFakeCipher({ protection: { protected: false, reason: 'no-keyring' } }));
    expect(await without.getPassword('server', 'ana')).toBeNull();
    expect(without.entryState('server', 'ana')).toBe('unreadable');
    expect(await open().getPassword('server', 'ana')).toBe(token);
  });
});

describe('a keyring that fails', () => {
  it('while reading: nothing is deleted, and absent is told from unreadable', async () => {
    const { vault, open } = await makeVault();
    await vault.setPassword('server', 'ana', token);
    const failing = open(createFakeCipher({ failsAtCall: 1 }));
    expect(await failing.getPassword('server', 'ana')).toBeNull();
    expect(failing.entryState('server', 'ana')).toBe('unreadable');
    expect(await failing.getPassword('server', 'bob')).toBeNull();
    expect(failing.entryState('server', 'bob')).toBe('absent');
    expect(await failing.getPassword('server', 'ana')).toBe(token);
  });

  it.each([
    ['while sealing', createFakeCipher({ failsAtCall: 1 })],
    ['by giving another value back', createFakeCipher({ returns: 'something else' })],
  ])('%s: the password is held in memory and the status says so', async (_how, cipher) => {
    const { vault, told, folder } = await makeVault(cipher);
    await vault.setPassword('server', 'ana', token);
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    expect(vault.entryState('server', 'ana')).toBe('memory');
    expect(told.at(-1)).toEqual({ state: 'memory-only', reason: 'keyring-failed' });
    expect(await filesContaining(folder, token)).toEqual([]);
  });
});

describe('a vault file that cannot be read at all', () => {
  it('holds passwords in memory, and touches nothing', async () => {
    const { vault, file, told, folder } = await makeVault();
    await mkdir(file);
    await vault.setPassword('server', 'ana', token);
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    expect(told).toEqual([{ state: 'memory-only', reason: 'file-unreadable' }]);
    expect(await vault.deletePassword('server', 'ana')).toBe(true);
    expect(await readdir(folder)).toEqual(['vault.json']);
  });
});

describe('a broken vault file', () => {
  it.each([
    ['empty', ''],
    ['cut off', '{"version":1,"entr'],
    ['of another shape', '{"version":1,"entries":{"a":1}}'],
  ])('%s: is set aside whole, and the vault works', async (_what, content) => {
    const { vault, file, folder } = await makeVault();
    await writeFile(file, content);
    expect(await vault.getPassword('server', 'ana')).toBeNull();
    const kept = (await readdir(folder)).filter((name) => name.startsWith('vault.json.broken-'));
    expect(kept).toHaveLength(1);
    expect(await readFile(path.join(folder, kept[0]!), 'utf8')).toBe(content);
    await vault.setPassword('server', 'ana', token);
    expect(await vault.getPassword('server', 'ana')).toBe(token);
  });
});
