import { app } from 'electron';

/** Returns the language of the command line, else the first of the system's that is supported. */
export function resolveLanguage(forced: string | undefined, supported: readonly string[]): string {
  const preferred = forced === undefined ? app.getPreferredSystemLanguages() : [forced];
  const known = preferred.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split(/[-_]/)[0] ?? '']);
  return known.find((tag) => supported.includes(tag)) ?? 'en';
}
