import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { Dialect, EnvironmentDetails } from '../../preload/contract/models.ts';
import type { ImportProblem } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { builtInId, type StoredEnvironment } from '../config/config.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** Far more than a person has; a larger file is not one of ours. */
export const maxFileBytes = 1024 * 1024;
const maxEnvironments = 500;

const kind = 'llavero-environments';
const version = 1;

/** One environment as exported: no id, no session, no token, nothing of this computer. */
const FileEnvironment = EnvironmentDetails.omit({ pinned: true }).extend({
  name: z.string().min(1).max(100),
  address: z.string().max(2_000),
  dialect: Dialect,
});

const EnvironmentsFile = z.object({
  kind: z.literal(kind),
  version: z.literal(version),
  environments: z.array(FileEnvironment).max(maxEnvironments),
});

type ReadFile = { ok: true; environments: StoredEnvironment[] } | { ok: false; reason: ImportProblem; detail?: string };

/** The file that holds these environments, without the embedded service, which every installation has. */
export function writeEnvironments(environments: readonly StoredEnvironment[]): string {
  const file: z.input<typeof EnvironmentsFile> = {
    kind,
    version,
    environments: environments
      .filter(({ id }) => id !== builtInId)
      .map(({ name, baseUrl, colour, notes, registrationPath, production, dialect }) => ({
        name,
        address: baseUrl,
        colour,
        notes,
        registrationPath,
        production,
        dialect,
      })),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads all of a file of environments, under new ids, or nothing; unknown fields are left out. Never throws. */
export function parseEnvironments(text: string): ReadFile {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, reason: 'not-json' };
  }
  const header = z.object({ kind: z.literal(kind), version: z.unknown() }).safeParse(content);
  if (!header.success) return { ok: false, reason: 'not-environments' };
  if (header.data.version !== version) return { ok: false, reason: 'other-version' };
  const parsed = EnvironmentsFile.safeParse(content);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    return { ok: false, reason: 'wrong-content', ...(path !== '' && { detail: path.slice(0, 100) }) };
  }
  const environments: StoredEnvironment[] = [];
  for (const [index, { address, ...details }] of parsed.data.environments.entries()) {
    // Cuts off exactly what is added here, so that an `/api` of the server's own stays.
    const canonical = parseBaseUrl(`${address}/api/v1/auth`);
    if (!canonical.ok || canonical.value !== address)
      return { ok: false, reason: 'wrong-content', detail: `environments.${index}.address` };
    // Whom a person trusts does not travel in a file.
    environments.push({ ...details, id: randomUUID(), baseUrl: address, pins: [] });
  }
  return { ok: true, environments };
}

/** Reads at most {@link maxFileBytes} of a plain file; a pipe or a device would never end. */
export async function readEnvironmentsFile(file: string): Promise<ReadFile> {
  try {
    // A pipe would otherwise be waited for.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return { ok: false, reason: 'unreadable' };
      const chunks: Buffer[] = [];
      // What a file says of its size need not be true, as below /proc. The stream's end is inclusive: one byte too many.
      const stream = handle.createReadStream({ end: maxFileBytes, autoClose: false });
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      if (content.length > maxFileBytes) return { ok: false, reason: 'too-large' };
      return parseEnvironments(content.toString('utf8'));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return { ok: false, reason: 'unreadable', ...(code !== undefined && { detail: code }) };
  }
}

/** Answers Node's error code when the file cannot be written. */
export async function writeEnvironmentsFile(
  file: string,
  environments: readonly StoredEnvironment[],
): Promise<string | undefined> {
  try {
    await writeAtomically(file, writeEnvironments(environments));
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
