import { createInstance, type KeyPrefix, type TFunction } from 'i18next';
import type reports from './reports/en.json';
import type system from './system/en.json';
import type window from './window/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof window; system: typeof system; reports: typeof reports };
  }
}

/** A file holds texts in groups, and nothing else. */
export type Texts = { [key: string]: string | Texts };

/**
 * Makes what says the texts of one group, of all languages that have a file of it. What a language lacks is said in
 * English. Nothing is escaped: none of it is read as markup.
 */
export function createTranslator<Group extends 'system' | 'reports'>(
  group: Group,
  files: Readonly<Record<string, Texts>>,
): <Prefix extends KeyPrefix<Group> = undefined>(language: string, prefix?: Prefix) => TFunction<Group, Prefix> {
  const i18n = createInstance();
  void i18n.init({
    resources: Object.fromEntries(Object.entries(files).map(([language, texts]) => [language, { [group]: texts }])),
    ns: group,
    fallbackLng: 'en',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  return (language, prefix) => i18n.getFixedT(language, group, prefix);
}
