import { useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../preload/contract/models.ts';

/** Puts the window into a language, and says so to assistive technology. */
export function useLanguage(language: Language): void {
  const { i18n } = useTranslation();
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    if (i18n.language !== language) void i18n.changeLanguage(language);
  }, [i18n, language]);
}
