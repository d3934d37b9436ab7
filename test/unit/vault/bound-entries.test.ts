import * as fc from 'fast-check';
import { hash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cipher } from '../../../main/account/vault/cipher.ts';
import type { SealedEntry } from '../../../main/account/vault/sealed-entries.ts';
import { Vault } from '../../../main/account/vault/vault.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

async function makeFile() {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'vault.json');
  return {
    folder,
    file,
    open: (cipher: Cipher = createFakeCipher()) => new Vault({ file, cipher }),
    entries: async (): Promise<SealedEntry[]> => JSON.parse(await readFile(file, 'utf8')).entries,
  };
}

/** Writes what somebody puts there who can write the file and knows how it is made. */
async function forge(file: string, entries: readonly object[]): Promise<void> {
  const content = { version: 1, entries, checksum: hash('sha256', JSON.stringify(entries)) };
  for (const each of [file, `${file}.last-good`]) await writeFile(each, JSON.stringify(content));
}

/** Makes an entry whose sealed text is the password alone, as somebody who has the keyring may. */
const unsaidEntry = (service: string, account: string, password: string) => ({
  service,
  account,
  backend: 'fake',
  sealed: Buffer.from(Array.from(password).toReversed().join('')).toString('base64'),
  pin: false,
});

describe('an entry of the vault', () => {
  it('gives its password only where it was sealed for, however the file is put together', async () => {
    const { file, open, entries } = await makeFile();
    const names = ['a', 'b', 'a b', ' ', '","account":"a', '\u0000', 'ñ', 'n\u0303', 'connection proxyPassword'];
    const made = new Map<string, string>();
    const vault = open();
    for (const [index, service] of names.entries()) {
      const account = names[(index * 2 + 1) % names.length]!;
      made.set(JSON.stringify([service, account]), `password ${index}`);
      await vault.setPassword(service, account, `password ${index}`);
    }
    const sealed = await entries();
    const name = fc.constantFrom(...names);
    const forged = fc.record({
      service: name,
      account: name,
      sealed: fc.constantFrom(...sealed.map((entry) => entry.sealed)),
      pin: fc.boolean(),
      backend: fc.constant('fake'),
    });
    let given = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...sealed), forged), { minLength: 1, maxLength: 6 }),
        async (put) => {
          await forge(file, put);
          const opened = open();
          for (const { service, account } of put) {
            const password = await opened.getPassword(service, account);
            if (password === null) continue;
            expect(password).toBe(made.get(JSON.stringify([service, account])));
            given++;
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(given).toBeGreaterThan(50);
  });

  it('that was swapped with another gives nothing, counts as unreadable, and is there again when it is put back', async () => {
    const { file, open, entries } = await makeFile();
    const vault = open();
    await vault.setPassword('good server', 'ana', 'token of the good server');
    await vault.setPassword('bad server', 'eva', 'token of the bad server');
    const [good, bad] = (await entries()) as [SealedEntry, SealedEntry];
    await forge(file, [
      { ...good, sealed: bad.sealed },
      { ...bad, sealed: good.sealed },
    ]);
    const swapped = open();
    expect(await swapped.findCredentials('bad server')).toEqual([]);
    expect(await swapped.getPassword('good server', 'ana')).toBeNull();
    expect(swapped.entryState('good server', 'ana')).toBe('unreadable');
    expect(swapped.status()).toMatchObject({ unreadable: 2 });
    await forge(file, [good, bad]);
    expect(await open().getPassword('good server', 'ana')).toBe('token of the good server');
  });
});

it('an entry under a PIN gives nothing where the file says that it needs none', async () => {
  const { file, open, entries } = await makeFile();
  const vault = open();
  await vault.setPassword('one', 'ana', 'first');
  await vault.setPin(Buffer.alloc(32, 1));
  const [one] = (await entries()) as [SealedEntry];
  expect(one.pin).toBe(true);
  await forge(file, [{ ...one, pin: false }]);
  const forged = open();
  expect([await forged.getPassword('one', 'ana'), forged.entryState('one', 'ana')]).toEqual([null, 'unreadable']);
});

it('an entry that does not say whose it is gives nothing, is kept, and is replaced by logging in again', async () => {
  const { file, open, entries } = await makeFile();
  await forge(file, [unsaidEntry('one', 'ana', 'first')]);
  const vault = open();
  expect(await vault.getPassword('one', 'ana')).toBeNull();
  expect([vault.entryState('one', 'ana'), (await entries()).length]).toEqual(['unreadable', 1]);
  await vault.setPassword('one', 'ana', 'new');
  expect(await open().getPassword('one', 'ana')).toBe('new');
});

describe('what was set aside', () => {
  it('is removed before a PIN is set, with entries that are never used', async () => {
    const { file, folder, open, entries } = await makeFile();
    const vault = open();
    await vault.setPassword('one', 'ana', 'first');
    const [one] = (await entries()) as [SealedEntry];
    await forge(file, [one, { ...one, account: 'eva' }, unsaidEntry('two', 'ana', 'second')]);
    for (const name of ['vault.json.broken-2026', 'vault.json.last-good.broken-2026', 'config.json.broken-2026'])
      await writeFile(path.join(folder, name), 'damaged');
    const next = open();
    await next.setPin(Buffer.alloc(32, 1));
    expect((await readdir(folder)).filter((name) => name.includes('broken'))).toEqual(['config.json.broken-2026']);
    expect(await entries()).toMatchObject([{ service: 'one', account: 'ana', pin: true }]);
  });

  it('goes with everything else, also beside a file that cannot be read', async () => {
    const { file, folder, open } = await makeFile();
    await open().setPassword('one', 'ana', 'first');
    await writeFile(file, '{"version":9}');
    await writeFile(`${file}.broken-2026`, 'damaged');
    const vault = open();
    await vault.clear();
    expect(await readdir(folder)).toEqual([]);
  });
});
