import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VaultStatus } from '../../../preload/contract/models.ts';
import type { Protection } from '../../../main/account/vault/cipher.ts';
import { Vault } from '../../../main/account/vault/vault.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const token = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const protectedBy: VaultStatus = { state: 'protected', backend: 'fake', unreadable: 0, before: [] };

/** A profile whose system store counts every question that is put to it, over several starts. */
async function makeProfile() {
  const file = path.join(await makeTemporaryFolder(), 'vault.json');
  const asked: string[] = [];
  const found: Protection = { protected: true, backend: 'fake' };
  function start(more: { neverPrompts?: boolean; protection?: Protection } = {}) {
    const { protection = found, neverPrompts = false } = more;
    const cipher = createFakeCipher({
      neverPrompts,
      probe: async () => {
        asked.push('probe');
        return protection;
      },
    });
    const told: VaultStatus[] = [];
    return { vault: new Vault({ file, cipher, onStatus: (status) => told.push(status) }), told, cipher };
  }
  return { file, asked, start };
}

describe('a start without anything stored', () => {
  it('leaves the keyring alone, whatever is read, removed, locked or kept in memory', async () => {
    const { asked, start } = await makeProfile();
    const { vault, told, cipher } = start();
    expect(await vault.open()).toEqual({ state: 'not-asked' });
    expect(await vault.getPassword('server', 'ana')).toBeNull();
    expect(vault.entryState('server', 'ana')).toBe('absent');
    expect(await vault.deletePassword('server', 'ana')).toBe(false);
    expect(await vault.findCredentials('server')).toEqual([]);
    await vault.setPin(Buffer.alloc(32, 1));
    vault.closePin();
    await vault.openPin(Buffer.alloc(32, 1));
    await vault.setPassword('server', 'ana', token, { mayPersist: false });
    expect(await vault.getPassword('server', 'ana')).toBe(token);
    await vault.clear();
    await vault.open();
    expect([asked, cipher.calls(), told]).toEqual([[], 0, [{ state: 'not-asked' }]]);
  });

  it('asks the keyring with the first thing that is to rest, and at each start from then on', async () => {
    const { asked, start } = await makeProfile();
    const { vault, told } = start();
    await vault.open();
    await Promise.all(['ana', 'bea'].map((account) => vault.setPassword('server', account, token)));
    expect(told).toEqual([{ state: 'not-asked' }, { state: 'asking' }, protectedBy]);
    // Earlier versions' time is over from here on, although none wrote this file.
    expect(asked).toEqual(['probe']);

    const second = start();
    expect(await second.vault.open()).toEqual(protectedBy);
    expect(await second.vault.getPassword('server', 'bea')).toBe(token);
    expect(asked).toEqual(['probe', 'probe']);
  });

  it('is what comes after the last entry was removed', async () => {
    const { asked, start } = await makeProfile();
    const { vault } = start();
    await vault.setPassword('server', 'ana', token);
    await vault.deletePassword('server', 'ana');
    expect(vault.status()).toEqual(protectedBy);
    asked.length = 0;
    expect(await start().vault.open()).toEqual({ state: 'not-asked' });
    expect(asked).toEqual([]);
  });

  it('says that there is no keyring once something was to rest, and holds that in memory', async () => {
    const { start } = await makeProfile();
    const { vault, told } = start({ protection: { protected: false, reason: 'no-keyring' } });
    await vault.open();
    await vault.setPassword('server', 'ana', token);
    expect(told.at(-1)).toEqual({ state: 'memory-only', reason: 'no-keyring' });
    expect(await vault.getPassword('server', 'ana')).toBe(token);
  });

  it('asks at once where nobody would notice: DPAPI, or no bus', async () => {
    const { asked, start } = await makeProfile();
    expect(await start({ neverPrompts: true }).vault.open()).toEqual(protectedBy);
    expect(asked[0]).toBe('probe');
  });

  it('looks for the keyring when a person says so', async () => {
    const { start } = await makeProfile();
    const { vault } = start();
    await vault.open();
    expect(await vault.retry()).toEqual(protectedBy);
  });
});
