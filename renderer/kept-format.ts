/**
 * Keeps what `Intl` makes for a language, since to make one takes longer than to render a line. Another time zone needs
 * another one.
 */
export function keptFormat<T>(make: (language: string) => T): (language: string) => T {
  const kept = new Map<string, T>();
  return (language) => {
    const key = `${language} ${new Date().getTimezoneOffset()}`;
    const format = kept.get(key) ?? make(language);
    kept.set(key, format);
    return format;
  };
}
