/** Makes a table of names, written as one text so that long ones stay readable. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
