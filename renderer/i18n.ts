import { createInstance, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../preload/contract/models.ts';
import type en from './locales/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

interface LocaleFile {
  language: string;
  /** The rules by which answers are read, by their English. */
  rules?: Record<string, string>;
}

/** Each language is one file, small enough to be in the bundle. A change of it shows at once. */
const files = import.meta.glob<LocaleFile>('./locales/*.json', { eager: true, import: 'default' });
const locales = new Map<Language, LocaleFile>(
  Object.entries(files).map(([file, locale]) => [/(\w[\w-]*)\.json$/.exec(file)?.[1] ?? '', locale]),
);

/** What each language calls itself, so that whoever needs it finds it. */
export const languageNames = [...locales].map(([code, { language }]): [Language, string] => [code, language]);

/** The language of the window before main has said one. */
export const likelyLanguage = (): Language =>
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => locales.has(tag)) ?? 'en';

/** The names of rules in a language, by their English. */
export const rulesIn = (language: Language): Record<string, string> => locales.get(language)?.rules ?? {};

type Texts = { [key: string]: string | Texts };

/** A form of plurals that a language knows and its file lacks, such as that of a million in Spanish, is the form of many. */
function withAllForms(texts: Texts, forms: readonly string[]): Texts {
  const whole: Texts = {};
  for (const [key, text] of Object.entries(texts)) {
    whole[key] = typeof text === 'string' ? text : withAllForms(text, forms);
    if (!key.endsWith('_other')) continue;
    for (const form of forms) {
      const name = key.replace(/other$/, form);
      if (!(name in texts)) whole[name] = text;
    }
  }
  return whole;
}

const resources = Object.fromEntries(
  [...locales].map(([code, locale]) => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The file holds texts in groups, and nothing else.
    return [code, { translation: withAllForms(locale as unknown as Texts, pluralCategories) }];
  }),
);

/** Makes the texts ready before the first render. React escapes what it shows, so i18next must not. */
export async function startI18n(language: Language): Promise<I18n> {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng: language,
    resources,
    fallbackLng: 'en',
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return i18n;
}
