/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import type { Texts } from './create-translator.ts';

/** The file of each language in a folder beside this module, by language code, English first. */
export function textFiles(group: 'window' | 'system' | 'reports'): Record<string, Texts> {
  const folder = new URL(`./${group}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => /^[a-z]{2,3}(?:-\w{2,8})?\.json$/.test(file));
  const sorted = files.toSorted((a, b) => Number(b === 'en.json') - Number(a === 'en.json'));
  return Object.fromEntries(
    sorted.map((file) => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(file, folder), 'utf8'))]),
  );
}
