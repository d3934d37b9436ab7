import { z } from 'zod';
import type { Cipher } from './cipher.ts';
import { seal, unseal } from './sealed-box.ts';
import type { SealedEntry } from './sealed-entries.ts';

/** Milliseconds after which one call of the store counts as failed. */
export const storeTimeoutMs = 10_000;

/** What is under a PIN can be read only while its key is here. */
export type PinLayer = { state: 'none' } | { state: 'open'; key: Buffer } | { state: 'closed' };

/** A password as it is held: in clear, or sealed with the PIN's key and then base64. */
export type WrappedPassword = { pin: boolean; content: string };

/** Returns a password as it may be held under a layer. It throws while the layer's key is not here. */
export function wrapPassword(password: string, under: PinLayer): WrappedPassword {
  if (under.state === 'closed') throw new Error('the vault is closed: nothing can be kept in it');
  if (under.state === 'none') return { pin: false, content: password };
  return { pin: true, content: seal(under.key, password).toString('base64') };
}

/** Returns the password of what is held. It throws when its layer is not open. */
export function unwrapPassword({ pin, content }: WrappedPassword, under: PinLayer): string {
  if (!pin) return content;
  if (under.state !== 'open') throw new Error('only the PIN opens this entry');
  return unseal(under.key, Buffer.from(content, 'base64'));
}

/** Every sealed text that says whose it is begins with this. */
const boundMark = 'llavero entry ';

/** What a sealed text says. It stands with the password, since safeStorage takes no additional data. */
const BoundText = z.strictObject({ service: z.string(), account: z.string(), pin: z.boolean(), content: z.string() });

type Whose = Pick<SealedEntry, 'service' | 'account' | 'pin'>;

const bindingOf = ({ service, account, pin }: Whose, content: string): string =>
  boundMark + JSON.stringify({ service, account, pin, content } satisfies z.infer<typeof BoundText>);

/** Returns the content of a text that was sealed for exactly this entry; undefined for any other text. */
function contentFor({ service, account, pin }: Whose, text: string): string | undefined {
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

/** Seals entries for the file, and opens them, with the system's store. Each rejects when the store fails. */
export class EntrySealer {
  readonly #cipher: Cipher;

  constructor(cipher: Cipher) {
    this.#cipher = cipher;
  }

  /** Seals for the file, and reads back before anything older goes: a keyring may take a value and return another. */
  async seal(service: string, account: string, backend: string, held: WrappedPassword): Promise<SealedEntry> {
    const { pin, content } = held;
    const text = bindingOf({ service, account, pin }, content);
    const bytes = await limited(this.#cipher.encrypt(text));
    if ((await limited(this.#cipher.decrypt(bytes, backend))).text !== text)
      throw new Error('the system store returned another value');
    return { service, account, backend, sealed: bytes.toString('base64'), pin };
  }

  /** Opens an entry. It rejects, too, when the entry was sealed as another one, or does not say as which. */
  async open(entry: SealedEntry): Promise<{ held: WrappedPassword; shouldReEncrypt: boolean }> {
    const { held, shouldReEncrypt } = await this.#opened(entry);
    if (!held) throw new Error('the entry was not sealed as the one that it stands for');
    return { held, shouldReEncrypt };
  }

  /** Says whether the store opens an entry that is never used, since it may not stand where it belongs. */
  hasWrongBinding(entry: SealedEntry): Promise<boolean> {
    return this.#opened(entry).then(
      ({ held }) => held === undefined,
      () => false,
    );
  }

  /** `held` is undefined when the entry was sealed as another one, or does not say as which. */
  async #opened(entry: SealedEntry): Promise<{ held: WrappedPassword | undefined; shouldReEncrypt: boolean }> {
    const { text, shouldReEncrypt } = await limited(
      this.#cipher.decrypt(Buffer.from(entry.sealed, 'base64'), entry.backend),
    );
    const content = text.startsWith(boundMark) ? contentFor(entry, text) : undefined;
    return { held: content === undefined ? undefined : { pin: entry.pin, content }, shouldReEncrypt };
  }
}

/** Makes a call of the system's store that does not answer count as failed. What it answers later is left. */
async function limited<T>(call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the system store does not answer')), storeTimeoutMs);
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
