import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RedactedText, SecretReference } from '../../../../preload/contract/calls.ts';
import {
  beginningOf,
  createSecretNumbers,
  lengthOf,
  prettyJson,
  withPlainLines,
} from '../../../../renderer/answers/redacted-text.ts';

const token: SecretReference = { secret: 'token', id: 't' };
const password: SecretReference = { secret: 'password', id: 'p' };

describe('JSON in lines', () => {
  it('keeps references in strings, between texts of a string, and instead of numbers', () => {
    const text: RedactedText = ['{"a":"', token, '","b":["Bearer ', token, '!",', password, '],"c":{}}'];
    expect(prettyJson(text)).toEqual([
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
    expect(prettyJson(['{"n":12345678901234567890.10,"n":1e400,"é":"\\u00e9 \\" {,:}"}'])).toEqual([
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
    [['{"a":', token, token, '}']],
    [['{', token, ':1}']],
  ])('is not made of %j', (text) => {
    expect(prettyJson(text)).toBe(undefined);
  });

  it('says the same as JSON itself, whatever it holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        expect(prettyJson([JSON.stringify(value)])).toEqual([JSON.stringify(value, null, 2)]);
      }),
    );
  });

  it('does not grow without bounds with the depth of a body', () => {
    const levels = 5000;
    const text = prettyJson(['['.repeat(levels) + ']'.repeat(levels)]) ?? [];
    expect(lengthOf(text)).toBeGreaterThan(levels);
    expect(lengthOf(text)).toBeLessThan(1_000_000);
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
