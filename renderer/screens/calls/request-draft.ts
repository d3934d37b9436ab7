import { diffArrays } from 'diff';
import type { EditableRequest, EditedRequest, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { editedMethods } from '../../../preload/contract/names.ts';
import { formatJson } from '../../answers/redacted-text.ts';

/** A header as it is edited. `was` is its index in the recorded request; absent for a new one. */
export interface DraftHeader {
  key: number;
  was?: number;
  name: string;
  value: string;
}

/** A request as it is edited. It has the names of secrets, which main replaces by their values. */
export interface RequestDraft {
  method: string;
  path: string;
  headers: readonly DraftHeader[];
  body: string;
}

/** Secrets by their names in the draft, such as `‹token 1›`. */
type SecretNames = ReadonlyMap<string, SecretReference>;

export function secretNamesOf(
  { path, headers, body = [] }: EditableRequest,
  nameOf: (reference: SecretReference) => string,
): SecretNames {
  const all = [...path, ...headers.flatMap(({ value }) => value), ...body];
  return new Map(all.flatMap((part) => (typeof part === 'string' ? [] : [[`‹${nameOf(part)}›`, part]])));
}

function textWithNames(text: RedactedText, names: SecretNames): string {
  const byId = new Map([...names].map(([name, { id }]) => [id, name]));
  return text.map((part) => (typeof part === 'string' ? part : (byId.get(part.id) ?? ''))).join('');
}

/** Replaces the names of secrets by references. An edited name is plain text. */
export function withReferences(text: string, names: SecretNames): RedactedText {
  const parts: RedactedText = [];
  let rest = text;
  while (rest !== '') {
    const found = [...names]
      .map(([name, reference]) => ({ name, reference, at: rest.indexOf(name) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at)[0];
    if (!found) return [...parts, rest];
    if (found.at > 0) parts.push(rest.slice(0, found.at));
    parts.push(found.reference);
    rest = rest.slice(found.at + found.name.length);
  }
  return parts;
}

/** JSON is formatted, as it is shown. */
export function draftOf({ method, path, headers, body = [] }: EditableRequest, names: SecretNames): RequestDraft {
  return {
    method,
    path: textWithNames(path, names),
    headers: headers.map(({ name, value }, at) => ({ key: at, was: at, name, value: textWithNames(value, names) })),
    body: textWithNames(formatJson(body) ?? body, names),
  };
}

/** An unchanged body is sent byte for byte, and an empty header is left out. */
export function requestOf(draft: RequestDraft, original: EditableRequest, names: SecretNames): EditedRequest {
  const method = editedMethods.find((each) => each === draft.method) ?? 'GET';
  const isSameBody = draft.body === draftOf(original, names).body;
  const body = isSameBody ? original.body : withReferences(draft.body, names);
  return {
    method,
    path: withReferences(draft.path.trim(), names),
    headers: filledHeaders(draft).map(({ name, value }) => ({
      name: name.trim(),
      value: withReferences(value.trim(), names),
    })),
    ...(body && body.length > 0 && { body }),
  };
}

/** The headers that are sent. Main names an invalid one by its index in these. */
export const filledHeaders = ({ headers }: RequestDraft): DraftHeader[] =>
  headers.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');

export interface DraftChanges {
  method: boolean;
  path: boolean;
  /** Keys of the changed and new headers. */
  headers: ReadonlySet<number>;
  /** Number of changed, new and removed headers. */
  headerCount: number;
  /** Changed and new lines of the body, from 0. */
  lines: ReadonlySet<number>;
  /** Number of changed, new and removed lines of the body. */
  lineCount: number;
}

/** The changes in a draft, for the bars that mark them. */
export function changesOf(draft: RequestDraft, original: RequestDraft): DraftChanges {
  const changed = draft.headers.filter(({ was, name, value }) => {
    const before = was === undefined ? undefined : original.headers[was];
    return before?.name !== name || before.value !== value;
  });
  const gone = original.headers.filter((_header, at) => draft.headers.every(({ was }) => was !== at));
  return {
    method: draft.method !== original.method,
    path: draft.path !== original.path,
    headers: new Set(changed.map(({ key }) => key)),
    headerCount: changed.length + gone.length,
    ...changedLines(original.body.split('\n'), draft.body.split('\n')),
  };
}

/** Two bodies with more edits are treated as unrelated. */
const mostEdits = 1000;

function changedLines(before: string[], after: string[]): Pick<DraftChanges, 'lines' | 'lineCount'> {
  const differences = diffArrays(before, after, { maxEditLength: mostEdits });
  if (!differences) return { lines: new Set(after.keys()), lineCount: after.length };
  const lines = new Set<number>();
  let lineCount = 0;
  let at = 0;
  /** Number of lines removed just before, which added lines may replace. */
  let removed = 0;
  for (const difference of differences) {
    if (difference.removed) {
      removed = difference.count;
      lineCount += removed;
      continue;
    }
    if (difference.added) {
      for (let line = at; line < at + difference.count; line += 1) lines.add(line);
      lineCount += Math.max(0, difference.count - removed);
    }
    removed = 0;
    at += difference.count;
  }
  return { lines, lineCount };
}

/** Media types of a body. */
export const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
} as const;
export type BodyType = keyof typeof bodyTypes;

const isContentType = ({ name }: DraftHeader): boolean => name.trim().toLowerCase() === 'content-type';

export function bodyTypeOf({ headers }: RequestDraft): BodyType | undefined {
  const value = headers.find(isContentType)?.value.toLowerCase() ?? '';
  if (/\bjson\b|\+json/.test(value)) return 'json';
  if (value.startsWith(bodyTypes.form)) return 'form';
  return value.startsWith('text/') ? 'text' : undefined;
}

/** Unused key for a new header. */
export const nextKey = ({ headers }: RequestDraft): number => Math.max(-1, ...headers.map(({ key }) => key)) + 1;

/** Sets the content type in the headers of a draft. */
export function withBodyType(draft: RequestDraft, type: BodyType): RequestDraft {
  const value = bodyTypes[type];
  const has = draft.headers.some(isContentType);
  const headers = has
    ? draft.headers.map((header) => (isContentType(header) ? { ...header, value } : header))
    : [...draft.headers, { key: nextKey(draft), name: 'Content-Type', value }];
  return { ...draft, headers };
}
