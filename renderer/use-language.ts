import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../preload/contract/settings.ts';

/** Puts the window into a language as soon as its texts are loaded, and says so to assistive technology. */
export function useLanguage(language: Language): void {
  const { i18n } = useTranslation();
  const asked = useRef(i18n.language);
  useLayoutEffect(() => {
    const say = () => {
      if (asked.current === language) document.documentElement.lang = language;
    };
    if (asked.current === language) say();
    else void i18n.changeLanguage(language).then(say);
    asked.current = language;
  }, [i18n, language]);
}
