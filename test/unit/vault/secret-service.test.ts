import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { askKeyring, profileArgument } from '../../../main/account/vault/keyring-process.ts';
import { createSecretServiceCipher } from '../../../main/account/vault/secret-service-cipher.ts';
import { Vault } from '../../../main/account/vault/vault.ts';
import { startEmptyBus, startKeyring } from '../../support/keyring.ts';
import { watchKeyringCalls } from '../../support/keyring-calls.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';

const host = path.resolve(import.meta.dirname, '../../../main/account/vault/keyring-host.ts');
const token = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';

/** Makes the cipher as the application has it, on a Node child process instead of Electron's. */
function cipherOn(env: Record<string, string>, profile = 'one') {
  return createSecretServiceCipher((args) =>
    askKeyring(() =>
      fork(host, [profileArgument + profile, ...args], { env: { ...process.env, ...env }, stdio: 'ignore' }),
    ),
  );
}

/** A busy keyring answers later than the vault waits, and counts all the same. */
const slow = { timeout: 20_000 };

const isProtected = { state: 'protected', backend: 'secret-service', unreadable: 0, before: [] };

async function storeToken(file: string, env: Record<string, string>): Promise<void> {
  const vault = new Vault({ file, cipher: cipherOn(env) });
  await vault.setPassword('server', 'ana', token);
  await expect.poll(() => vault.status(), slow).toEqual(isProtected);
}

/** Opens a vault, and waits until its keyring has answered. */
async function openProbed(file: string, env: Record<string, string>): Promise<Vault> {
  const vault = new Vault({ file, cipher: cipherOn(env) });
  await vault.open();
  await expect.poll(() => vault.status(), slow).toMatchObject({ state: 'protected' });
  return vault;
}

describe('the Secret Service asked directly', () => {
  it('keeps one key; tokens are in the vault file, sealed, and survive restarts of both', async () => {
    const folder = await makeTemporaryFolder();
    const keyring = await startKeyring();
    const file = path.join(folder, 'vault.json');
    await storeToken(file, keyring.env);
    expect(await filesContaining(folder, token)).toEqual([]);
    expect(await filesContaining(keyring.env.HOME, token)).toEqual([]);

    await keyring.unlock();
    const later = await openProbed(file, keyring.env);
    expect(await later.getPassword('server', 'ana')).toBe(token);
  });

  it('waits for a keyring that is too busy to answer, and does not take it for absent', async () => {
    const keyring = await startKeyring();
    const calls = await watchKeyringCalls(keyring.env);
    const goOn = await keyring.stall();
    const probing = cipherOn(keyring.env).probe();
    // The library has given up once, and was told to go on.
    await expect.poll(() => calls().filter((call) => call.includes('OpenSession')).length).toBe(2);
    goOn();
    expect(await probing).toEqual({ protected: true, backend: 'secret-service' });
  });

  it('removes its key when everything is to be erased, so that an older copy of the file opens no more', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'vault.json');
    const keyring = await startKeyring();
    await storeToken(file, keyring.env);
    await cipherOn(keyring.env).deleteKey();
    const later = await openProbed(file, keyring.env);
    expect(await later.getPassword('server', 'ana')).toBeNull();
    expect(later.status()).toMatchObject({ state: 'protected', unreadable: 1 });
  });

  it('gives each profile a key of its own: erasing one leaves the other', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'vault.json');
    const { env } = await startKeyring();
    await storeToken(file, env);
    const other = cipherOn(env, 'two');
    expect(await other.probe()).toMatchObject({ protected: true });
    await other.deleteKey();
    const later = await openProbed(file, env);
    expect(await later.getPassword('server', 'ana')).toBe(token);
  });

  it('locked: nothing is overwritten, and the token is there after unlocking without a restart', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'vault.json');
    const keyring = await startKeyring();
    await storeToken(file, keyring.env);
    const content = await readFile(file, 'utf8');

    await keyring.lock();
    const vault = new Vault({ file, cipher: cipherOn(keyring.env) });
    expect(await vault.getPassword('server', 'ana')).toBeNull();
    expect(vault.status()).toEqual({ state: 'locked' });
    expect(vault.entryState('server', 'ana')).toBe('locked');
    await vault.setPassword('server', 'bea', 'while it was locked');
    expect(await readFile(file, 'utf8')).toBe(content);

    await keyring.unlock();
    await vault.retry();
    await expect.poll(() => vault.status(), slow).toMatchObject({ state: 'protected', unreadable: 0 });
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    expect(vault.entryState('server', 'bea')).toBe('sealed');
  });

  it('replaced: the old entries are kept aside, counted, and new ones have the new key', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'vault.json');
    const keyring = await startKeyring();
    await storeToken(file, keyring.env);
    const [entry] = JSON.parse(await readFile(file, 'utf8')).entries;

    await keyring.replace();
    const vault = await openProbed(file, keyring.env);
    expect(await vault.getPassword('server', 'ana')).toBeNull();
    expect(vault.status()).toEqual({ state: 'protected', backend: 'secret-service', unreadable: 1, before: [] });
    await vault.setPassword('server', 'bea', 'a new one');
    expect(JSON.parse(await readFile(file, 'utf8')).entries).toContainEqual(entry);
    expect(await vault.getPassword('server', 'bea')).toBe('a new one');
  });

  it('absent, with a bus and without one: there is no keyring, and no other store is used instead', async () => {
    const { env } = await startEmptyBus();
    expect(await cipherOn(env).probe()).toEqual({ protected: false, reason: 'no-keyring' });
    const nowhere = { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '/nonexistent' };
    expect(await cipherOn(nowhere).probe()).toEqual({ protected: false, reason: 'no-keyring' });
  });

  it('a process that cannot run is a keyring that does not open, not an end of ours', async () => {
    const cipher = createSecretServiceCipher(() => askKeyring(() => fork('/nonexistent.js', [], { stdio: 'ignore' })));
    expect(await cipher.probe()).toEqual({ protected: false, reason: 'locked' });
  });
});
