import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { VaultStatus } from '../../../preload/contract/models.ts';
import type { Cipher, Protection } from '../../../main/account/vault/cipher.ts';
import { storeTimeoutMs } from '../../../main/account/vault/entry-sealer.ts';
import { Vault, probeTimeoutMs } from '../../../main/account/vault/vault.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { createHeldCipher } from '../../support/held-cipher.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';

const token = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';

async function makeVault(cipher: Cipher = createFakeCipher()) {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'vault.json');
  const told: VaultStatus[] = [];
  const open = (using: Cipher = cipher) => new Vault({ file, cipher: using, onStatus: (status) => told.push(status) });
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

  it('seals again what the system wants sealed again', async () => {
    const { vault, open } = await makeVault();
    await vault.setPassword('server', 'ana', token);
    const ageing = createFakeCipher({ shouldReEncrypt: true });
    expect(await open(ageing).getPassword('server', 'ana')).toBe(token);
    // The store decrypted, encrypted again and read back before the older copy went, and then read.
    expect(ageing.calls()).toBe(4);
  });
});

describe('a vault the system does not protect', () => {
  it.each(['no-keyring', 'keyring-failed'] as const)('holds the password in memory only: %s', async (reason) => {
    const { vault, told, folder, open } = await makeVault(
      createFakeCipher({ protection: { protected: false, reason } }),
    );
    await vault.setPassword('server', 'ana', token);
    expect(told).toEqual([{ state: 'memory-only', reason }]);
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    expect(vault.entryState('server', 'ana')).toBe('memory');
    expect(await readdir(folder)).toEqual([]);
    expect(await open().getPassword('server', 'ana')).toBeNull();
  });

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
    // It is read once when the vault opens.
    const failing = open(createFakeCipher({ failsAtCall: 2 }));
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

describe('a keyring that is locked', () => {
  afterEach(() => void vi.useRealTimers());

  it('that answers after 30 s is not waited for, and what waited for it goes on by itself', async () => {
    const { vault: earlier, open, file, told } = await makeVault();
    await earlier.setPassword('server', 'ana', token);
    const content = await readFile(file, 'utf8');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = () =>
      new Promise<Protection>((resolve) => setTimeout(() => resolve({ protected: true, backend: 'fake' }), 30_000));
    const vault = open(createFakeCipher({ probe: answer }));
    told.length = 0;

    const reading = vault.getPassword('server', 'ana');
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    await vi.advanceTimersByTimeAsync(probeTimeoutMs);
    expect(await reading).toBeNull();
    expect(vault.entryState('server', 'ana')).toBe('locked');
    expect(told).toEqual([{ state: 'locked' }]);
    await vault.setPassword('server', 'bea', 'logged in meanwhile');
    expect(await vault.getPassword('server', 'bea')).toBe('logged in meanwhile');
    expect(await readFile(file, 'utf8')).toBe(content);

    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ state: 'protected' }));
    expect(vault.entryState('server', 'bea')).toBe('sealed');
    expect(await vault.getPassword('server', 'ana')).toBe(token);
  });

  it('that never answers a call counts as failed for that call; the password is in memory', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hanging = { ...createFakeCipher(), encrypt: () => new Promise<Buffer>(() => undefined) };
    const { vault } = await makeVault(hanging);
    await vault.open();
    const setting = vault.setPassword('server', 'ana', token);
    await vi.advanceTimersByTimeAsync(storeTimeoutMs);
    await setting;
    expect(vault.status()).toEqual({ state: 'memory-only', reason: 'keyring-failed' });
    expect(await vault.getPassword('server', 'ana')).toBe(token);
  });

  it('is asked again by a person; an answer to the earlier question counts no more', async () => {
    const questions: PromiseWithResolvers<Protection>[] = [];
    const probe = () => {
      const question = Promise.withResolvers<Protection>();
      questions.push(question);
      return question.promise;
    };
    const { vault } = await makeVault(createFakeCipher({ probe }));
    const first = vault.setPassword('server', 'bea', token);
    const again = vault.retry();
    questions[1]!.resolve({ protected: true, backend: 'fake' });
    expect(await again).toMatchObject({ state: 'protected' });
    questions[0]!.resolve({ protected: false, reason: 'locked' });
    await first;
    await vault.setPassword('server', 'ana', token);
    expect(vault.entryState('server', 'ana')).toBe('sealed');
  });
});

describe('a keyring that fails at the third call', () => {
  it('loses nothing: the first password rests, the second is in memory, and rests once it works again', async () => {
    const { vault, open, told } = await makeVault(createFakeCipher({ failsAtCall: 3 }));
    await vault.setPassword('server', 'ana', token);
    await vault.setPassword('server', 'bea', 'second');
    expect(told.at(-1)).toEqual({ state: 'memory-only', reason: 'keyring-failed' });
    expect([vault.entryState('server', 'ana'), vault.entryState('server', 'bea')]).toEqual(['sealed', 'memory']);
    expect(await vault.retry()).toMatchObject({ state: 'protected' });
    expect(await open(createFakeCipher()).findCredentials('server')).toEqual([
      { account: 'ana', password: token },
      { account: 'bea', password: 'second' },
    ]);
  });
});

describe('a keyring that has changed since last time', () => {
  it('keeps what it cannot open aside, names who sealed it, and takes it up when that is back', async () => {
    const { vault, open, file } = await makeVault(createFakeCipher({ backend: 'kwallet5' }));
    await vault.setPassword('server', 'ana', token);
    const [entry] = JSON.parse(await readFile(file, 'utf8')).entries;
    const other = open(createFakeCipher({ backend: 'gnome_libsecret' }));
    expect(await other.getPassword('server', 'ana')).toBeNull();
    expect(other.entryState('server', 'ana')).toBe('unreadable');
    expect(other.status()).toEqual({
      state: 'protected',
      backend: 'gnome_libsecret',
      unreadable: 1,
      before: ['kwallet5'],
    });
    await other.setPassword('server', 'bea', 'new');
    expect(JSON.parse(await readFile(file, 'utf8')).entries).toContainEqual(entry);
    expect(await open(createFakeCipher({ backend: 'kwallet5' })).getPassword('server', 'ana')).toBe(token);
  });

  it('leaves what it cannot open as it is while the rest is sealed again, also under a PIN', async () => {
    const { vault, open, file } = await makeVault(createFakeCipher({ backend: 'kwallet5' }));
    await vault.setPassword('server', 'ana', token);
    const direct = { backend: 'secret-service' };
    await open(createFakeCipher(direct)).setPassword('server', 'bea', 'second');
    const entries = async () => JSON.parse(await readFile(file, 'utf8')).entries;
    const [lost] = await entries();
    const now = open(createFakeCipher({ backend: 'dpapi', opens: ['secret-service', 'dpapi'] }));
    expect(await now.open()).toMatchObject({ unreadable: 1, before: ['kwallet5'] });
    expect(await entries()).toMatchObject([lost, { backend: 'dpapi', pin: false }]);
    await now.setPin(Buffer.alloc(32, 1));
    expect(await entries()).toMatchObject([lost, { backend: 'dpapi', pin: true }]);
    expect(await now.getPassword('server', 'bea')).toBe('second');
  });

  it('takes over what it can still open, and only after reading it back', async () => {
    const { vault, open, file } = await makeVault(createFakeCipher({ backend: 'secret-service' }));
    await vault.setPassword('server', 'ana', token);
    const before = await readFile(file, 'utf8');
    const both = { backend: 'gnome_libsecret', opens: ['secret-service', 'gnome_libsecret'] };
    const failing = open(createFakeCipher({ ...both, failsAtCall: 3 }));
    await failing.open();
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(failing.status()).toMatchObject({ unreadable: 0 });
    const working = open(createFakeCipher(both));
    expect(await working.getPassword('server', 'ana')).toBe(token);
    expect(JSON.parse(await readFile(file, 'utf8')).entries[0].backend).toBe('gnome_libsecret');
  });
});

describe('a password that is being sealed', () => {
  it.each([
    ['removed', null, []],
    ['replaced', 'newer', ['newer']],
  ] as const)('can be read at once, and does not rest where it was %s meanwhile', async (what, read, rests) => {
    const system = createHeldCipher();
    const { vault, open } = await makeVault(system.cipher);
    await vault.setPassword('server', 'bea', 'x');
    await vault.deletePassword('server', 'bea');
    system.hold();
    const setting = vault.setPassword('server', 'ana', token);
    await system.asked();
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    const next =
      what === 'removed' ? vault.deletePassword('server', 'ana') : vault.setPassword('server', 'ana', 'newer');
    system.release();
    await Promise.all([setting, next]);
    expect(await vault.getPassword('server', 'ana')).toBe(read);
    expect((await open().findCredentials('server')).map(({ password }) => password)).toEqual(rests);
  });
});

describe('a password that is not to rest', () => {
  it('is in memory only, replaces one that rests, and stays there when the keyring is asked again', async () => {
    const { vault, open, folder } = await makeVault();
    await vault.setPassword('server', 'ana', 'old');
    await vault.setPassword('server', 'ana', token, { mayPersist: false });
    await vault.retry();
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    expect(vault.entryState('server', 'ana')).toBe('memory');
    expect(await filesContaining(folder, Array.from(token).toReversed().join(''))).toEqual([]);
    expect(await open().getPassword('server', 'ana')).toBeNull();
  });
});
