import { app } from 'electron';

/** Returns the language that the command line asks for, else the first of the system's that we speak. */
export function resolveLanguage(forced: string | undefined, spoken: readonly string[]): string {
  const wanted = forced === undefined ? app.getPreferredSystemLanguages() : [forced];
  const known = wanted.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split(/[-_]/)[0] ?? '']);
  return known.find((tag) => spoken.includes(tag)) ?? 'en';
}
