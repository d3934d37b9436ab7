import * as fc from 'fast-check';
import { hash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cipher } from '../../../main/vault/cipher.ts';
import type { SealedEntry } from '../../../main/vault/vault-file.ts';
import { createVault } from '../../../main/vault/vault.ts';
import { createEarlierStore, createFakeCipher } from '../../support/fake-cipher.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

async function makeFile() {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'vault.json');
  return {
    folder,
    file,
    open: (cipher: Cipher = createFakeCipher()) => createVault({ file, cipher }),
    entries: async (): Promise<SealedEntry[]> => JSON.parse(await readFile(file, 'utf8')).entries,
  };
}

/** Writes what somebody puts there who can write the file and knows how it is made. */
async function forge(file: string, entries: readonly object[], more: object = { version: 1 }): Promise<void> {
  for (const each of [file, `${file}.last-good`]) await writeFile(each, JSON.stringify({ ...more, entries }));
}

/** Makes an entry as an earlier version did, whose sealed text is the password alone. */
const earlierEntry = (service: string, account: string, password: string, backend = 'fake') => ({
  service,
  account,
  backend,
  sealed: Buffer.from(Array.from(password).toReversed().join('')).toString('base64'),
  pin: false,
});

/** Makes a store that may read what earlier versions sealed, over several starts. */
function makeEarlierStore() {
  const unbound = createEarlierStore();
  return { unbound, cipher: (more: object = {}) => createFakeCipher({ unbound, ...more }) };
}

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

describe('a vault of an earlier version', () => {
  const old = [earlierEntry('one', 'ana', 'first'), earlierEntry('two', 'connection proxyPassword', 'second')];

  it('is read once, and every entry is sealed anew with whose it is', async () => {
    const { file, open, entries } = await makeFile();
    await forge(file, old);
    const { cipher } = makeEarlierStore();
    const vault = open(cipher());
    expect(await vault.getPassword('one', 'ana')).toBe('first');
    expect(await vault.getPassword('two', 'connection proxyPassword')).toBe('second');
    expect((await entries()).map(({ sealed }) => sealed)).not.toEqual(old.map(({ sealed }) => sealed));
    const again = open(cipher());
    expect(await again.getPassword('two', 'connection proxyPassword')).toBe('second');
    expect(again.status()).toMatchObject({ unreadable: 0 });
  });

  it.each([
    ['as its old copy', { version: 1 }],
    [
      'as a file of today that says it may hold older ones',
      { version: 2, mayHoldUnbound: true, checksum: hash('sha256', JSON.stringify(old)) },
    ],
  ])('brings no unbound entry back once it was read, also not %s', async (_how, head) => {
    const { file, open } = await makeFile();
    await forge(file, old);
    const { cipher } = makeEarlierStore();
    await open(cipher()).open();
    await forge(file, old, head);
    for (const start of ['first', 'second']) {
      const later = open(cipher());
      expect([start, await later.getPassword('one', 'ana')]).toEqual([start, null]);
      expect(later.entryState('one', 'ana')).toBe('unreadable');
    }
    // The entry is kept and not used, and logging in again takes its place.
    const later = open(cipher());
    await later.setPassword('one', 'ana', 'new');
    expect(await open(cipher()).getPassword('one', 'ana')).toBe('new');
  });

  it('is not read where nothing can remember that it was', async () => {
    const { file, open } = await makeFile();
    await forge(file, old);
    expect(await open(createFakeCipher()).getPassword('one', 'ana')).toBeNull();
  });

  it('is read in this run and the next one when it cannot be written, or the store does not yet remember', async () => {
    const { file, open, entries } = await makeFile();
    await forge(file, old);
    let answers = false;
    const memory = createEarlierStore();
    const unbound = { ...memory, end: async () => (answers ? memory.end() : false) };
    for (let start = 0; start < 2; start++) {
      const vault = open(createFakeCipher({ unbound }));
      expect(await vault.getPassword('one', 'ana')).toBe('first');
      await forge(file, old);
    }
    answers = true;
    await open(createFakeCipher({ unbound })).open();
    await forge(file, old);
    expect(await open(createFakeCipher({ unbound })).getPassword('one', 'ana')).toBeNull();
    expect(await entries()).toHaveLength(2);
  });

  it('loses no entry to a keyring that fails once', async () => {
    const { file, open } = await makeFile();
    await forge(file, old);
    const { cipher } = makeEarlierStore();
    const vault = open(cipher({ failsAtCall: 1 }));
    expect(await vault.getPassword('one', 'ana')).toBe('first');
    expect(await open(cipher()).getPassword('two', 'connection proxyPassword')).toBe('second');
  });

  it('keeps what another keyring sealed until that keyring is there, and reads it then', async () => {
    const { file, open, entries } = await makeFile();
    const other = earlierEntry('three', 'ana', 'third', 'kwallet5');
    await forge(file, [...old, other]);
    const vault = open(makeEarlierStore().cipher());
    expect(await vault.getPassword('one', 'ana')).toBe('first');
    await vault.setPassword('four', 'ana', 'fourth');
    expect(await entries()).toContainEqual(other);
    const back = open(makeEarlierStore().cipher({ backend: 'kwallet5', opens: ['kwallet5', 'fake'] }));
    expect(await back.getPassword('three', 'ana')).toBe('third');
    expect(await back.getPassword('one', 'ana')).toBe('first');
  });

  it('under a PIN is bound before the PIN is known, and opens with it', async () => {
    const { file, open } = await makeFile();
    const key = Buffer.alloc(32, 3);
    const first = open();
    await first.setPassword('one', 'ana', 'first');
    await first.pin.set(key);
    // The earlier version had the seal of the PIN, and no word of whose it is.
    const { sealed, ...rest } = JSON.parse(await readFile(file, 'utf8')).entries[0];
    const text = Array.from(Buffer.from(sealed, 'base64').toString()).toReversed().join('');
    const { content } = JSON.parse(text.slice(text.indexOf('{')));
    await forge(file, [
      {
        ...rest,
        sealed: Buffer.from(
          Array.from(content as string)
            .toReversed()
            .join(''),
        ).toString('base64'),
      },
    ]);
    const { cipher } = makeEarlierStore();
    const closed = open(cipher());
    closed.pin.close();
    await closed.open();
    const opened = open(cipher());
    opened.pin.close();
    await opened.open();
    await opened.pin.open(Buffer.from(key));
    expect(await opened.getPassword('one', 'ana')).toBe('first');
  });
});

describe('what was set aside', () => {
  it('is removed before a PIN is set, with entries that are never used', async () => {
    const { file, folder, open, entries } = await makeFile();
    const vault = open();
    await vault.setPassword('one', 'ana', 'first');
    const [one] = (await entries()) as [SealedEntry];
    await forge(file, [one, { ...one, account: 'eva' }, earlierEntry('two', 'ana', 'second')]);
    for (const name of ['vault.json.broken-2026', 'vault.json.last-good.broken-2026', 'config.json.broken-2026'])
      await writeFile(path.join(folder, name), 'damaged');
    const next = open();
    await next.pin.set(Buffer.alloc(32, 1));
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
