import { languages } from '../preload/contract/languages.ts';

/**
 * Makes what main says outside of the window from tables of words, and from the file of a language that has no table:
 * it holds them in `system`, under the name of the table. What a language lacks is said in English.
 */
export function systemWords<T extends Record<string, string>>(name: string, tables: { en: T } & Record<string, T>) {
  const said = Object.keys(languages).map((language) => {
    const others = languages[language]?.system?.[name] ?? {};
    // A language may have more forms of a number than English.
    const isKnown = (key: string): boolean => key.replace(/_(?:zero|two|few|many)$/, '_other') in tables.en;
    const known = Object.fromEntries(Object.entries(others).filter(([key]) => isKnown(key)));
    return [language, { ...tables.en, ...tables[language], ...known }] as const;
  });
  const byLanguage = new Map<string, T>(said);
  return (language: string): T => byLanguage.get(language) ?? tables.en;
}
