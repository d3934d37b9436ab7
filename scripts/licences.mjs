import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nativePackages } from './native-packages.mjs';

const root = path.resolve(import.meta.dirname, '..');
const modules = `${path.sep}node_modules${path.sep}`;

/**
 * Writes `licences.json` beside what is built: each package of which something is in it, with its version, its licence
 * and that licence's text. The application reads these lists (`main/window/read-about.ts`).
 * @returns {{ plugin: import('vite').Plugin, inWorkers: import('vite').Plugin }} one for the bundles, and one for those
 *   of the page's workers, which are built before the page's and are in its list
 */
export function licences() {
  /** @type {string[]} */
  const ofWorkers = [];
  return {
    inWorkers: {
      name: 'licences-in-workers',
      generateBundle(_options, bundle) {
        ofWorkers.push(...foldersIn(bundle, this.environment.config.root));
      },
    },
    plugin: {
      name: 'licences',
      apply: 'build',
      // The preload script has no package in it.
      applyToEnvironment: ({ name }) => name !== 'preload',
      generateBundle(_options, bundle) {
        // Beside the bundle of main are those with native binaries.
        const more =
          this.environment.name === 'main' ? nativePackages(root).map((folder) => path.join(root, folder)) : ofWorkers;
        const folders = [...foldersIn(bundle, this.environment.config.root), ...more];
        const source = `${JSON.stringify(listOf([...new Set(folders)].toSorted()), undefined, 2)}\n`;
        this.emitFile({ type: 'asset', fileName: 'licences.json', source });
      },
    },
  };
}

/**
 * Returns the folders of the packages of which something is in a bundle.
 * @param {import('vite').Rolldown.OutputBundle} bundle
 * @param {string} base the folder to which names of assets are relative
 * @returns {string[]}
 */
function foldersIn(bundle, base) {
  const files = Object.values(bundle).flatMap((part) =>
    part.type === 'chunk' ? part.moduleIds : part.originalFileNames.map((name) => path.resolve(base, name)),
  );
  return files.flatMap((file) => folderOf(file) ?? []);
}

/**
 * Returns the folder of the package that a file is of, if it is of one.
 * @param {string} file a path, or the name of a virtual module
 */
function folderOf(file) {
  const plain = file.replace(/^\0+/, '').replace(/\?.*$/, '');
  const at = plain.lastIndexOf(modules);
  if (at < 0) return undefined;
  const [first = '', second = ''] = plain.slice(at + modules.length).split(path.sep);
  return path.join(plain.slice(0, at + modules.length), first.startsWith('@') ? path.join(first, second) : first);
}

/**
 * @param {string} folder
 * @returns {{ name: string, version: string, license?: string, dependencies?: object, optionalDependencies?: object }}
 */
function packageIn(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/**
 * Has each text once, since many packages have the same one.
 * @param {string[]} folders
 */
function listOf(folders) {
  /** @type {string[]} */
  const texts = [];
  const parts = folders.map((folder) => {
    const { name, version, license: licence = '' } = packageIn(folder);
    const text = textIn(folder);
    if (text !== undefined && !texts.includes(text)) texts.push(text);
    return { name, version, licence, ...(text !== undefined && { text: texts.indexOf(text) }) };
  });
  return { parts, texts };
}

/** @param {string} folder */
function textIn(folder) {
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(name));
  return file === undefined ? undefined : readFileSync(path.join(folder, file), 'utf8').trim();
}
