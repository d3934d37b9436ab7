import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  JsonTokens,
  isList,
  isNumber,
  isJsonObject,
  numberOf,
  readJson,
  serializeJson,
  type JsonValue,
} from '../../../main/client/reading/json.ts';

/** The value as JavaScript has it, with the digits that a number was sent with. */
const plain = (value: JsonValue): unknown => {
  if (isNumber(value)) return typeof value === 'number' ? value : value.digits;
  if (isList(value)) return value.map(plain);
  return isJsonObject(value) ? new Map([...value.values].map(([key, inner]) => [key, plain(inner)])) : value;
};
const whole = { opensTexts: false, mostNodes: Infinity };
const read = (text: string) => {
  const found = readJson(text, whole);
  return found && plain(found.json);
};

/** What `JSON.parse` makes of the same text, in the same form. Undefined where it refuses it. */
function parsed(text: string): unknown {
  const inMaps = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inMaps)
      : typeof value === 'object' && value !== null
        ? new Map(Object.keys(value).map((key) => [key, inMaps(Reflect.get(value, key))]))
        : value;
  try {
    return inMaps(JSON.parse(text));
  } catch {
    return undefined;
  }
}

describe('a number', () => {
  it.each([
    '1379505554728411138',
    '9007199254740993',
    '100.10',
    '1.0',
    '-0',
    '1e400',
    '-1E+5',
    '1E5',
    '9'.repeat(30),
    '0.1',
  ])('keeps its digits: %s', (digits) => {
    expect(read(`[${digits}]`)).toEqual([digits]);
    expect(serializeJson(readJson(`{"n":${digits}}`)!.json, () => undefined)).toBe(`{"n":${digits}}`);
    expect(numberOf(readJson(digits)!.json)).toBe(Number(digits));
  });

  it.each(['0', '7', '-7', '999999999999999', '-999999999999999'])(
    'is one of JavaScript where that is sure: %s',
    (digits) => {
      expect(read(digits)).toBe(Number(digits));
    },
  );

  it.each(['01', '-', '1.', '.5', '+1', '1e', '1e+', '0x1', '1_000', 'NaN', 'Infinity', '--1', '-a', '٣'])(
    'is not read in: %s',
    (digits) => {
      expect(read(digits)).toBeUndefined();
      expect(read(`[${digits}]`)).toBeUndefined();
    },
  );
});

describe('JSON', () => {
  it.each([
    '{"a":1,"a":2,"b":3}',
    '{"__proto__":{"x":1},"constructor":[],"":null}',
    String.raw`["\ud800","\u0041\n\/\"\\"," "]`,
    ' \t\r\n[ ] ',
    '"é😀"',
    '\u00A0[]',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '{a:1}',
    "['a']",
    '[1 2]',
    '[}',
    ']',
    '{"a":}',
    '"a\nb"',
    String.raw`"\x41"`,
    String.raw`"\u12g4"`,
    '"open',
    '"\\',
    'tru',
    'true1',
    'nullnull',
    '',
    ' ',
  ])('is what JSON.parse takes for JSON, with the same values: %j', (text) => {
    expect(read(text)).toEqual(parsed(text));
  });

  it('is read as JSON.parse reads it, also where it is broken anywhere', () => {
    const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
    const cut = fc.tuple(
      json,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', ',', '"', '{', '}', '[', ']', ':', '\\', '1', 'e', '\n'),
    );
    fc.assert(
      fc.property(cut, ([value, position, length, put]) => {
        const text = JSON.stringify(value);
        const at = position % (text.length + 1);
        for (const each of [text, JSON.stringify(value, null, 1), text.slice(0, at) + put + text.slice(at + length)]) {
          const ours = readJson(each, whole)?.json;
          expect(ours === undefined ? undefined : parsed(serializeJson(ours, () => undefined))).toEqual(parsed(each));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is read whatever its depth, and left out below the sixty-fourth level', () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    expect(readJson(deep)?.visited).toEqual({ nodes: 64, levels: 64 });
    expect(readJson(deep.slice(0, -1))).toBeUndefined();
    expect(readJson(`[${deep},7]`)?.visited).toEqual({ nodes: 65, levels: 64 });
  });

  it('that stands in a text counts as what it is, and one that is broken stays a text', () => {
    const inner = JSON.stringify({ list: [JSON.stringify({ n: 1.5 })] });
    const { json, visited } = readJson(JSON.stringify([inner, '{"a":', '[1] and so on']))!;
    expect(plain(json)).toEqual([new Map([['list', [new Map([['n', '1.5']])]]]), '{"a":', '[1] and so on']);
    expect(visited).toEqual({ nodes: 7, levels: 5 });
  });
});

describe('the parts of JSON', () => {
  it('stand where they were written', () => {
    const text = String.raw` {"a\n" : [ -1.50e2 ,"\"" ], "b":{}}`;
    const tokens = new JsonTokens(text);
    const parts: string[] = [];
    for (let token = tokens.next(); token !== 'end'; token = tokens.next())
      parts.push(`${token} ${text.slice(tokens.from, tokens.to)}`);
    expect(parts).toEqual([
      'object {',
      String.raw`key "a\n"`,
      'list [',
      'number -1.50e2',
      String.raw`string "\""`,
      'close ]',
      'key "b"',
      'object {',
      'close }',
      'close }',
    ]);
  });
});
