/** Received headers: names in any case, a value as text, several as a list of texts. */
export type ReceivedHeaders = Readonly<Record<string, unknown>>;

/** The first non-empty value of a header. */
export function header(headers: ReceivedHeaders, name: string): string | undefined {
  for (const [given, value] of Object.entries(headers)) {
    if (given.toLowerCase() !== name) continue;
    const text = [value]
      .flat()
      .map((each) => (typeof each === 'string' || typeof each === 'number' ? String(each).trim() : ''))
      .find((each) => each !== '');
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Headers as they came, by their names in small letters. */
export function receivedHeaders(rawHeaders: readonly (readonly [name: string, value: string])[]): ReceivedHeaders {
  const values = new Map<string, string[]>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return Object.fromEntries(values);
}
