import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The only packages that are not bundled into `dist/`, since each brings a binary for every system. */
const native = ['@napi-rs/keyring', '@node-rs/argon2'];

/**
 * Returns the folders of the native packages and of their binaries for this system.
 * @param {string} root the folder of the project
 * @returns {string[]} paths from the root, with `/`
 */
export function nativePackages(root) {
  const inRoot = (/** @type {string} */ name) => path.join(root, 'node_modules', name, 'package.json');
  const binaries = native.flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(inRoot(name), 'utf8')).optionalDependencies ?? {}),
  );
  return [...native, ...binaries].filter((name) => existsSync(inRoot(name))).map((name) => `node_modules/${name}`);
}
