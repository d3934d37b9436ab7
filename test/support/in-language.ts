import { loadI18n, setI18n } from '../../renderer/i18n.ts';

const english = await loadI18n('en');
const spanish = await loadI18n('es');
const instances = { en: english, es: spanish };

/** Returns what is said in a language. The window stays in it. */
export function inLanguage<T>(language: keyof typeof instances, say: () => T): T {
  setI18n(instances[language]);
  return say();
}

export const inEnglish = <T>(say: () => T): T => inLanguage('en', say);
export const inSpanish = <T>(say: () => T): T => inLanguage('es', say);
