import { diffArrays } from 'diff';
import type { RecordedCall, RedactedBody, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { splitLines } from '../../answers/json-lines.ts';
import { beginningOf, formatJson } from '../../answers/redacted-text.ts';

/** `expected` marks a line that differs between any two responses. */
type Mark = 'same' | 'added' | 'removed' | 'changed' | 'expected';

export interface ComparedLine {
  text: RedactedText;
  mark: Mark;
  /** Kinds of secrets whose value in this line differs from the other side. */
  another: readonly SecretReference['secret'][];
}

export interface ComparedMessage {
  /** The status line of a response, or the request line. */
  first: ComparedLine;
  headers: readonly ComparedLine[];
  body: readonly ComparedLine[];
  /** Whether the body is truncated. */
  isCut: boolean;
}

/** Two messages side by side. A missing response is absent. */
export interface Compared {
  original?: ComparedMessage | undefined;
  other?: ComparedMessage | undefined;
  /** Number of lines that differ. Two lines that replace each other count once. */
  differences: number;
  /** Whether the shown parts of the bodies are equal, and the rest is not. */
  differsFurther: boolean;
}

type Response = NonNullable<RecordedCall['response']>;

interface Message {
  first: RedactedText;
  headers: Response['headers'];
  body: RedactedBody | undefined;
}

/** Limits in lines and in characters, to compare and lay out without a pause. */
const mostLines = 1000;
const longestLine = 2000;
/** Two texts with more edits are treated as unrelated. */
const mostEdits = 2000;

/** These headers differ between two responses to the same request. */
const volatile = new Set(
  `date age expires last-modified set-cookie
  x-request-id request-id x-correlation-id correlation-id x-trace-id traceparent
  tracestate x-runtime x-response-time server-timing cf-ray x-amzn-requestid x-amzn-trace-id x-amz-cf-id x-cloud-trace-context
  x-ratelimit-remaining x-ratelimit-reset ratelimit ratelimit-remaining ratelimit-reset`.split(/\s+/),
);

/** Compares two responses line by line. Two tokens compare as equal. */
export const compareResponses = (original: Response | undefined, other: Response | undefined): Compared =>
  compareMessages(original && messageOfResponse(original), other && messageOfResponse(other));

export const compareRequests = (original: RecordedCall['request'], other: RecordedCall['request']): Compared =>
  compareMessages(messageOfRequest(original), messageOfRequest(other));

const messageOfResponse = ({ httpVersion, status, headers, body }: Response): Message => ({
  first: [`HTTP/${httpVersion} ${status}`],
  headers,
  body,
});

function messageOfRequest({ head, body }: RecordedCall['request']): Message {
  const [first = [], ...lines] = splitLines(head.text).filter((line) => line.some((part) => part !== ''));
  const headers = lines.map(([start = '', ...others]): Message['headers'][number] => {
    if (typeof start !== 'string') return ['', [start, ...others]];
    const [name = '', value = ''] = /^([^:]*):[ \t]*(.*)$/s.exec(start)?.slice(1) ?? ['', start];
    return [name, [value, ...others]];
  });
  return { first, headers, body };
}

function compareMessages(original: Message | undefined, other: Message | undefined): Compared {
  if (!original || !other) {
    return {
      original: original && alone(original),
      other: other && alone(other),
      differences: original || other ? 1 : 0,
      differsFurther: false,
    };
  }
  const first = comparePair(original.first, other.first);
  const headers = compareHeaders(original.headers, other.headers);
  const [before, after] = [bodyOf(original.body), bodyOf(other.body)];
  const body = compareLines(before.lines, after.lines);
  const bodiesDiffer = before.whole !== after.whole;
  const shownDiffer = body.other.some(isDifferent) || body.original.some(isDifferent);
  const differsFurther = bodiesDiffer && !shownDiffer;
  return {
    original: { first: first.original, headers: headers.original, body: body.original, isCut: before.isCut },
    other: { first: first.other, headers: headers.other, body: body.other, isCut: after.isCut },
    differences:
      [first.other, ...headers.other, ...body.other].filter(isDifferent).length +
      [...headers.original, ...body.original].filter(({ mark }) => mark === 'removed').length +
      (differsFurther ? 1 : 0),
    differsFurther,
  };
}

interface Sides {
  original: ComparedLine[];
  other: ComparedLine[];
}

const isDifferent = ({ mark }: ComparedLine): boolean => mark !== 'same' && mark !== 'expected';

/** Two texts with equal keys compare as equal: a secret is replaced by its kind. */
const keyOf = (text: RedactedText): string =>
  text.map((part) => (typeof part === 'string' ? part : `\0${part.secret}\0`)).join('');

const line = (text: RedactedText, mark: Mark): ComparedLine => ({ text, mark, another: [] });

function comparePair(original: RedactedText, other: RedactedText): { original: ComparedLine; other: ComparedLine } {
  const mark = keyOf(original) === keyOf(other) ? 'same' : 'changed';
  return { original: line(original, mark), other: { ...line(other, mark), another: otherSecrets(original, other) } };
}

/** Kinds of secrets at the same positions of two texts whose values differ. */
function otherSecrets(original: RedactedText, other: RedactedText): SecretReference['secret'][] {
  const [before, after] = [original, other].map((text) => text.filter((part) => typeof part !== 'string'));
  const others = after?.filter(
    ({ secret, id }, index) => before?.[index]?.secret === secret && before[index].id !== id,
  );
  return [...new Set(others?.map(({ secret }) => secret))];
}

function compareHeaders(original: Response['headers'], other: Response['headers']): Sides {
  const numbered = (headers: Response['headers']) => {
    const counts = new Map<string, number>();
    return headers.map(([name, value]) => {
      const key = name.toLowerCase();
      const number = counts.get(key) ?? 0;
      counts.set(key, number + 1);
      return { key: `${key} ${number}`, isVolatile: volatile.has(key), value, text: [`${name}: `, ...value] };
    });
  };
  const [before, after] = [numbered(original), numbered(other)];
  const side = (own: typeof before, others: typeof before, alone: Mark): ComparedLine[] =>
    own.map(({ key, isVolatile, value, text }) => {
      const other = others.find((each) => each.key === key);
      const differs = other === undefined ? alone : keyOf(other.value) === keyOf(value) ? 'same' : 'changed';
      return {
        text,
        mark: isVolatile && differs === 'changed' ? 'expected' : differs,
        another: other && alone === 'added' ? otherSecrets(other.value, value) : [],
      };
    });
  return { original: side(before, after, 'removed'), other: side(after, before, 'added') };
}

function compareLines(original: readonly RedactedText[], other: readonly RedactedText[]): Sides {
  const sides: Sides = { original: [], other: [] };
  let [before, after] = [0, 0];
  /** Pairs removed lines with added ones; the rest is on one side only. */
  const replace = (removed: number, added: number): void => {
    for (let index = 0; index < Math.max(removed, added); index += 1) {
      const [left, right] = [original[before + index], other[after + index]];
      const both = index < removed && index < added;
      if (left && index < removed) sides.original.push(line(left, both ? 'changed' : 'removed'));
      if (!right || index >= added) continue;
      const another = left && both ? otherSecrets(left, right) : [];
      sides.other.push({ text: right, mark: both ? 'changed' : 'added', another });
    }
    before += removed;
    after += added;
  };
  const changes = diffArrays(original.map(keyOf), other.map(keyOf), { maxEditLength: mostEdits });
  let removed = 0;
  let added = 0;
  for (const change of changes ?? []) {
    if (change.removed) removed += change.count;
    else if (change.added) added += change.count;
    else {
      replace(removed, added);
      [removed, added] = [0, 0];
      for (let index = 0; index < change.count; index += 1) {
        const pair = comparePair(original[before + index] ?? [], other[after + index] ?? []);
        sides.original.push(pair.original);
        sides.other.push(pair.other);
      }
      before += change.count;
      after += change.count;
    }
  }
  replace(original.length - before, other.length - after);
  return sides;
}

function alone({ first, headers, body }: Message): ComparedMessage {
  const { lines, isCut } = bodyOf(body);
  return {
    first: line(first, 'same'),
    headers: headers.map(([name, value]) => line([`${name}: `, ...value], 'same')),
    body: lines.map((text) => line(text, 'same')),
    isCut,
  };
}

/** The lines of a body, with JSON formatted. `whole` is equal for two bodies without any difference. */
function bodyOf(body: RedactedBody | undefined): { lines: RedactedText[]; isCut: boolean; whole: string } {
  if (body?.form === 'described') {
    const { type = '', bytes, title = [], sha256 } = body;
    const lines = [[`${type} ${bytes}`.trim()], title, ...(sha256 === undefined ? [] : [[`SHA-256 ${sha256}`]])];
    return {
      lines: lines.filter((line) => line.length > 0),
      isCut: false,
      whole: sha256 ?? keyOf([`${bytes} `, ...title]),
    };
  }
  if (body === undefined || body.bytes === 0) return { lines: [], isCut: false, whole: '' };
  const text = formatJson(body.text) ?? body.text;
  const all = splitLines(text);
  const lines = all.slice(0, mostLines).map((each) => beginningOf(each, longestLine));
  const isCut = all.length > mostLines || lines.some((each, index) => keyOf(each) !== keyOf(all[index] ?? []));
  return { lines, isCut, whole: keyOf(text) };
}
