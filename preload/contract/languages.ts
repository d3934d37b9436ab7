/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';

/** What main and the reports need of the file of a language. The window reads the rest of it. */
export interface LanguageFile {
  /** What the language calls itself. */
  name: string;
  /** The words of contract reports, of a language that has none in `words/`. What is missing is said in English. */
  reports?: object;
  /** Words of menus, notifications and dialogs of the system, by the name of their table. */
  system?: Record<string, Record<string, string>>;
}

const folder = new URL('../../renderer/locales/', import.meta.url);

function read(file: string): LanguageFile {
  const { language, reports, system } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  return { name: language, reports, system };
}

/**
 * Every language that has a file in `renderer/locales/`, by its code, English first. This runs on Node alone: a bundle
 * gets the values instead of this file (`vite.config.ts`).
 */
export const languages: Record<string, LanguageFile> = Object.fromEntries(
  [
    'en.json',
    ...readdirSync(folder).filter((file) => file !== 'en.json' && /^[a-z]{2,3}(?:-\w{2,8})?\.json$/.test(file)),
  ].map((file) => [file.slice(0, -'.json'.length), read(file)]),
);
