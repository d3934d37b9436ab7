import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLinuxCipher } from '../../../main/account/vault/linux-cipher.ts';
import { createSafeStorageCipher, type SystemStorage } from '../../../main/account/vault/safe-storage-cipher.ts';
import { createSecretServiceCipher } from '../../../main/account/vault/secret-service-cipher.ts';

type Sealing = {
  where: string;
  backend: string;
  service: 'key' | 'absent';
  sync: boolean;
  async: boolean;
  tag: string;
};
type Opening = {
  what: string;
  hex: string;
  /** What came back, or the text of the error. */
  sync: string | { result: string };
  async: string | { shouldReEncrypt: boolean; result: string };
};

const file = path.resolve(import.meta.dirname, '../../fixtures/safe-storage.json');
// Our own fixture, which the first test would fail on in another shape.
const recorded = JSON.parse(readFileSync(file, 'utf8')) as { sealing: Sealing[]; opening: Opening[] };

const key = Buffer.alloc(32, 7).toString('base64');
const backends = ['gnome_libsecret', 'kwallet5', 'basic_text'] as const;

/** Plays safeStorage as it was recorded in one place. What was not recorded is not answered. */
function play(at: Sealing, opening?: Opening): SystemStorage {
  const seal = (text: string): Buffer => Buffer.from(at.tag + text);
  const open = (sealed: Buffer): string => {
    if (!sealed.toString().startsWith(at.tag)) throw new Error('never recorded');
    return sealed.toString().slice(at.tag.length);
  };
  return {
    getSelectedStorageBackend: () => backends.find((each) => each === at.backend) ?? 'unknown',
    isEncryptionAvailable: () => at.sync,
    encryptString: seal,
    decryptString(sealed) {
      if (opening === undefined) return open(sealed);
      if (typeof opening.sync === 'string') throw new Error(opening.sync);
      return opening.sync.result;
    },
    isAsyncEncryptionAvailable: async () => at.async,
    encryptStringAsync: async (text) => seal(text),
    async decryptStringAsync(sealed) {
      if (opening === undefined) return { result: open(sealed), shouldReEncrypt: false };
      if (typeof opening.async === 'string') throw new Error(opening.async);
      return opening.async;
    },
  };
}

describe.each(['42.0.0', '45.4.1'])('safeStorage as it was recorded, on Electron %s', (electron) => {
  it.each(recorded.sealing)('$where, called $backend: sealed as $tag', async (at) => {
    const cipher = createLinuxCipher({
      safeStorage: createSafeStorageCipher(() => play(at), electron, 'linux'),
      secretService: createSecretServiceCipher(() => ({
        answer: Promise.resolve(at.service === 'key' ? { answer: 'key', key, bound: false } : { answer: 'absent' }),
        end: () => undefined,
      })),
      hasBus: () => at.where !== 'no bus',
    });
    // A password that everybody knows is never called protection, whatever the desktop is called.
    const backend = at.tag === 'v11' ? at.backend : at.service === 'key' ? 'secret-service' : undefined;
    expect(await cipher.probe()).toMatchObject(
      backend === undefined ? { protected: false } : { protected: true, backend },
    );
  });

  it.each(recorded.opening)('$what: is not opened', async (opening) => {
    const open = recorded.sealing.find(({ tag }) => tag === 'v11')!;
    const cipher = createSafeStorageCipher(() => play(open, opening), electron, 'linux');
    await expect(cipher.decrypt(Buffer.from(opening.hex, 'hex'), 'gnome_libsecret')).rejects.toThrow();
  });
});

it('macOS and Windows seal under the same tag, with keys of their own', async () => {
  const at = { ...recorded.sealing[0]!, sync: true };
  for (const platform of ['darwin', 'win32'] as const)
    expect(await createSafeStorageCipher(() => play(at), '45.4.1', platform).probe()).toMatchObject({
      protected: true,
    });
});
