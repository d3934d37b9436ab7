import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson, pointerOf, valueAtPointer, redactJson } from '../../../main/client/reading/json-text.ts';

import { jwt } from '../../support/answer-lines.ts';

const hide = (text: string) => redactJson(text);

describe('JSON without its secrets', () => {
  it.each([
    ['{"a": 1.0, "password" : "x",\n"b":[ 1e400 ]}', '{"a": 1.0, "password" : null,\n"b":[ 1e400 ]}', ['password']],
    [`[{"x":"${jwt}"},"41|q8ZrT3vLmN6xWc0Ks5Yb"]`, '[{"x":null},null]', ['[0].x', '[1]']],
    [
      '{"tokens":[{"id":7,"expires_at":"x"},"y"]}',
      '{"tokens":[{"id":null,"expires_at":"x"},null]}',
      ['tokens[0].id', 'tokens[1]'],
    ],
    [
      '{"pin":1234,"pin":"","secret":null,"has_password":true}',
      '{"pin":null,"pin":"","secret":null,"has_password":true}',
      ['pin'],
    ],
    [String.raw`{"t":"{\"pin\":\"1\",\"a\":2}"}`, String.raw`{"t":"{\"pin\":null,\"a\":2}"}`, ['t.pin']],
    ['{"a":1,"a":2}', '{"a":1,"a":2}', []],
    ['7', '7', []],
  ])('is as it was sent: %s', (text, safe, leftOut) => {
    expect(hide(text)).toEqual({ text: safe, leftOut, leftOutMore: 0 });
  });

  it('is not made of a text that is no JSON', () => {
    for (const text of ['{"a":', '', 'x', '{"a":1}}']) expect(hide(text)).toBeUndefined();
  });

  it('names a thousand places and counts the others, however deep they are', () => {
    const many = hide(`[${Array.from({ length: 1200 }, () => '{"pin":1}').join()}]`)!;
    expect([many.leftOut.length, many.leftOutMore]).toEqual([1000, 200]);
    const deep = hide(`${'{"a":'.repeat(50_000)}{"pin":1}${'}'.repeat(50_000)}`)!;
    expect(deep.leftOut[0]!.length).toBeLessThan(200);
  });
});

describe('a place in JSON', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const placesIn = (value: unknown, names: (string | number)[]): [(string | number)[], unknown][] => [
    [names, value],
    ...(typeof value === 'object' && value !== null
      ? Object.keys(value).flatMap((key) =>
          placesIn(Reflect.get(value, key), [...names, Array.isArray(value) ? Number(key) : key]),
        )
      : []),
  ];

  it('has what was written there', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, pretty) => {
        const text = JSON.stringify(value, undefined, pretty ? 1 : 0);
        for (const [names, inner] of placesIn(value, [])) {
          const found = valueAtPointer(text, pointerOf(names));
          expect(typeof inner === 'string' ? found : JSON.parse(found!)).toEqual(inner);
        }
      }),
    );
  });

  it.each([
    ['{"a":1,"a":[2.0 ]}', '/a', '[2.0 ]'],
    ['{"a":{"b":1}}', '/b', undefined],
    ['{"a":1}', '/a/b', undefined],
    [String.raw`{"body":"{\"user\":{\"id\":1.0}}"}`, '/body/user/id', '1.0'],
    ['{"~/":{"":"x"}}', '/~0~1/', 'x'],
  ])('of %s at %s', (text, pointer, value) => {
    expect(valueAtPointer(text, pointer)).toBe(value);
  });
});

it('JSON is put into lines as JSON.stringify does it, with its own digits and equal names', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
  expect(indentJson('{"a":1.0,"a":[ ]}', 1)).toBe('{\n    "a": 1.0,\n    "a": []\n  }');
  const deep = 20_000;
  expect(indentJson('['.repeat(deep) + ']'.repeat(deep)).length).toBeLessThan(deep * 200);
});
