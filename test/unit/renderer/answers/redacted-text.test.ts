import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RedactedText, SecretReference } from '../../../../preload/contract/calls.ts';
import {
  beginningOf,
  createSecretNumbers,
  lengthOf,
  formatJson,
  withPlainLines,
} from '../../../../renderer/answers/redacted-text.ts';

const token: SecretReference = { secret: 'token', id: 't' };
const password: SecretReference = { secret: 'password', id: 'p' };

describe('JSON in lines', () => {
  it('keeps references in strings, between texts of a string, and instead of numbers', () => {
    const text: RedactedText = ['{"a":"', token, '","b":["Bearer ', token, '!",', password, '],"c":{}}'];
    expect(formatJson(text)).toEqual([
      '{\n  "a": "',
      token,
      '",\n  "b": [\n    "Bearer ',
      token,
      '!",\n    ',
      password,
      '\n  ],\n  "c": {}\n}',
    ]);
  });

  it('changes no number and loses no name that stands twice', () => {
    expect(formatJson(['{"n":12345678901234567890.10,"n":1e400,"é":"\\u00e9 \\" {,:}"}'])).toEqual([
      '{\n  "n": 12345678901234567890.10,\n  "n": 1e400,\n  "é": "\\u00e9 \\" {,:}"\n}',
    ]);
  });

  it.each([
    [['<html></html>']],
    [['{"a":']],
    [['{"a":1} {']],
    [['"text"']],
    [['42']],
    [['']],
    [[]],
    [['{', token, ':1}']],
  ])('is not made of %j', (text) => {
    expect(formatJson(text)).toBe(undefined);
  });

  it('says the same as JSON itself, whatever it holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        expect(formatJson([JSON.stringify(value)])).toEqual([JSON.stringify(value, null, 2)]);
      }),
    );
  });

  it('is not made of a body that would grow without bounds, since it is too deep', () => {
    const deep = (levels: number): RedactedText => ['['.repeat(levels) + ']'.repeat(levels)];
    expect(lengthOf(formatJson(deep(40)) ?? [])).toBeGreaterThan(1600);
    expect(formatJson(deep(41))).toBe(undefined);
    expect(formatJson(['["', '[{'.repeat(5000), '"]'])).toHaveLength(1);
  });

  it('keeps secrets apart from any digits around them, and beside each other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.stringMatching(/^[07]{0,30}$/), fc.constantFrom(token, password)), { minLength: 1 }),
        (parts) => {
          const text: RedactedText = ['{"a":"', ...parts, '"}'];
          const formatted = formatJson(text) ?? [];
          const plain = (all: RedactedText) => all.map((part) => (typeof part === 'string' ? part : part.id)).join('');
          expect(plain(formatted)).toBe(plain(text).replace('{"a":"', '{\n  "a": "').replace(/"}$/, '"\n}'));
        },
      ),
    );
    expect(formatJson(['{"a":', token, token, '}'])).toEqual(['{\n  "a": ', token, token, '\n}']);
  });

  it('has plain line ends, and no mark of its byte order', () => {
    expect(formatJson(['\uFEFF{\r\n"a":\r\n1}\r\n'])).toEqual(['{\n  "a": 1\n}']);
  });
});

describe('a redacted text', () => {
  it('can be cut anywhere, and a reference is never cut', () => {
    const text: RedactedText = ['abc', token, 'def'];
    expect(lengthOf(text)).toBe(7);
    expect(beginningOf(text, 3)).toEqual(['abc']);
    expect(beginningOf(text, 4)).toEqual(['abc', token]);
    expect(beginningOf(text, 5)).toEqual(['abc', token, 'd']);
    expect(beginningOf(text, 99)).toEqual(text);
  });

  it('shows a head by its lines', () => {
    expect(withPlainLines(['GET / HTTP/1.1\r\nAuthorization: Bearer ', token, '\r\nHost: a\r\n\r\n'])).toEqual([
      'GET / HTTP/1.1\nAuthorization: Bearer ',
      token,
      '\nHost: a',
    ]);
  });
});

describe('the numbers of secrets', () => {
  it('are the same for the same one, and count for each kind by itself', () => {
    const numbers = createSecretNumbers();
    expect([token, password, { ...token, id: 'u' }, token].map((each) => numbers.of(each))).toEqual([1, 1, 2, 1]);
  });
});
