import { textFiles } from './files.ts';

/**
 * What each language calls itself, by its code: a language is one that has a file in `window/`. This module runs
 * on Node alone: a bundle gets the value instead (`vite.config.ts`).
 */
export const languageNames: Record<string, string> = Object.fromEntries(
  Object.entries(textFiles('window')).map(([code, { language }]) => [
    code,
    typeof language === 'string' ? language : code,
  ]),
);
