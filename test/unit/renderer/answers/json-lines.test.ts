import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RedactedText } from '../../../../preload/contract/calls.ts';
import { tokenize, linesOf, placesOfLines } from '../../../../renderer/answers/json-lines.ts';
import { lengthOf, prettyJson } from '../../../../renderer/answers/redacted-text.ts';

const linesOfJson = (value: unknown): RedactedText[] => linesOf(prettyJson([JSON.stringify(value)]) ?? []);
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
    expect(placesOfLines(linesOf(prettyJson(text) ?? []))).toEqual([
      'body',
      'a{"',
      ': ',
      ': .token',
      undefined,
      'last',
      undefined,
    ]);
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
      { ink: 'sign', text: ['  '] },
      { ink: 'key', text: ['"a"'] },
      { ink: 'sign', text: [': '] },
      { ink: 'string', text: ['"x"'] },
      { ink: 'sign', text: [','] },
    ]);
    expect(tokenize(['  "a": ', { secret: 'token', id: 't' }, ',']).map(({ ink }) => ink)).toEqual([
      'sign',
      'key',
      'sign',
      'number',
      'sign',
    ]);
  });

  it('loses nothing of any line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const line of linesOfJson({ value })) {
          const inked = tokenize(line).flatMap(({ text }) => text);
          expect(plain(inked)).toBe(plain(line));
          expect(lengthOf(inked)).toBe(lengthOf(line));
        }
      }),
    );
  });
});
