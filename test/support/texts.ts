export type TestTexts = { [key: string]: string | TestTexts };

/** Says every text of a file of texts, with its whole key. */
export const flatTexts = (texts: TestTexts, prefix = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatTexts(value, `${prefix}${key}.`),
  );
