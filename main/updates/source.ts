import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { readLimited } from '../files/read-limited.ts';

/** Where updates come from: a folder on a server, with the public key for its feed; or why there are none. */
export type UpdateSource =
  | { state: 'feed'; folder: string; key: string }
  | { state: 'off'; why: 'not-configured' | 'managed' }
  | { state: 'off'; why: 'unusable'; file: string };

/** The files that say it. Each is absent on most computers. */
export type SourceFiles = {
  /** It lies within the program and has the key. Its address holds unless an administrator names another. */
  builtIn: string | undefined;
  /** An administrator writes these. The last that is there counts, and none can bring a key. */
  administrators: readonly string[];
};

const maxBytes = 16 * 1024;

const isLoopback = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

/** A folder on a server: over https, or on this computer. */
const Folder = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((text) => {
    const url = new URL(text);
    const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    return isPlain && (url.protocol === 'https:' || isLoopback(url));
  })
  .transform((text) => (text.endsWith('/') ? text : `${text}/`));

const isKey = (pem: string): boolean => {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
};

const BuiltIn = z.strictObject({ updates: Folder.optional(), key: z.string().refine(isKey) });
const Administrators = z.strictObject({ updates: z.union([z.literal('off'), Folder]) });

type Read<T> = { state: 'absent' } | { state: 'unusable' } | { state: 'read'; value: T };

async function readJson<T extends z.ZodType>(file: string, schema: T): Promise<Read<z.output<T>>> {
  const read = await readLimited(file, maxBytes);
  if (!read.ok) return { state: read.code === 'ENOENT' ? 'absent' : 'unusable' };
  try {
    return { state: 'read', value: schema.parse(JSON.parse(read.content.toString('utf8'))) };
  } catch {
    return { state: 'unusable' };
  }
}

/** Reads where updates come from. A file that cannot be used switches them off: it may have been meant to. */
export async function readSource({ builtIn, administrators }: SourceFiles): Promise<UpdateSource> {
  let named: string | undefined;
  for (const file of administrators) {
    const read = await readJson(file, Administrators);
    if (read.state === 'unusable') return { state: 'off', why: 'unusable', file };
    if (read.state === 'read') named = read.value.updates;
  }
  if (named === 'off') return { state: 'off', why: 'managed' };
  if (builtIn === undefined) return { state: 'off', why: 'not-configured' };
  const own = await readJson(builtIn, BuiltIn);
  if (own.state === 'unusable') return { state: 'off', why: 'unusable', file: builtIn };
  if (own.state === 'absent') return { state: 'off', why: 'not-configured' };
  const folder = named ?? own.value.updates;
  return folder === undefined ? { state: 'off', why: 'not-configured' } : { state: 'feed', folder, key: own.value.key };
}
