import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { createInstance, type i18n as I18n, type TFunction } from 'i18next';
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

let current: I18n;

/** Makes this the instance that the window speaks by. */
export const setI18n = (i18n: I18n): void => void (current = i18n);

/** Returns a text in the language of the window. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It is the same function, of the instance of now.
export const t = ((...args: never[]): unknown => Reflect.apply(current.t, current, args)) as unknown as TFunction;

/** Returns the language of the window, as a tag of BCP 47. */
export const language = (): string => current.language;

/** Returns the texts below a key in the language of the window, such as the rules by which an answer was read. */
export const textsBelow = (key: string): Record<string, string> =>
  current.getResource(current.language, 'translation', key) ?? {};

/** Returns the language, and renders a component again when it changes, and with it all that it shows. */
export const useCurrentLanguage = (): string => useSyncExternalStore(onLanguageChange, language);

/** Puts the window into a language as soon as its texts are loaded, and says so to assistive technology. */
export function useLanguage(next: Language): void {
  const asked = useRef(language());
  useLayoutEffect(() => {
    const setLang = () => {
      if (asked.current === next) document.documentElement.lang = next;
    };
    if (asked.current === next) setLang();
    else void current.changeLanguage(next).then(setLang);
    asked.current = next;
  }, [next]);
}

function onLanguageChange(listener: () => void): () => void {
  current.on('languageChanged', listener);
  return () => current.off('languageChanged', listener);
}

/** Makes the texts of a language ready before the first render. React escapes what it shows, so i18next must not. */
export async function loadI18n(first: Language): Promise<I18n> {
  const i18n = createInstance();
  await i18n.use({ type: 'backend' as const, callbackApi: false, read: loadTexts }).init({
    lng: first,
    load: 'currentOnly',
    fallbackLng: false,
    interpolation: { escapeValue: false },
  });
  return i18n;
}
