import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import {
  validateJson,
  writeBackup,
  openRecoverableFile,
  removeWithBackup,
  type FileValidity,
} from '../../files/recoverable-file.ts';
import { removeQuarantined } from '../../files/quarantine.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { normalizeText } from '../../files/normalize-text.ts';
import { mostTries } from './preview-pin.ts';
import { keyBytes, encryptWithKey, decryptWithKey } from '../vault/sealed-box.ts';

/** The cost of Argon2id: about a tenth of a second on one core, and 64 MiB for each guess. */
type PinCost = { memoryKiB: number; passes: number };
export const defaultPinCost: PinCost = { memoryKiB: 65_536, passes: 3 };

const version = 1;

/** `lock.json`: the key of the vault's entries, sealed with a key that Argon2id derives from the PIN. There is no hash of the PIN. */
const PinFile = z.object({
  version: z.literal(version),
  salt: z.base64(),
  memoryKiB: z.int().min(8).max(4_194_304),
  passes: z.int().min(1).max(1_000),
  sealedKey: z.base64(),
  /** Written before a PIN is verified, so that a restart gives no new tries. */
  triesUsed: z.int().min(0),
});
type PinFile = z.infer<typeof PinFile>;

type PinAnswer =
  | { ok: true; key: Buffer }
  | { ok: false; triesLeft: number }
  /** The file could not be written (`code` is Node's), or must stay as it is (`code` is the problem of its notice). */
  | { ok: false; code: string };

export type Pin = Awaited<ReturnType<typeof openPinFile>>;

/**
 * Opens `lock.json`. A damaged or missing file is restored from its backup, which has the same count of tries. Without a
 * backup there is no PIN, and the entries that are sealed with its key cannot be read. A file of another version, or one
 * that cannot be read, stays, and no PIN is right. Each problem is a notice. Never rejects.
 */
export async function openPinFile(
  file: string,
  cost = defaultPinCost,
  onNotice: (notice: FileNotice) => void = () => undefined,
) {
  const { text, problem, kept: quarantinedAs, mayWrite } = await openRecoverableFile(file, validate, true);
  if (problem) onNotice({ file: 'lock.json', problem, quarantinedAs });
  const isUnusable = problem === 'other-version' || problem === 'unreadable';
  let content = text === undefined ? undefined : PinFile.parse(JSON.parse(text));
  /** Guesses run one after the other, since each must see the count of the one before. */
  let lastGuess: Promise<unknown> = Promise.resolve();

  async function write(next: PinFile): Promise<void> {
    if (!mayWrite) throw Object.assign(new Error('lock.json must stay as it is'), { code: problem ?? 'unreadable' });
    const written = JSON.stringify(next);
    // The backup must never have fewer used tries than the file.
    const takesTries = content !== undefined && next.triesUsed > content.triesUsed;
    if (takesTries) await writeBackup(file, written);
    await writeAtomically(file, written);
    content = next;
    if (!takesTries) await writeBackup(file, written).catch(() => undefined);
  }

  async function storePin(pin: string, key: Buffer): Promise<void> {
    await write(await sealUnder(pin, key, cost));
    // A quarantined file may have the key under an earlier PIN, and a count of tries that nobody checks.
    await removeQuarantined(file).catch(() => undefined);
  }

  async function guess(pin: string): Promise<PinAnswer> {
    if (!content) return { ok: false, code: isUnusable ? problem : 'ENOENT' };
    if (content.triesUsed >= mostTries) return { ok: false, triesLeft: 0 };
    try {
      await write({ ...content, triesUsed: content.triesUsed + 1 });
    } catch (error) {
      return { ok: false, code: errorCodeOf(error) ?? 'unknown' };
    }
    const pinKey = await derive(pin, Buffer.from(content.salt, 'base64'), content);
    let key: Buffer;
    try {
      key = Buffer.from(decryptWithKey(pinKey, Buffer.from(content.sealedKey, 'base64')), 'base64');
    } catch {
      return { ok: false, triesLeft: mostTries - content.triesUsed };
    } finally {
      pinKey.fill(0);
    }
    // The right PIN is accepted even if its count cannot be reset.
    await write({ ...content, triesUsed: 0 }).catch(() => undefined);
    return { ok: true, key };
  }

  return {
    isSet: () => isUnusable || content !== undefined,
    triesLeft: () => Math.max(0, mostTries - (content?.triesUsed ?? 0)),

    /** Uses up a try. The right PIN resets the count. */
    verify(pin: string): Promise<PinAnswer> {
      const next = lastGuess.then(() => guess(pin));
      lastGuess = next.catch(() => undefined);
      return next;
    },

    /** Sets the first PIN, with a new key. Rejects if the file cannot be written. */
    async create(pin: string): Promise<Buffer> {
      const key = randomBytes(keyBytes);
      await storePin(pin, key);
      return key;
    },

    /** Sets another PIN for the same key. If it rejects, since the file cannot be written, the old PIN stays. */
    change: storePin,

    /** Removes the PIN, and with it the key. */
    async remove(): Promise<void> {
      await removeWithBackup(file);
      content = undefined;
    },
  };
}

async function sealUnder(pin: string, key: Buffer, cost: PinCost): Promise<PinFile> {
  const salt = randomBytes(16);
  const pinKey = await derive(pin, salt, cost);
  const sealedKey = encryptWithKey(pinKey, key.toString('base64')).toString('base64');
  pinKey.fill(0);
  return { version: 1, salt: salt.toString('base64'), ...cost, sealedKey, triesUsed: 0 };
}

const validate = (text: string): FileValidity =>
  validateJson(text, version, (content) => (PinFile.safeParse(content).success ? 'whole' : 'broken'));

/** NFC, so that a PIN is the same however a keyboard composes its letters. */
async function derive(pin: string, salt: Buffer, { memoryKiB, passes }: PinCost): Promise<Buffer> {
  const { hashRaw } = await import('@node-rs/argon2');
  return hashRaw(normalizeText(pin, 'NFC'), {
    salt,
    memoryCost: memoryKiB,
    timeCost: passes,
    parallelism: 1,
    outputLen: keyBytes,
  });
}
