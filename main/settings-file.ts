import { z } from 'zod';
import { Settings } from '../preload/contract/models.ts';
import type { ImportProblem } from '../preload/contract/result.ts';
import { codeOf } from './error-code.ts';
import { readLimited } from './files/read-limited.ts';
import { writeAtomically } from './files/write-atomically.ts';

/** A file of ours has one kilobyte. */
const maxFileBytes = 64 * 1024;
const kind = 'llavero-settings';
const version = 1;

/** Whether the first minute is over is no choice that a person takes along. */
const FileSettings = Settings.omit({ welcomed: true }).partial().strict();
type FileSettings = z.infer<typeof FileSettings>;

type ReadFile =
  | { ok: true; settings: FileSettings }
  | { ok: false; reason: ImportProblem; detail?: string | undefined };

const Header = z.object({ kind: z.literal(kind), version: z.unknown(), settings: z.unknown() });

/** Reads a text of settings, all of them or none. */
function parseSettings(text: string): ReadFile {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, reason: 'not-json' };
  }
  const header = Header.safeParse(content);
  if (!header.success) return { ok: false, reason: 'not-settings' };
  if (header.data.version !== version) return { ok: false, reason: 'other-version' };
  const parsed = FileSettings.safeParse(header.data.settings);
  if (parsed.success) return { ok: true, settings: parsed.data };
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys')
    return { ok: false, reason: 'unknown-setting', detail: issue.keys.join(', ').slice(0, 100) };
  return { ok: false, reason: 'wrong-setting', detail: issue?.path.join('.') };
}

/** Reads a file of settings. It never throws. */
export async function readSettingsFile(file: string): Promise<ReadFile> {
  const read = await readLimited(file, maxFileBytes);
  return read.ok ? parseSettings(read.content.toString('utf8')) : { ok: false, reason: read.reason, detail: read.code };
}

/** Writes the settings and nothing else. Answers Node's error code when the file cannot be written. */
export async function writeSettingsFile(
  file: string,
  { welcomed: _welcomed, ...settings }: Settings,
): Promise<string | undefined> {
  try {
    await writeAtomically(file, `${JSON.stringify({ kind, version, settings }, undefined, 2)}\n`);
    return undefined;
  } catch (error) {
    return codeOf(error) ?? 'unknown';
  }
}
