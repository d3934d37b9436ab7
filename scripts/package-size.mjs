import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { nativePackages } from './native-packages.mjs';

/**
 * The most bytes that each part of a package may have beyond Electron. The figure beside is what it had on 2026-11-22; a
 * budget leaves a tenth for what is to come, so that a library that slips in is seen.
 * @type {Readonly<Record<Part, number>>}
 */
export const budgets = {
  main: 6_950_000, // 6 850 000, of which 279 000 are second factors and accounts (their checks, the service, mocks and eight API types), 1 384 000 are the other threads, 508 000 put an update in the place of the old version and 125 000 write reports
  preload: 4_000, // 3 700
  renderer: 4_200_000, // 3 838 000, of which 2 068 000 are the words that passwords are compared with
  native: 4_300_000, // 3 907 000 on Linux x64
  licences: 750_000, // 683 000
  other: 80_000, // 69 000
};

const partNames = /** @type {const} */ (['main', 'preload', 'renderer', 'native', 'licences', 'other']);

/** @typedef {(typeof partNames)[number]} Part */

/**
 * Returns the bytes of each part that a package for this system has beyond Electron: what is built, and the packages that
 * are not bundled.
 * @param {string} root the folder of the project, built
 * @returns {Promise<Record<Part, number>>}
 */
export async function sizesOf(root) {
  /** @type {Record<Part, number>} */
  const sizes = { main: 0, preload: 0, renderer: 0, native: 0, licences: 0, other: 0 };
  for (const folder of ['dist/main', 'dist/workers', 'dist/preload', 'dist/renderer', ...nativePackages(root)]) {
    const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
    // electron-builder leaves types and documents of packages out.
    for (const entry of entries.filter((each) => each.isFile() && !/\.d\.[cm]?ts$|^README/.test(each.name))) {
      const file = path.join(entry.parentPath, entry.name);
      sizes[partOf(path.relative(root, file).split(path.sep).join('/'))] += (await stat(file)).size;
    }
  }
  return sizes;
}

/**
 * @param {string} file its path in the project, with `/`
 * @returns {Part}
 */
function partOf(file) {
  if (/\/licences\.json$|\/LICENSE[^/]*$/.test(file)) return 'licences';
  if (file.endsWith('.node')) return 'native';
  const built = /^dist\/(main|workers|preload|renderer)\//.exec(file)?.[1];
  if (built === 'workers') return 'main';
  return built === 'main' || built === 'preload' || built === 'renderer' ? built : 'other';
}

/**
 * Says what a package holds, in a table.
 * @param {Record<Part, number>} sizes
 */
export function saySizes(sizes) {
  const inKilobytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1000)} kB`;
  const sum = Object.values(sizes).reduce((before, bytes) => before + bytes, 0);
  const lines = partNames.map((part) => {
    const bytes = sizes[part];
    return `  ${part.padEnd(9)}${inKilobytes(bytes).padStart(9)}, at most ${inKilobytes(budgets[part])}`;
  });
  return [...lines, `  ${'together'.padEnd(9)}${inKilobytes(sum).padStart(9)}`].join('\n');
}
