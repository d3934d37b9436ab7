import { app } from 'electron';
import { languages } from '../preload/contract/languages.ts';
import type { Language } from '../preload/contract/models.ts';

/** Returns the language that the command line asks for, else the first of the system's that we speak. */
export function systemLanguage(forced: string | undefined): Language {
  const wanted = forced === undefined ? app.getPreferredSystemLanguages() : [forced];
  const known = wanted.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split(/[-_]/)[0] ?? '']);
  return known.find((tag) => Object.hasOwn(languages, tag)) ?? 'en';
}
