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

/** Whether a target has the path of a call, and all that the query of that path says. */
export function isAt(target: string, path: string): boolean {
  const [wantedPath = '', wantedQuery = ''] = path.split('?', 2);
  const [sentPath = '', sentQuery = ''] = target.split(/[?#]/, 2);
  if (sentPath !== wantedPath) return false;
  const sent = new URLSearchParams(sentQuery);
  return [...new URLSearchParams(wantedQuery)].every(([name, value]) => sent.get(name) === value);
}
