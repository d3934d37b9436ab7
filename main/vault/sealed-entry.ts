import type { Cipher } from './cipher.ts';
import { seal, unseal } from './sealed-box.ts';
import type { SealedEntry } from './vault-file.ts';

/** After this long one call of the store counts as failed. */
export const callLimitMs = 10_000;

/** What is under a PIN can be read only while its key is here. */
export type PinLayer = { state: 'none' } | { state: 'open'; key: Buffer } | { state: 'closed' };

/** A password as it is held: in clear, or sealed with the PIN's key and then base64. */
export type Held = { pin: boolean; content: string };

/** A password as it may be held under a layer. Throws while the layer's key is not here. */
export function hold(password: string, under: PinLayer): Held {
  if (under.state === 'closed') throw new Error('the vault is closed: nothing can be kept in it');
  if (under.state === 'none') return { pin: false, content: password };
  return { pin: true, content: seal(under.key, password).toString('base64') };
}

/** The password of what is held. Throws when its layer is not open. */
export function reveal({ pin, content }: Held, under: PinLayer): string {
  if (!pin) return content;
  if (under.state !== 'open') throw new Error('only the PIN opens this entry');
  return unseal(under.key, Buffer.from(content, 'base64'));
}

/** Seals entries for the file, and opens them, with the system's store. Each rejects when the store fails. */
export function createEntrySealer(cipher: Cipher) {
  return {
    /** Seals for the file, and reads back before anything older goes: a keyring may take a value and return another. */
    sealed: async (service: string, account: string, backend: string, held: Held): Promise<SealedEntry> => {
      const bytes = await limited(cipher.encrypt(held.content));
      const { text } = await limited(cipher.decrypt(bytes, backend));
      if (text !== held.content) throw new Error('the system store returned another value');
      return { service, account, backend, sealed: bytes.toString('base64'), pin: held.pin };
    },

    unsealed: async ({
      sealed: text,
      backend,
      pin,
    }: SealedEntry): Promise<{ held: Held; shouldReEncrypt: boolean }> => {
      const opened = await limited(cipher.decrypt(Buffer.from(text, 'base64'), backend));
      return { held: { pin, content: opened.text }, shouldReEncrypt: opened.shouldReEncrypt };
    },
  };
}

/** A call of the system's store that does not answer counts as failed; what it answers later is left. */
async function limited<T>(call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the system store does not answer')), callLimitMs);
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
