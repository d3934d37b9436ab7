/**
 * Whether a path that stands after a base URL stays below it. A browser's URL drops segments of dots also where they are
 * percent-encoded, reads `\` as `/`, and takes two slashes at the start for another host (WHATWG URL, 4.4).
 */
export function isSafePath(path: string): boolean {
  if (path.startsWith('//') || /[\\#\s]/.test(path)) return false;
  const [onlyPath = ''] = path.split('?', 1);
  return onlyPath
    .replaceAll(/%2e/gi, '.')
    .split(/\/|%2f|%5c/i)
    .every((segment) => !/^\.{1,2}$/.test(segment));
}
