import { isRecord, type PlainJson } from './template.ts';

/** An object matches by the members that the pattern has, anything else by being the same. */
export function matches(pattern: PlainJson, value: PlainJson | undefined): boolean {
  if (value === undefined) return false;
  if (!isRecord(pattern)) return JSON.stringify(pattern) === JSON.stringify(value);
  return (
    isRecord(value) &&
    Object.entries(pattern).every(([name, each]) => Object.hasOwn(value, name) && matches(each, value[name]))
  );
}

/** Stands in a path for a value of an answer, which may be any. No address has it. */
export const pathWildcard = '\0';

/** Whether a target has the path of a call, and all that the query of that path says. */
export function matchesPath(target: string, path: string): boolean {
  const [wantedPath = '', wantedQuery = ''] = path.split('?', 2);
  const [sentPath = '', sentQuery = ''] = target.split(/[?#]/, 2);
  const wanted = wantedPath.split('/');
  const segments = sentPath.split('/');
  if (segments.length !== wanted.length || !wanted.every((each, at) => isFilledFrom(each, segments[at] ?? '')))
    return false;
  const sent = new URLSearchParams(sentQuery);
  return [...new URLSearchParams(wantedQuery)].every(([name, value]) => isFilledFrom(value, sent.get(name)));
}

/** Whether a text is what a template says, where each open value has at least one character. */
function isFilledFrom(template: string, text: string | null): boolean {
  const parts = template.split(pathWildcard);
  if (text === null || parts.length === 1) return text === template;
  const [start = '', end = ''] = [parts[0], parts.at(-1)];
  return text.startsWith(start) && text.endsWith(end) && text.length >= template.length;
}
