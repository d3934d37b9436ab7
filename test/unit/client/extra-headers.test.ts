import * as fc from 'fast-check';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { describe, expect, it } from 'vitest';
import { headersProblem, headersToAdd, isBelow, trimmedHeader } from '../../../main/client/extra-headers.ts';

const one = (name: string, value = 'a value', isKept = false) => headersProblem([{ name, value, isKept }])?.problem;

describe('an extra header', () => {
  it.each(['CF-Access-Client-Id', 'cf-access-client-secret', 'X-Api-Key', 'apikey', "x!#$%&'*+.^_`|~9", '__proto__'])(
    'may be called %s',
    (name) => {
      expect(one(name)).toBeUndefined();
    },
  );

  it.each(
    ['Authorization', 'Proxy-Authorization', 'Cookie', 'Host', 'Content-Type', 'Content-Length', 'Content-Anything']
      .concat(['Connection', 'Transfer-Encoding', 'TE', 'Upgrade', 'Expect', 'Accept', 'Keep-Alive', 'Trailer'])
      .flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]),
  )('may not have the name of a header that Llavero or HTTP sets: %s', (name) => {
    expect(one(name)).toBe('name-taken');
  });

  it.each(['Accept-Language', 'X-Host', 'Hostname', 'X-Content-Type', 'Tea', 'Connections', 'Expected'])(
    'is not refused because of a name like theirs: %s',
    (name) => {
      expect(one(name)).toBeUndefined();
    },
  );

  it.each(['X Key', 'X-Key:', 'X-Key\r\nEvil', 'Clé', 'X\u0000', '(x)', 'a/b', '"x"', 'x,y', '🔑', 'X-Key ​'])(
    'has a token of HTTP as its name, unlike %j',
    (name) => {
      expect(one(name)).toBe('name-characters');
    },
  );

  it.each(['a\r\nX-Evil: 1', 'a\nb', 'a\u0000b', 'a\tb', 'a\u007fb', 'é', 'a\u2028b', '\ud800', 'pass\u00a0word'])(
    'has no control character and nothing beyond ASCII in its value: %j',
    (value) => {
      expect(one('X-Key', value)).toBe('value-characters');
    },
  );

  it('has a name and a value, unless one is kept', () => {
    expect(one('', 'x')).toBe('name-missing');
    expect(one('X-Key', '')).toBe('value-missing');
    expect(one('X-Key', '', true)).toBeUndefined();
    const blank = trimmedHeader({ name: ' X-Key\t', value: ' \t two words \t ', isKept: false });
    expect(blank).toEqual({ name: 'X-Key', value: 'two words', isKept: false });
  });

  it('is there once, whatever the case of its letters', () => {
    const header = (name: string) => ({ name, value: 'v', isKept: false });
    const wrong = headersProblem([header('X-Key'), header('X-Other'), header('x-KEY')]);
    expect(wrong).toEqual({ row: 2, problem: 'name-twice', name: 'x-KEY' });
    expect(headersProblem(Array.from({ length: 20 }, (_, at) => header(`X-${at}`)))).toBeUndefined();
    const many = Array.from({ length: 21 }, (_, at) => header(`X-${at}`));
    expect(headersProblem(many)).toMatchObject({ problem: 'too-many', row: 20 });
  });

  it('of a megabyte is refused at once, in name and value, and its text is not handed on', () => {
    for (const text of ['x', ' ', '\t', 'a\n', 'é', ' x'].map((each) => each.repeat(1_048_576 / each.length))) {
      const before = process.threadCpuUsage();
      const problems = [
        headersProblem([trimmedHeader({ name: text, value: 'v', isKept: false })]),
        headersProblem([trimmedHeader({ name: 'X-Key', value: text, isKept: false })]),
      ];
      // It takes some milliseconds, and would take minutes with a rule that is not linear.
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(5_000);
      for (const problem of problems) {
        expect(problem).toBeDefined();
        expect(JSON.stringify(problem).length).toBeLessThan(300);
      }
    }
  });

  it('that is accepted can be written by Node, and no text makes a second header', () => {
    const unit = fc.constantFrom(
      ...Array.from('aZ09-_:/(="é🔑'),
      ' ',
      '\t',
      '\r',
      '\n',
      '\0',
      '\u007f',
      '\u0085',
      '\u2028',
      '\ud800',
    );
    const text = fc.string({ unit, maxLength: 3 });
    const accepted: string[] = [];
    fc.assert(
      fc.property(text, text, (name, value) => {
        if (headersProblem([{ name, value, isKept: false }])) return;
        validateHeaderName(name);
        validateHeaderValue(name, value);
        accepted.push(`${name}: ${value}`);
      }),
      { numRuns: 300 },
    );
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.filter((line) => /[\r\n\0]/.test(line))).toEqual([]);
  });
});

describe('where extra headers go', () => {
  const base = 'https://staging.example.test/app';

  it.each(['/', '/api/v1/auth/login', '/x?y#z', '/a/../b'])('is below the base URL: %s', (rest) => {
    expect(isBelow(base + rest, base)).toBe(true);
  });

  it.each([
    'https://staging.example.test/app',
    'https://staging.example.test/apple/login',
    'https://staging.example.test/other',
    'https://staging.example.test/app/../other',
    'https://staging.example.test/app/%2e%2e/other',
    String.raw`https://staging.example.test/app/..\other`,
    'http://staging.example.test/app/x',
    'https://staging.example.test:8443/app/x',
    'https://staging.example.test.evil.test/app/x',
    'https://staging.example.test@evil.test/app/x',
    'https://evil.test/https://staging.example.test/app/x',
    'https://evil@staging.example.test/app/x',
    'not an address',
    '',
  ])('is nowhere else: %s', (url) => {
    expect(isBelow(url, base)).toBe(false);
    expect(isBelow(url, '')).toBe(false);
  });

  it('leaves a header that the call has itself', () => {
    const added = headersToAdd(
      [
        ['accept-language', 'es'],
        ['X-Key', 'v'],
      ],
      [['Accept-Language', 'en']],
    );
    expect(added).toEqual([['X-Key', 'v']]);
  });
});
