import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { createInstance, type i18n as I18n, type TFunction } from 'i18next';
import type { Language } from '../preload/contract/settings.ts';
import type { Texts } from '../preload/contract/locales/create-translator.ts';

/** One file per language, loaded on demand. */
const files = import.meta.glob<Texts>('../preload/contract/locales/window/*.json', { import: 'default' });

/** The language of the page as main served it, until main has sent its state. */
export const servedLanguage = (): Language => document.documentElement.lang;

/** Loads the texts of a language, from the cache after the first time. I18next writes `pt-br` as `pt-BR`. */
export async function loadTexts(language: Language): Promise<Texts> {
  const name = `../preload/contract/locales/window/${language}.json`.toLowerCase();
  const [, file] = Object.entries(files).find(([each]) => each.toLowerCase() === name) ?? [];
  if (!file) throw new Error(`There is no language ${language}`);
  return file();
}

let current: I18n;

/** Sets the instance that `t` uses. */
export const setI18n = (i18n: I18n): void => void (current = i18n);

/** Translates a key into the current language. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It is the same function, of the instance of now.
export const t = ((...args: never[]): unknown => Reflect.apply(current.t, current, args)) as unknown as TFunction;

/** Returns the current language as a BCP 47 tag. */
export const language = (): string => current.language;

/** Returns the texts below a key in the current language, such as the rules by which a response was parsed. */
export const textsBelow = (key: string): Record<string, string> =>
  current.getResource(current.language, 'translation', key) ?? {};

/** Returns the current language, and re-renders the component when it changes. */
export const useCurrentLanguage = (): string => useSyncExternalStore(onLanguageChange, language);

/** Switches to a language once its texts are loaded, and sets `lang` for assistive technology. */
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

/** Loads the texts of a language before the first render. React escapes its output, so i18next must not. */
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
