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
import { keyBytes, seal, unseal } from '../vault/sealed-box.ts';

/** The number of wrong PINs after which the sessions are dropped. */
export const mostTries = 5;

/** The cost of Argon2id: about a tenth of a second on one core, and 64 MiB for each guess. */
export type PinCost = { memoryKiB: number; passes: number };
export const defaultPinCost: PinCost = { memoryKiB: 65_536, passes: 3 };

const version = 1;

/** `lock.json` has the key of the entries, sealed with what Argon2id makes of the PIN, and no hash of the PIN. */
const PinFile = z.object({
  version: z.literal(version),
  salt: z.base64(),
  memoryKiB: z.int().min(8).max(4_194_304),
  passes: z.int().min(1).max(1_000),
  sealedKey: z.base64(),
  /** It is written before a PIN is looked at, so that ending the application gives no new tries. */
  triesUsed: z.int().min(0),
});
type PinFile = z.infer<typeof PinFile>;

export type PinAnswer =
  | { ok: true; key: Buffer }
  | { ok: false; triesLeft: number }
  /** The file could not be written (`code` is Node's), or must stay as it is (`code` is the problem of its notice). */
  | { ok: false; code: string };

export type Pin = Awaited<ReturnType<typeof openPinFile>>;

/**
 * Opens the PIN that gives the key of the vault's entries. A damaged or missing file is put back from its last good
 * copy, which has the same count of tries. Without one, no PIN is asked for, and the entries under its key cannot be
 * read. A file that is of another version, or cannot be read, stays and counts as a PIN that nothing opens. Each is told. It
 * never rejects.
 */
export async function openPinFile(
  file: string,
  cost = defaultPinCost,
  tell: (notice: FileNotice) => void = () => undefined,
) {
  const { text, problem, kept: quarantinedAs, mayWrite } = await openRecoverableFile(file, judge, true);
  if (problem) tell({ file: 'lock.json', problem, quarantinedAs });
  const shut = problem === 'other-version' || problem === 'unreadable';
  let content = text === undefined ? undefined : PinFile.parse(JSON.parse(text));
  /** Guesses follow one another, since each must find the count of the one before. */
  let guessing: Promise<unknown> = Promise.resolve();

  async function write(next: PinFile): Promise<void> {
    if (!mayWrite) throw Object.assign(new Error('lock.json must stay as it is'), { code: problem ?? 'unreadable' });
    const written = JSON.stringify(next);
    // The count of tries goes up in the copy first and down in it last, so the copy never gives back a try that the
    // file has taken.
    const takesTries = content !== undefined && next.triesUsed > content.triesUsed;
    if (takesTries) await writeBackup(file, written);
    await writeAtomically(file, written);
    content = next;
    if (!takesTries) await writeBackup(file, written).catch(() => undefined);
  }

  async function make(pin: string, key: Buffer): Promise<void> {
    await write(await sealUnder(pin, key, cost));
    // What was set aside may hold the key under an earlier PIN, and a count of tries that nobody reads.
    await removeQuarantined(file).catch(() => undefined);
  }

  async function guess(pin: string): Promise<PinAnswer> {
    if (!content) return { ok: false, code: shut ? problem : 'ENOENT' };
    if (content.triesUsed >= mostTries) return { ok: false, triesLeft: 0 };
    try {
      await write({ ...content, triesUsed: content.triesUsed + 1 });
    } catch (error) {
      return { ok: false, code: errorCodeOf(error) ?? 'unknown' };
    }
    const pinKey = await derive(pin, Buffer.from(content.salt, 'base64'), content);
    let key: Buffer;
    try {
      key = Buffer.from(unseal(pinKey, Buffer.from(content.sealedKey, 'base64')), 'base64');
    } catch {
      return { ok: false, triesLeft: mostTries - content.triesUsed };
    } finally {
      pinKey.fill(0);
    }
    // The right PIN opens even if its count cannot be set back.
    await write({ ...content, triesUsed: 0 }).catch(() => undefined);
    return { ok: true, key };
  }

  return {
    isSet: () => shut || content !== undefined,
    triesLeft: () => Math.max(0, mostTries - (content?.triesUsed ?? 0)),

    /** Takes one of the tries. The right PIN gives them all back. */
    verify(pin: string): Promise<PinAnswer> {
      const next = guessing.then(() => guess(pin));
      guessing = next.catch(() => undefined);
      return next;
    },

    /** Makes a first PIN, with a key of its own. It rejects when the file cannot be written. */
    async create(pin: string): Promise<Buffer> {
      const key = randomBytes(keyBytes);
      await make(pin, key);
      return key;
    },

    /** Sets another PIN for the same key. It rejects when the file cannot be written, and the old PIN holds then. */
    change: make,

    /** Removes the PIN. Without it the key is lost. */
    async remove(): Promise<void> {
      await removeWithBackup(file);
      content = undefined;
    },
  };
}

/** Seals the key with what Argon2id makes of the PIN. */
async function sealUnder(pin: string, key: Buffer, cost: PinCost): Promise<PinFile> {
  const salt = randomBytes(16);
  const pinKey = await derive(pin, salt, cost);
  const sealedKey = seal(pinKey, key.toString('base64')).toString('base64');
  pinKey.fill(0);
  return { version: 1, salt: salt.toString('base64'), ...cost, sealedKey, triesUsed: 0 };
}

const judge = (text: string): FileValidity =>
  validateJson(text, version, (content) => (PinFile.safeParse(content).success ? 'whole' : 'broken'));

/** Derives a key. Equal PINs give equal keys however a keyboard composes their letters. */
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
