import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RedactedText } from '../../../../preload/contract/calls.ts';
import { tokenize, splitLines, placesOfLines } from '../../../../renderer/answers/json-lines.ts';
import { lengthOf, formatJson } from '../../../../renderer/answers/redacted-text.ts';

const linesOfJson = (value: unknown): RedactedText[] => splitLines(formatJson([JSON.stringify(value)]) ?? []);
const plain = (line: RedactedText): string => line.map((part) => (typeof part === 'string' ? part : '*')).join('');

describe('the places of lines', () => {
  it('are named as main names them', () => {
    const lines = linesOfJson({
      data: { user: [{ email: 'a' }, { email: 'b' }], n: 1 },
      message: 'x',
      empty: {},
      none: [],
    });
    const places = placesOfLines(lines);
    expect(lines.map((line, index) => [plain(line).trim(), places[index]])).toEqual([
      ['{', 'body'],
      ['"data": {', 'data'],
      ['"user": [', 'data.user'],
      ['{', 'data.user[0]'],
      ['"email": "a"', 'data.user[0].email'],
      ['},', undefined],
      ['{', 'data.user[1]'],
      ['"email": "b"', 'data.user[1].email'],
      ['}', undefined],
      ['],', undefined],
      ['"n": 1', 'data.n'],
      ['},', undefined],
      ['"message": "x",', 'message'],
      ['"empty": {},', 'empty'],
      ['"none": []', 'none'],
      ['}', undefined],
    ]);
    expect(placesOfLines(linesOfJson([{ token: 't' }]))).toEqual([
      'body',
      'body[0]',
      'body[0].token',
      undefined,
      undefined,
    ]);
  });

  it('are found beside secrets, and for keys and values that look like brackets and signs', () => {
    const text: RedactedText = ['{"a{\\"":"}",": ":{"token":"', { secret: 'token', id: 't' }, '"},"last":"x: ["}'];
    expect(placesOfLines(splitLines(formatJson(text) ?? []))).toEqual([
      'body',
      'a{"',
      ': ',
      ': .token',
      undefined,
      'last',
      undefined,
    ]);
  });

  it('are none where a text is nothing but brackets', () => {
    expect(placesOfLines([['['.repeat(100_000)]])).toEqual([undefined]);
  });

  it('stand for every value of any JSON', () => {
    const keys = fc.string({ minLength: 1 }).filter((key) => !/[.[\]]/.test(key) && key !== 'body');
    const countOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Object.values(value).reduce<number>((count, each) => count + countOf(each), 0)
        : 1;
    fc.assert(
      fc.property(
        fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, noNullPrototype: true }),
        (value) => {
          const places = placesOfLines(linesOfJson(value)).filter((place) => place !== undefined);
          expect(places).toHaveLength(countOf(value));
        },
      ),
    );
  });
});

describe('a line with its colours', () => {
  it('says what is key, text, number and sign', () => {
    expect(tokenize(['  "a": "x",'])).toEqual([
      { kind: 'sign', text: ['  '] },
      { kind: 'key', text: ['"a"'] },
      { kind: 'sign', text: [': '] },
      { kind: 'string', text: ['"x"'] },
      { kind: 'sign', text: [','] },
    ]);
    expect(tokenize(['  "a": ', { secret: 'token', id: 't' }, ',']).map(({ kind }) => kind)).toEqual([
      'sign',
      'key',
      'sign',
      'number',
      'sign',
    ]);
    expect(tokenize(['"a": [null, -1.50e+2, true]']).flatMap(({ text }) => text)).toEqual([
      '"a"',
      ': [',
      'null',
      ', ',
      '-1.50e+2',
      ', ',
      'true',
      ']',
    ]);
  });

  it('loses nothing of any line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const line of linesOfJson({ value })) {
          const tokens = tokenize(line).flatMap(({ text }) => text);
          expect(plain(tokens)).toBe(plain(line));
          expect(lengthOf(tokens)).toBe(lengthOf(line));
        }
      }),
    );
  });
});
