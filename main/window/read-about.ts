import { readFile } from 'node:fs/promises';
import { machine, release, type as systemName } from 'node:os';
import { type About, Licences, type LicensedPackage } from '../../preload/contract/about.ts';

/** A build for development makes no list of what it takes from Vite's server. */
async function readLicences(file: string): Promise<Licences> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? { parts: [], texts: [] } : Licences.parse(JSON.parse(text));
}

/** Each package and each text is once in the list. */
function joined(lists: readonly Licences[]): Licences {
  const texts = [...new Set(lists.flatMap((list) => list.texts))];
  const parts = new Map<string, LicensedPackage>();
  for (const list of lists) {
    for (const part of list.parts) {
      const text = part.text === undefined ? undefined : texts.indexOf(list.texts[part.text] ?? '');
      parts.set(`${part.name}@${part.version}`, { ...part, text });
    }
  }
  return { parts: [...parts.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en')), texts };
}

/** @param files the lists that the build wrote */
export const loadLicences = async (files: readonly string[]): Promise<Licences> =>
  joined(await Promise.all(files.map(readLicences)));

export const readAbout = (): About => ({
  system: `${systemName()} ${release()}, ${machine()}`,
  chromium: process.versions['chrome'] ?? '',
  node: process.versions.node,
});
