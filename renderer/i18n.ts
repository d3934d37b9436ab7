import { createInstance, type i18n as I18n } from 'i18next';
import type { Language } from '../preload/contract/settings.ts';
import { languages } from '../preload/contract/words/languages.ts';
import type { Texts } from '../preload/contract/words/texts.ts';

/** Each language is one file, and the window loads those that it speaks. */
const files = import.meta.glob<Texts>('../preload/contract/words/window/*.json', { import: 'default' });

/** The language of the window before main has said one. */
export const likelyLanguage = (): Language =>
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => Object.hasOwn(languages, tag)) ?? 'en';

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

/** Loads the texts of a language. The second time they are there already. I18next writes `pt-br` as `pt-BR`. */
export async function loadTexts(language: Language): Promise<Texts> {
  const name = `../preload/contract/words/window/${language}.json`.toLowerCase();
  const [, file] = Object.entries(files).find(([each]) => each.toLowerCase() === name) ?? [];
  if (!file) throw new Error(`There is no language ${language}`);
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return withAllForms(await file(), pluralCategories);
}

/** Makes the texts ready before the first render. React escapes what it shows, so i18next must not. */
export async function startI18n(language: Language): Promise<I18n> {
  const i18n = createInstance();
  await i18n.use({ type: 'backend' as const, callbackApi: false, read: loadTexts }).init({
    lng: language,
    load: 'currentOnly',
    fallbackLng: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return i18n;
}
