import { describe, expect, it } from 'vitest';
import type { Protection } from '../../../main/account/vault/cipher.ts';
import { createLinuxCipher } from '../../../main/account/vault/linux-cipher.ts';
import { createSafeStorageCipher, type SystemStorage } from '../../../main/account/vault/safe-storage-cipher.ts';
import { createSecretServiceCipher } from '../../../main/account/vault/secret-service-cipher.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const text = 'a token';
const found = (backend: string): Protection => ({ protected: true, backend });
const missing = (reason: 'no-keyring' | 'keyring-failed' | 'locked'): Protection => ({
  protected: false,
  reason,
});

type Situation = {
  electron?: string;
  backend?: ReturnType<SystemStorage['getSelectedStorageBackend']>;
  /** What the Secret Service answers. */
  service?: 'key' | 'absent' | 'refused';
  /** What safeStorage gives back; undefined when it is not available. */
  returns?: string | undefined;
  bus?: boolean;
};

/** Makes a Linux machine that keeps every question put to its stores, in order. */
function makeMachine({
  electron = '42.0.0',
  backend = 'gnome_libsecret',
  service = 'key',
  bus = true,
  ...more
}: Situation) {
  const asked: string[] = [];
  const available = !('returns' in more) || more.returns !== undefined;
  const decrypted = (sealed: Buffer): string => more.returns ?? sealed.toString().slice(1);
  const note = <T>(what: string, value: T): T => {
    asked.push(what);
    return value;
  };
  const storage: SystemStorage = {
    getSelectedStorageBackend: () => backend,
    isEncryptionAvailable: () => note('sync', available),
    encryptString: (plain) => Buffer.from(`s${plain}`),
    decryptString: decrypted,
    isAsyncEncryptionAvailable: async () => note('async', available),
    encryptStringAsync: async (plain) => Buffer.from(`s${plain}`),
    decryptStringAsync: async (sealed) => ({ result: decrypted(sealed), shouldReEncrypt: true }),
  };
  const secretService = createSecretServiceCipher(() => ({
    answer: Promise.resolve(
      note('service', service === 'key' ? { answer: service, key, bound: false } : { answer: service }),
    ),
    end: () => undefined,
  }));
  const safeStorage = createSafeStorageCipher(() => storage, electron, 'linux');
  return { cipher: createLinuxCipher({ safeStorage, secretService, hasBus: () => bus }), asked };
}

describe('who protects on Linux', () => {
  const cases: [string, Situation, Protection, string[]][] = [
    ['without a bus nobody is asked', { bus: false }, missing('no-keyring'), []],
    ['below 43 the Secret Service first', {}, found('gnome_libsecret'), ['service', 'sync']],
    ['below 43 safeStorage is not called on a locked one', { service: 'refused' }, missing('locked'), ['service']],
    ['nor where it is absent', { service: 'absent' }, missing('no-keyring'), ['service']],
    ['KWallet needs none', { service: 'absent', backend: 'kwallet6' }, found('kwallet6'), ['service', 'sync']],
    ['a desktop Electron does not know', { backend: 'basic_text' }, found('secret-service'), ['service']],
    ['no keyring, a fixed password', { backend: 'basic_text', service: 'absent' }, missing('no-keyring'), ['service']],
    [
      'a fixed password and a locked one',
      { backend: 'basic_text', service: 'refused' },
      missing('locked'),
      ['service'],
    ],
    ['a safeStorage that says no', { returns: undefined }, found('secret-service'), ['service', 'sync']],
    ['a safeStorage that gives another text', { returns: 'x' }, found('secret-service'), ['service', 'sync']],
    [
      'from 43 on in the same way, by its asynchronous calls',
      { electron: '45.4.1' },
      found('gnome_libsecret'),
      ['service', 'async'],
    ],
    [
      'from 43 on not on a locked one either',
      { electron: '45.4.1', service: 'refused' },
      missing('locked'),
      ['service'],
    ],
    [
      'from 43 on the Secret Service where that fails',
      { electron: '45.4.1', returns: undefined },
      found('secret-service'),
      ['service', 'async'],
    ],
    [
      'from 43 on a desktop Electron does not know',
      { electron: '45.4.1', backend: 'unknown' },
      found('secret-service'),
      ['service'],
    ],
  ];

  it.each(cases)('%s', async (_name, situation, protection, questions) => {
    const { cipher, asked } = makeMachine(situation);
    expect(await cipher.probe()).toEqual(protection);
    expect(asked).toEqual(questions);
    if (!protection.protected) return;
    const sealed = await cipher.encrypt(text);
    expect((await cipher.decrypt(sealed, protection.backend)).text).toBe(text);
  });

  it('opens what the Secret Service sealed while safeStorage protects, and passes on what is to be sealed again', async () => {
    const direct = makeMachine({ backend: 'basic_text' }).cipher;
    await direct.probe();
    const sealed = await direct.encrypt(text);
    const { cipher } = makeMachine({ electron: '45.4.1' });
    await cipher.probe();
    expect(await cipher.decrypt(sealed, 'secret-service')).toEqual({ text, shouldReEncrypt: false });
    expect(await cipher.decrypt(await cipher.encrypt(text), 'gnome_libsecret')).toEqual({
      text,
      shouldReEncrypt: true,
    });
  });

  it('does not open what safeStorage sealed while that is not the one that answers', async () => {
    const { cipher } = makeMachine({ backend: 'basic_text' });
    await cipher.probe();
    await expect(cipher.decrypt(Buffer.from('sx'), 'gnome_libsecret')).rejects.toThrow('does not answer');
  });
});

describe('other systems', () => {
  it.each([
    ['darwin', 'keychain'],
    ['win32', 'dpapi'],
  ] as const)('%s: safeStorage alone, without asking for a backend', async (platform, backend) => {
    const storage: SystemStorage = {
      getSelectedStorageBackend: () => {
        throw new Error('Linux only');
      },
      isEncryptionAvailable: () => true,
      encryptString: (plain) => Buffer.from(plain),
      decryptString: (sealed) => sealed.toString(),
      isAsyncEncryptionAvailable: async () => true,
      encryptStringAsync: async (plain) => Buffer.from(plain),
      decryptStringAsync: async (sealed) => ({ result: sealed.toString(), shouldReEncrypt: false }),
    };
    for (const electron of ['42.0.0', '45.4.1'])
      expect(await createSafeStorageCipher(() => storage, electron, platform).probe()).toEqual(found(backend));
  });
});
