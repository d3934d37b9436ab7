import { language } from './i18n.ts';

/**
 * Caches what `Intl` makes for the language of the window, since to make one takes longer than to render a line. Another
 * time zone needs another one.
 */
export function cachedFormat<T>(make: (language: string) => T): () => T {
  const cache = new Map<string, T>();
  return () => {
    const key = `${language()} ${new Date().getTimezoneOffset()}`;
    const format = cache.get(key) ?? make(language());
    cache.set(key, format);
    return format;
  };
}
