import { existsSync } from 'node:fs';
import { cp, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** What a copy makes itself, and the packages, which it shares. */
const left = new Set(['node_modules', '.git', 'dist', 'release']);

/** Copies the project into an empty folder, with nothing built and, unless told, the packages of this one. */
export async function copyProject(folder: string, packages = linkPackages): Promise<void> {
  for (const name of (await readdir(root)).filter((each) => !left.has(each))) {
    const filter = (from: string): boolean => path.basename(from) !== 'node_modules';
    await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter });
  }
  await packages(folder);
}

export const linkPackages = (folder: string): Promise<void> =>
  symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));

/** Links the packages of the servers of `test/servers/`, too, if they are installed. */
export async function linkAllPackages(folder: string): Promise<void> {
  await linkPackages(folder);
  const ofServers = path.join('test', 'servers', 'node_modules');
  if (existsSync(path.join(root, ofServers))) await symlink(path.join(root, ofServers), path.join(folder, ofServers));
}
