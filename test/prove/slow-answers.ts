import { operations, type Operation } from '../../preload/contract/names.ts';
import type { HeaderList } from '../../main/client/call.ts';
import type { Random } from './random.ts';
import { attacksOn, textOf, type Attack, type Written } from './slow-patterns.ts';

/** An answer in few words: what it is made of and how, so that it can be printed, changed a little, and made again. */
export type AnswerShape = Attack & {
  operation: Operation;
  status: number;
  container: Container;
  /** The names that the body has its texts under, from the outside in. */
  names: readonly [outer: string, inner: string];
  /** Characters of one text where the container holds many, and levels where it holds levels. */
  width: number;
  header: string;
};

/** It is sent with every request, so it is looked for in every answer. */
export const password = 'kR7-never-to-be-seen-again-2xQ';

export type HostileAnswer = { status: number; headers: HeaderList; body: Buffer };

type Container = keyof typeof containers;
type Fill = (shape: AnswerShape, size: number) => string;

/** Node refuses an answer with a longer head, and leaves out further headers. */
const headBytes = 15_000;
const mostHeaders = 1900;

const json = (value: unknown): string => JSON.stringify(value);

/** Makes as many pieces as there is room for. */
function many(size: number, piece: (index: number) => string): string[] {
  const pieces: string[] = [];
  for (let length = 0; ;) {
    const next = piece(pieces.length);
    length += next.length + 1;
    if (length > size) return pieces;
    pieces.push(next);
  }
}

/** Makes a list under the outer name. */
const listed =
  (piece: (shape: AnswerShape, text: string, index: number) => string): Fill =>
  (shape, size) => {
    const text = textOf(shape, shape.width);
    const items = many(size - shape.names[0].length - 10, (index) => piece(shape, text, index));
    return `{${json(shape.names[0])}:[${items.join()}]}`;
  };

/** These are the ways in which a body holds texts. */
const containers = {
  text: textOf,
  html: (shape, size) => `<html>${textOf(shape, size - 6)}`,
  'broken JSON': (shape, size) => `{"${textOf(shape, size - 2)}`,
  'one text': (shape, size) => json(textOf(shape, size - 2)),
  value: (shape, size) => `{${json(shape.names[0])}:${json(textOf(shape, size))}}`,
  'inner value': (shape, size) =>
    `{${json(shape.names[0])}:{${json(shape.names[1])}:${json(textOf(shape, size))},"message":${json(shape.end)}}}`,
  'list of texts': listed((_, text) => json(text)),
  'list of objects': listed(({ names }, text, index) => `{${json(names[1])}:${json(text + index)}}`),
  'list of errors': listed(
    ({ names, end }, text, index) => `{${json(names[1])}:${json(text)},"message":${json(end + index)}}`,
  ),
  'list of empties': listed((_, __, index) => (index % 2 === 0 ? '{}' : '[]')),
  'list at the top': ({ names, width, ...attack }, size) =>
    `[${many(size - 2, () => `{${json(names[1])}:${json(textOf(attack, width))}}`).join()}]`,
  map: (shape, size) => {
    const text = textOf(shape, shape.width);
    return `{${json(shape.names[0])}:{${many(size - 60, (index) => `${json(text + index)}:${json(shape.end)}`).join()}}}`;
  },
  'map of numbers': ({ names: [name], width }, size) =>
    `{${json(name)}:{${many(size - 60, (index) => `"${index * (width + 1)}":1`).join()}}}`,
  'long name': (shape, size) => `{${json(shape.names[0])}:{${json(textOf(shape, size - 40))}:${json([shape.end])}}}`,
  levels: (shape, size) => {
    const open = `{${json(shape.names[0])}:`;
    const levels = Math.min(shape.width, Math.floor(size / (open.length + 1)));
    return open.repeat(levels) + json(textOf(shape, size - levels * (open.length + 1))) + '}'.repeat(levels);
  },
  'levels of lists': (shape, size) => {
    const levels = Math.min(shape.width, 60);
    const texts = many(size - 2 * levels, () => json(shape.pump)).join();
    return '['.repeat(levels) + texts + ']'.repeat(levels);
  },
  'JSON in a text': (shape, size) => {
    const inner = `{${json(shape.names[1])}:[${many(size / 2, () => json(textOf(shape, shape.width))).join()}]}`;
    return `{${json(shape.names[0])}:${json(inner)}}`;
  },
  'one header': () => '',
  'many headers': () => '',
} satisfies Record<string, Fill>;

/** Makes the answer of a shape, with a body of at most `size` bytes. */
export function answerOf(shape: AnswerShape, size: number): HostileAnswer {
  const isAllHeaders = shape.container === 'one header';
  const value = textOf(shape, isAllHeaders ? Math.min(headBytes, size) : Math.min(shape.width, 1000))
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, headBytes);
  const headers: [string, string][] = [
    ['Content-Type', shape.container === 'html' ? 'text/html' : 'application/json'],
    [shape.header, value],
  ];
  if (shape.container === 'many headers') {
    for (let count = 0; count < Math.min(mostHeaders, size / 4); count++)
      headers.push([`x${count % shape.width}`, 'a']);
  }
  const body = Buffer.from(containers[shape.container](shape, size).toWellFormed());
  return { status: shape.status, headers, body: body.subarray(0, size) };
}

/** The rules for reading look for these words and patterns of their own. */
export type Dictionary = { words: string[]; patterns: RegExp[] };

export function dictionaryOf(written: readonly Written[]): Dictionary {
  const texts = written.flatMap((each) => ('text' in each ? each.text.trim().split(/\s+/) : []));
  return {
    words: [...new Set(texts)].filter((word) => /^[\w.:-]{1,40}$/.test(word)),
    patterns: written.flatMap((each) => ('pattern' in each ? [each.pattern] : [])),
  };
}

const statuses = [200, 201, 206, 302, 400, 401, 403, 404, 419, 422, 429, 500, 503];
const headerNames = 'location retry-after set-cookie www-authenticate ratelimit ratelimit-reset date refresh server'
  .concat(' x-ratelimit-reset authorization access-token cache-control content-type cf-ray x-iinfo')
  .split(' ');

/** Many rules read what is under one of these. */
const telling = 'errors error message detail data user token msg details name email password _errors children fields'
  .concat(' path field validation violations loc property constraints issues status success')
  .split(' ');

/** These end what a pattern began, keep it going, or cost something themselves. */
const characters = [
  ' ',
  '\n',
  '\0',
  '"',
  '\\',
  '/',
  '<',
  '&#',
  ':',
  '.',
  '1',
  'a',
  '=',
  '|',
  'é',
  'e\u0301',
  '😀',
  '\ud800',
];
const costly = [
  '$2a$10$',
  '$argon2id$',
  'eyJh.eyJh.',
  '1|abcdefghij',
  'at a:1:1\n',
  '#1 a.php',
  '<meta ',
  '{"a":',
  '[[',
  '\\u0061',
];

const widths = [0, 1, 3, 10, 30, 60, 200, 500, 2000, 10_000];

/** Draws shapes: new ones, and some that differ a little from one that is known. */
export function createGrammar({ words, patterns }: Dictionary, seed: number, { whole, chance }: Random) {
  const pick = <T>(from: readonly T[]): T => from[whole(0, from.length)]!;
  const attacks = new Map<RegExp, readonly Attack[]>();
  const piece = (): string => pick(chance(0.5) ? characters : chance(0.5) ? costly : words);
  const attack = (): Attack => {
    if (chance(0.4)) return { start: chance(0.5) ? '' : piece(), pump: piece(), end: chance(0.5) ? '' : piece() };
    const pattern = pick(patterns);
    const known = attacks.get(pattern) ?? attacksOn(pattern, seed);
    attacks.set(pattern, known);
    return pick(known);
  };
  const name = (): string => pick(chance(0.6) ? telling : words);
  const genes: readonly (() => Partial<AnswerShape>)[] = [
    attack,
    () => ({ operation: pick(operations) }),
    () => ({ status: pick(statuses) }),
    () => ({ container: pick(Object.keys(containers) as Container[]) }),
    () => ({ names: [name(), name()] }),
    () => ({ width: pick(widths) }),
    () => ({ header: pick(headerNames) }),
  ];
  const draw = (drawn: typeof genes): Partial<AnswerShape> => Object.assign({}, ...drawn.map((gene) => gene()));
  return {
    fresh: (): AnswerShape => draw(genes) as AnswerShape,
    changed: (shape: AnswerShape): AnswerShape => ({
      ...shape,
      ...draw([pick(genes), ...(chance(0.4) ? [pick(genes)] : [])]),
    }),
  };
}
