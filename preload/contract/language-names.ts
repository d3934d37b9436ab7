import { languages } from './languages.ts';

/** What each language calls itself, so that whoever needs it finds it, by its code. A bundle gets the values. */
export const languageNames: [code: string, name: string][] = Object.entries(languages).map(([code, { name }]) => [
  code,
  name,
]);
