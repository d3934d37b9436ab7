import { diffArrays } from 'diff';
import type { RecordedCall, RedactedBody, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { binaryLines } from '../../answers/hex-lines.ts';
import { beginningOf, prettyJson } from '../../answers/redacted-text.ts';

/** `expected` marks a line that is another one in each answer, and says nothing. */
type Mark = 'same' | 'added' | 'removed' | 'changed' | 'expected';

export interface ComparedLine {
  text: RedactedText;
  mark: Mark;
  /** The kinds of the secrets in this line that are others on the other side. */
  another: readonly SecretReference['secret'][];
}

export interface ComparedAnswer {
  status: ComparedLine;
  headers: readonly ComparedLine[];
  body: readonly ComparedLine[];
  /** Whether only the beginning of the body is here. */
  isCut: boolean;
}

/** Two answers beside each other. One that never came is absent. */
export interface Compared {
  original?: ComparedAnswer | undefined;
  replay?: ComparedAnswer | undefined;
  /** The number of lines that are not the same. Two lines that stand for each other count once. */
  differences: number;
  /** Whether the shown parts of the bodies are the same, and the rest is not. */
  differsFurther: boolean;
}

type Response = NonNullable<RecordedCall['response']>;

/** This is more than anybody reads, and little enough to be compared and laid out at once. */
const mostLines = 1000;
const longestLine = 2000;
/** Two texts with more edits than this have nothing to do with each other. */
const mostEdits = 2000;

/** These headers differ between two answers to the same request. */
const volatile = new Set(
  `date age expires last-modified set-cookie
  x-request-id request-id x-correlation-id correlation-id x-trace-id traceparent
  tracestate x-runtime x-response-time server-timing cf-ray x-amzn-requestid x-amzn-trace-id x-amz-cf-id x-cloud-trace-context
  x-ratelimit-remaining x-ratelimit-reset ratelimit ratelimit-remaining ratelimit-reset`.split(/\s+/),
);

/** Compares two answers line by line. A secret counts as what it is: that a token is another one is no difference. */
export function compareAnswers(original: Response | undefined, replay: Response | undefined): Compared {
  if (!original || !replay) {
    return {
      original: original && alone(original),
      replay: replay && alone(replay),
      differences: original || replay ? 1 : 0,
      differsFurther: false,
    };
  }
  const status = comparePair(statusOf(original), statusOf(replay));
  const headers = compareHeaders(original.headers, replay.headers);
  const [before, after] = [bodyOf(original.body), bodyOf(replay.body)];
  const body = compareLines(before.lines, after.lines);
  const bodiesDiffer = before.whole !== after.whole;
  const shownDiffer = body.replay.some(isDifferent) || body.original.some(isDifferent);
  const differsFurther = bodiesDiffer && !shownDiffer;
  return {
    original: { status: status.original, headers: headers.original, body: body.original, isCut: before.isCut },
    replay: { status: status.replay, headers: headers.replay, body: body.replay, isCut: after.isCut },
    differences:
      [status.replay, ...headers.replay, ...body.replay].filter(isDifferent).length +
      [...headers.original, ...body.original].filter(({ mark }) => mark === 'removed').length +
      (differsFurther ? 1 : 0),
    differsFurther,
  };
}

interface Sides {
  original: ComparedLine[];
  replay: ComparedLine[];
}

const isDifferent = ({ mark }: ComparedLine): boolean => mark !== 'same' && mark !== 'expected';

/** Returns what is compared of a text, where a secret counts as what it is. */
const keyOf = (text: RedactedText): string =>
  text.map((part) => (typeof part === 'string' ? part : `\0${part.secret}\0`)).join('');

const line = (text: RedactedText, mark: Mark): ComparedLine => ({ text, mark, another: [] });

function comparePair(original: RedactedText, replay: RedactedText): { original: ComparedLine; replay: ComparedLine } {
  const mark = keyOf(original) === keyOf(replay) ? 'same' : 'changed';
  return { original: line(original, mark), replay: { ...line(replay, mark), another: otherSecrets(original, replay) } };
}

/** Returns the kinds of secrets that stand at the same places of two texts and are not the same. */
function otherSecrets(original: RedactedText, replay: RedactedText): SecretReference['secret'][] {
  const [before, after] = [original, replay].map((text) => text.filter((part) => typeof part !== 'string'));
  const others = after?.filter(
    ({ secret, id }, index) => before?.[index]?.secret === secret && before[index].id !== id,
  );
  return [...new Set(others?.map(({ secret }) => secret))];
}

function compareHeaders(original: Response['headers'], replay: Response['headers']): Sides {
  const numbered = (headers: Response['headers']) => {
    const counts = new Map<string, number>();
    return headers.map(([name, value]) => {
      const key = name.toLowerCase();
      const number = counts.get(key) ?? 0;
      counts.set(key, number + 1);
      return { key: `${key} ${number}`, isVolatile: volatile.has(key), value, text: [`${name}: `, ...value] };
    });
  };
  const [before, after] = [numbered(original), numbered(replay)];
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
  return { original: side(before, after, 'removed'), replay: side(after, before, 'added') };
}

function compareLines(original: readonly RedactedText[], replay: readonly RedactedText[]): Sides {
  const sides: Sides = { original: [], replay: [] };
  let [before, after] = [0, 0];
  /** Lines stand for each other as far as both sides have some. The rest is on one side only. */
  const replace = (removed: number, added: number): void => {
    for (let index = 0; index < Math.max(removed, added); index += 1) {
      const [left, right] = [original[before + index], replay[after + index]];
      const both = index < removed && index < added;
      if (left && index < removed) sides.original.push(line(left, both ? 'changed' : 'removed'));
      if (!right || index >= added) continue;
      const another = left && both ? otherSecrets(left, right) : [];
      sides.replay.push({ text: right, mark: both ? 'changed' : 'added', another });
    }
    before += removed;
    after += added;
  };
  const changes = diffArrays(original.map(keyOf), replay.map(keyOf), { maxEditLength: mostEdits });
  let removed = 0;
  let added = 0;
  for (const change of changes ?? []) {
    if (change.removed) removed += change.count;
    else if (change.added) added += change.count;
    else {
      replace(removed, added);
      [removed, added] = [0, 0];
      for (let index = 0; index < change.count; index += 1) {
        const pair = comparePair(original[before + index] ?? [], replay[after + index] ?? []);
        sides.original.push(pair.original);
        sides.replay.push(pair.replay);
      }
      before += change.count;
      after += change.count;
    }
  }
  replace(original.length - before, replay.length - after);
  return sides;
}

function alone(response: Response): ComparedAnswer {
  const { lines, isCut } = bodyOf(response.body);
  return {
    status: line(statusOf(response), 'same'),
    headers: response.headers.map(([name, value]) => line([`${name}: `, ...value], 'same')),
    body: lines.map((text) => line(text, 'same')),
    isCut,
  };
}

const statusOf = ({ httpVersion, status, statusText }: Response): RedactedText => [
  `HTTP/${httpVersion} ${status} `,
  ...statusText,
];

/** Puts a body into lines, with JSON made readable. `whole` is equal for two bodies that do not differ anywhere. */
function bodyOf(body: RedactedBody): { lines: RedactedText[]; isCut: boolean; whole: string } {
  if (body.form === 'binary') {
    return { lines: binaryLines(body).map((text) => [text]), isCut: false, whole: body.sha256 ?? body.base64 };
  }
  if (body.bytes === 0) return { lines: [], isCut: false, whole: '' };
  const text = prettyJson(body.text) ?? body.text;
  const all = linesOf(text);
  const lines = all.slice(0, mostLines).map((each) => beginningOf(each, longestLine));
  const isCut = all.length > mostLines || lines.some((each, index) => keyOf(each) !== keyOf(all[index] ?? []));
  return { lines, isCut, whole: keyOf(text) };
}

function linesOf(text: RedactedText): RedactedText[] {
  const lines: RedactedText[] = [[]];
  for (const part of text) {
    const [first = '', ...others] = typeof part === 'string' ? part.split(/\r?\n/) : [part];
    lines.at(-1)?.push(first);
    for (const each of others) lines.push([each]);
  }
  return lines;
}
