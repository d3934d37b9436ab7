import { createInstance, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../preload/contract/models.ts';
import en from './locales/en.json';
import es from './locales/es.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

/** What each language calls itself, so that whoever needs it finds it. */
export const languageNames: Record<Language, string> = { en: 'English', es: 'Español' };

/** Both languages are small, so both are in the bundle, and a change shows at once. */
const resources: Record<Language, { translation: typeof en }> = { en: { translation: en }, es: { translation: es } };

/** Makes the texts ready before the first render. React escapes what it shows, so i18next must not. */
export async function startI18n(language: Language): Promise<I18n> {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng: language,
    resources,
    fallbackLng: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return i18n;
}
