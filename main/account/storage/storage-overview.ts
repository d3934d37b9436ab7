import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { StoredPart, type StorageOverview } from '../../../preload/contract/about.ts';

/** By the first part of the path. The first match counts. */
const partsByFileName: readonly (readonly [RegExp, StoredPart])[] = [
  [/\.broken-/, 'set-aside'],
  [/^config\.json|^\.updaterId$/, 'settings'],
  [/^vault\.json/, 'tokens'],
  [/^lock\.json/, 'pin'],
  [/^service\.sqlite/, 'accounts'],
  [/^snapshots$/, 'snapshots'],
  [/^(?:mocks|doubles)$/, 'mocks'],
  [/^calls\.sqlite/, 'calls'],
  [/^reports\.sqlite/, 'reports'],
  [/^logs$/, 'logs'],
  [/^window\.png$/, 'picture'],
];

/** Any name that is not ours is Chromium's. */
export const storagePartOf = (name: string): StoredPart =>
  partsByFileName.find(([pattern]) => pattern.test(name))?.[1] ?? 'browser';

/** Counts files and bytes in the user-data folder. Files that disappear meanwhile are skipped. */
export async function readStorageOverview(folder: string): Promise<StorageOverview> {
  const counts = new Map(StoredPart.options.map((part) => [part, { part, files: 0, bytes: 0 }]));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const status = entry.isFile() ? await lstat(file).catch(() => undefined) : undefined;
    const [name = ''] = path.relative(folder, file).split(path.sep);
    const count = counts.get(storagePartOf(name));
    if (!status || !count) continue;
    count.files++;
    count.bytes += status.size;
  }
  return { folder, parts: [...counts.values()] };
}
