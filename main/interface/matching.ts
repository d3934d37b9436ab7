import { isRecord, type PlainJson } from './template.ts';

/**
 * True if an object has the members of the pattern, and a list an element for each element of it; anything else must be
 * equal. An empty list is one without elements.
 */
export function matches(pattern: PlainJson, value: PlainJson | undefined): boolean {
  if (value === undefined) return false;
  if (Array.isArray(pattern) && pattern.length > 0)
    return Array.isArray(value) && pattern.every((each) => value.some((one) => matches(each, one)));
  if (!isRecord(pattern)) return JSON.stringify(pattern) === JSON.stringify(value);
  return (
    isRecord(value) &&
    Object.entries(pattern).every(([name, each]) => Object.hasOwn(value, name) && matches(each, value[name]))
  );
}

/** Matches any value in a path. No URL contains it. */
export const pathWildcard = '\0';

/** True if a target has the path of a call, and all parameters of its query. */
export function matchesPath(target: string, path: string): boolean {
  const [patternPath = '', patternQuery = ''] = path.split('?', 2);
  const [sentPath = '', sentQuery = ''] = target.split(/[?#]/, 2);
  const patterns = patternPath.split('/');
  const segments = sentPath.split('/');
  if (
    segments.length !== patterns.length ||
    !patterns.every((each, at) => matchesTemplateText(each, segments[at] ?? ''))
  )
    return false;
  const sent = new URLSearchParams(sentQuery);
  return [...new URLSearchParams(patternQuery)].every(([name, value]) => matchesTemplateText(value, sent.get(name)));
}

/** True if a text matches a template, where each wildcard has at least one character. */
function matchesTemplateText(template: string, text: string | null): boolean {
  const parts = template.split(pathWildcard);
  if (text === null || parts.length === 1) return text === template;
  const [start = '', end = ''] = [parts[0], parts.at(-1)];
  return text.startsWith(start) && text.endsWith(end) && text.length >= template.length;
}
