import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { nativePackages } from './native-packages.mjs';

/**
 * The most bytes that each part of a package may have beyond Electron. The figure beside is what it had on 2026-11-22; a
 * budget leaves a tenth for what is to come, so that a library that slips in is seen.
 * @type {Readonly<Record<Part, number>>}
 */
export const budgets = {
  main: 5_950_000, // 5 890 000, of which 508 000 put an update in the place of the old version and 125 000 write reports
  preload: 4_000, // 3 700
  renderer: 4_200_000, // 3 838 000, of which 2 068 000 are the words that passwords are compared with
  native: 4_300_000, // 3 907 000 on Linux x64
  licences: 750_000, // 683 000
  other: 80_000, // 69 000
};

/** The most bytes that the window reads from its start to its first screen. */
export const startBudgets = { scripts: 700_000, styles: 300_000 };

/**
 * Returns the bytes of the scripts and styles that the window reads at its start: those that its page names,
 * the texts of one language, and the largest of the screens that may be first.
 * @param {string} root the folder of the project, built
 */
export async function startSizesOf(root) {
  const folder = path.join(root, 'dist/renderer');
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name ?? '');
  const all = await readdir(path.join(folder, 'assets'));
  const texts = all.filter((name) => /^en-[^.]+\.js$/.test(name));
  const files = new Set([...named, ...texts.map((name) => `assets/${name}`)]);
  const screens = await Promise.all(
    firstScreens.map(async (screen) => {
      const own = all.find((name) => new RegExp(`^${screen}-[^.]+\\.js$`).test(name));
      const styles = all.filter((name) => new RegExp(`^${screen}-[^.]+\\.css$`).test(name));
      const read = await importedBy(folder, `assets/${own}`);
      return [...read, ...styles.map((name) => `assets/${name}`)].filter((name) => !files.has(name));
    }),
  );
  /** @param {string} kind */
  const sum = async (kind) => {
    const bytesOf = async (/** @type {string[]} */ names) => {
      const sizes = names.filter((name) => name.endsWith(kind)).map((name) => stat(path.join(folder, name)));
      return (await Promise.all(sizes)).reduce((before, { size }) => before + size, 0);
    };
    return (await bytesOf([...files])) + Math.max(...(await Promise.all(screens.map(bytesOf))));
  };
  return { scripts: await sum('.js'), styles: await sum('.css') };
}

/** One of these is what a start shows first (`renderer/screens/first-screens.ts`). */
const firstScreens = ['welcome', 'login-screen', 'profile-screen', 'locked-screen'];

/**
 * Returns a script with all that it imports at once, and the styles beside them.
 * @param {string} folder
 * @param {string} script
 * @param {Set<string>} [found]
 */
async function importedBy(folder, script, found = new Set()) {
  if (found.has(script)) return found;
  found.add(script);
  const text = await readFile(path.join(folder, script), 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s?["']\.\/([^"']+\.js)["']/g))
    await importedBy(folder, `assets/${name}`, found);
  return found;
}

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
  for (const folder of ['dist/main', 'dist/preload', 'dist/renderer', ...nativePackages(root)]) {
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
  const built = /^dist\/(main|preload|renderer)\//.exec(file)?.[1];
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
