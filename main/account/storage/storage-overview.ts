import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { StoredPart, type StorageOverview } from '../../../preload/contract/about.ts';

/** The parts by the names of what lies directly in the folder. The first that fits counts. */
const partsByName: readonly (readonly [RegExp, StoredPart])[] = [
  [/\.broken-/, 'set-aside'],
  [/^config\.json|^\.updaterId$/, 'settings'],
  [/^vault\.json/, 'tokens'],
  [/^lock\.json/, 'pin'],
  [/^service\.sqlite/, 'accounts'],
  [/^snapshots$/, 'snapshots'],
  [/^doubles$/, 'mocks'],
  [/^calls\.sqlite/, 'calls'],
  [/^reports\.sqlite/, 'reports'],
  [/^logs$/, 'logs'],
  [/^window\.png$/, 'picture'],
];

/** Returns the part that a name in the user-data folder belongs to. What is not ours is Chromium's. */
export const storagePartOf = (name: string): StoredPart =>
  partsByName.find(([pattern]) => pattern.test(name))?.[1] ?? 'browser';

/** Counts what lies in the user-data folder. Files that go while they are counted do not count. */
export async function readStorageOverview(folder: string): Promise<StorageOverview> {
  const counted = new Map(StoredPart.options.map((part) => [part, { part, files: 0, bytes: 0 }]));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const status = entry.isFile() ? await lstat(file).catch(() => undefined) : undefined;
    const [name = ''] = path.relative(folder, file).split(path.sep);
    const count = counted.get(storagePartOf(name));
    if (!status || !count) continue;
    count.files++;
    count.bytes += status.size;
  }
  return { folder, parts: [...counted.values()] };
}
