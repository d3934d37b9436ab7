import { z } from 'zod';
import type { Cipher } from './cipher.ts';
import { encryptWithKey, decryptWithKey } from './sealed-box.ts';
import type { SealedEntry } from './sealed-entries.ts';

/** Milliseconds after which a call of the system store counts as failed. */
export const storeTimeoutMs = 10_000;

/** Whether entries are sealed with the key of a PIN, which is in memory only while the PIN is entered. */
export type PinLayer = { state: 'none' } | { state: 'open'; key: Buffer } | { state: 'closed' };

/** A password in memory: in clear, or sealed with the PIN's key and then base64. */
export type PinLayeredSecret = { pin: boolean; content: string };

/** Seals a password with the key of a PIN, if there is one. Throws while the PIN is not entered. */
export function applyPinLayer(password: string, under: PinLayer): PinLayeredSecret {
  if (under.state === 'closed') throw new Error('the vault is closed: nothing can be stored in it');
  if (under.state === 'none') return { pin: false, content: password };
  return { pin: true, content: encryptWithKey(under.key, password).toString('base64') };
}

/** Throws if the entry is sealed with the key of a PIN that is not entered. */
export function removePinLayer({ pin, content }: PinLayeredSecret, under: PinLayer): string {
  if (!pin) return content;
  if (under.state !== 'open') throw new Error('only the PIN opens this entry');
  return decryptWithKey(under.key, Buffer.from(content, 'base64'));
}

/** Prefix of every sealed text. */
const boundMark = 'llavero entry ';

/** Binds a password to its entry inside of the sealed text, since safeStorage takes no additional data. */
const BoundText = z.strictObject({ service: z.string(), account: z.string(), pin: z.boolean(), content: z.string() });

type EntryBinding = Pick<SealedEntry, 'service' | 'account' | 'pin'>;

const boundText = ({ service, account, pin }: EntryBinding, content: string): string =>
  boundMark + JSON.stringify({ service, account, pin, content } satisfies z.infer<typeof BoundText>);

/** The content of a text that was sealed for exactly this entry, else undefined. */
function contentFor({ service, account, pin }: EntryBinding, text: string): string | undefined {
  const { data } = BoundText.safeParse(parsed(text.slice(boundMark.length)));
  return data?.service === service && data.account === account && data.pin === pin ? data.content : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seals and opens entries with the system store. Each method rejects if the store fails. */
export class EntrySealer {
  readonly #cipher: Cipher;

  constructor(cipher: Cipher) {
    this.#cipher = cipher;
  }

  /** Seals an entry and reads it back: a keyring may take a value and return another. */
  async seal(service: string, account: string, backend: string, wrapped: PinLayeredSecret): Promise<SealedEntry> {
    const { pin, content } = wrapped;
    const text = boundText({ service, account, pin }, content);
    const bytes = await withTimeout(this.#cipher.encrypt(text));
    if ((await withTimeout(this.#cipher.decrypt(bytes, backend))).text !== text)
      throw new Error('the system store returned another value');
    return { service, account, backend, sealed: bytes.toString('base64'), pin };
  }

  /** Opens an entry. Rejects if it was sealed as another entry, or is bound to none. */
  async open(entry: SealedEntry): Promise<{ wrapped: PinLayeredSecret; shouldReEncrypt: boolean }> {
    const { wrapped, shouldReEncrypt } = await this.#opened(entry);
    if (!wrapped) throw new Error('the entry was not sealed as the one that it stands for');
    return { wrapped, shouldReEncrypt };
  }

  /** Whether the store opens an entry that is bound to another name, or to none. */
  hasWrongBinding(entry: SealedEntry): Promise<boolean> {
    return this.#opened(entry).then(
      ({ wrapped }) => wrapped === undefined,
      () => false,
    );
  }

  /** `wrapped` is undefined if the entry is bound to another name, or to none. */
  async #opened(entry: SealedEntry): Promise<{ wrapped: PinLayeredSecret | undefined; shouldReEncrypt: boolean }> {
    const { text, shouldReEncrypt } = await withTimeout(
      this.#cipher.decrypt(Buffer.from(entry.sealed, 'base64'), entry.backend),
    );
    const content = text.startsWith(boundMark) ? contentFor(entry, text) : undefined;
    return { wrapped: content === undefined ? undefined : { pin: entry.pin, content }, shouldReEncrypt };
  }
}

/** Rejects if a call of the system store does not answer in time. Its later result is ignored. */
async function withTimeout<T>(call: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('the system store does not answer')), storeTimeoutMs);
  try {
    return await Promise.race([call, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
