/** Decodes a percent-encoded text, or returns it as it is if its encoding is invalid, such as a lone `%`. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
