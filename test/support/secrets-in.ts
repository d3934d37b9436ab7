/** Those of the secrets that a text contains. By chance, the six digits of a code are a part of a longer number or of an id. */
export const secretsIn = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter((secret) =>
    /^\d{6}$/.test(secret) ? new RegExp(`(?<![\\da-f.])${secret}(?![\\da-f])`).test(text) : text.includes(secret),
  );
