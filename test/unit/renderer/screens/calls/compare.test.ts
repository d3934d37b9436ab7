import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedCall, RedactedText, SecretReference } from '../../../../../preload/contract/calls.ts';
import {
  compareResponses,
  compareRequests,
  type ComparedMessage,
} from '../../../../../renderer/screens/calls/compare.ts';

type Response = NonNullable<RecordedCall['response']>;

const token = (id: string): SecretReference => ({ secret: 'token', id });
const response = (text: RedactedText, part: Partial<Response> = {}): Response => ({
  status: 200,
  httpVersion: '1.1',
  headers: [],
  body: { form: 'text', text, bytes: 1 },
  ...part,
});
const said = (lines: ComparedMessage['body'] | undefined): string[] =>
  (lines ?? []).map(
    ({ mark, text }) => `${mark} ${text.map((part) => (typeof part === 'string' ? part : `<${part.id}>`)).join('')}`,
  );

describe('two answers', () => {
  it('of the same lines do not differ, in whatever blanks their JSON is written', () => {
    const { differences, other } = compareResponses(response(['{"a":1,"b":[]}']), response(['{ "a": 1,\n"b": [ ] }']));
    expect(differences).toBe(0);
    expect(said(other?.body)).toEqual(['same {', 'same   "a": 1,', 'same   "b": []', 'same }']);
  });

  it('have lines that were added, removed or changed, each counted once', () => {
    const { differences, original, other } = compareResponses(
      response(['{"a":1,"b":2,"c":3,"e":5}']),
      response(['{"a":1,"b":9,"c":3,"d":4,"e":5}'], { status: 201 }),
    );
    expect(said(original?.body)).toEqual([
      'same {',
      'same   "a": 1,',
      'changed   "b": 2,',
      'same   "c": 3,',
      'same   "e": 5',
      'same }',
    ]);
    expect(said(other?.body)).toEqual([
      'same {',
      'same   "a": 1,',
      'changed   "b": 9,',
      'same   "c": 3,',
      'added   "d": 4,',
      'same   "e": 5',
      'same }',
    ]);
    expect([original?.first.mark, other?.first.mark]).toEqual(['changed', 'changed']);
    expect(differences).toBe(3);
    expect(said(compareResponses(response(['a\nb\nc']), response(['a\nc'])).original?.body)).toEqual([
      'same a',
      'removed b',
      'same c',
    ]);
  });

  it('are compared header by header, whatever their order and case, and what differs each time is no difference', () => {
    const headers = (...list: [string, string][]) => ({
      headers: list.map(([name, value]): [string, RedactedText] => [name, [value]]),
    });
    const { differences, original, other } = compareResponses(
      response([], headers(['Date', '1'], ['X-A', '1'], ['X-A', '2'], ['X-Old', '1'], ['Allow', 'GET'])),
      response([], headers(['allow', 'GET'], ['x-a', '1'], ['X-A', '3'], ['X-New', '1'], ['Date', '2'])),
    );
    expect(said(original?.headers)).toEqual([
      'expected Date: 1',
      'same X-A: 1',
      'changed X-A: 2',
      'removed X-Old: 1',
      'same Allow: GET',
    ]);
    expect(said(other?.headers)).toEqual([
      'same allow: GET',
      'same x-a: 1',
      'changed X-A: 3',
      'added X-New: 1',
      'expected Date: 2',
    ]);
    expect(differences).toBe(3);
  });

  it('that differ further on than is shown are not said to be the same', () => {
    const lines = (last: string): RedactedText => [`${'line\n'.repeat(1500)}${last}`];
    expect(compareResponses(response(lines('a')), response(lines('b')))).toMatchObject({
      differences: 1,
      differsFurther: true,
      other: { isCut: true },
    });
    expect(compareResponses(response(lines('a')), response(lines('a')))).toMatchObject({
      differences: 0,
      differsFurther: false,
    });
    const picture = (sha256: string) => ({ form: 'described' as const, type: 'image/png', bytes: 601, sha256 });
    expect(
      compareResponses(response([], { body: picture('aa') }), response([], { body: picture('bb') })),
    ).toMatchObject({
      differences: 1,
      differsFurther: false,
    });
  });

  it('of which one never came are one difference', () => {
    expect(compareResponses(response(['a']), undefined)).toMatchObject({
      differences: 1,
      original: { body: [{ mark: 'same' }] },
    });
    expect(compareResponses(undefined, undefined)).toMatchObject({ differences: 0 });
  });

  it('lose and invent no line, whatever they hold', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '{', ''), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [left, right] = [before.join('\n'), after.join('\n')];
        const { original, other, differences } = compareResponses(response([left]), response([right]));
        const plain = (side: ComparedMessage | undefined) =>
          said(side?.body)
            .map((each) => each.slice(each.indexOf(' ') + 1))
            .join('\n');
        expect([plain(original), plain(other)]).toEqual([left, right]);
        expect(differences === 0).toBe(left === right);
        const changed = (side: ComparedMessage | undefined) =>
          side?.body.filter(({ mark }) => mark === 'changed').length;
        expect(changed(original)).toBe(changed(other));
      }),
    );
  });
});

describe('two requests', () => {
  const request = (head: RedactedText, body: RedactedText): RecordedCall['request'] => ({
    method: 'POST',
    url: ['http://shop.example.test/api'],
    head: { text: head, source: 'as-written' },
    body: { form: 'text', text: body, bytes: 1 },
  });

  it('are compared by their lines, headers by their names, and secrets by what they are', () => {
    const { differences, original, other } = compareRequests(
      request(['POST /api HTTP/1.1\r\nAccept: a\r\nAuthorization: Bearer ', token('1'), '\r\n\r\n'], ['{"a":1}']),
      request(['POST /api HTTP/1.1\r\nAuthorization: Bearer ', token('2'), '\r\nHost: h\r\n\r\n'], ['{"a":2}']),
    );
    expect(differences).toBe(3);
    expect([original?.first.mark, other?.first.mark]).toEqual(['same', 'same']);
    expect(said(original?.headers)).toEqual(['removed Accept: a', 'same Authorization: Bearer <1>']);
    expect(said(other?.headers)).toEqual(['same Authorization: Bearer <2>', 'added Host: h']);
    expect(other?.headers[0]?.another).toEqual(['token']);
    expect(said(other?.body)).toEqual(['same {', 'changed   "a": 2', 'same }']);
  });
});
