/** Decodes the percent-encoding of a cookie, URL or form; returns the text itself if it has an invalid one, such as a lone `%`. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
