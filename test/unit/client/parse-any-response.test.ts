import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../preload/contract/names.ts';
import { parseResponse } from '../../../main/client/parse-response.ts';
import { allAnswers, jwt, pipe, read } from '../../support/answer-lines.ts';

describe('the reading of any body at all', () => {
  const key = fc.oneof(
    fc.constantFrom(
      'token',
      'access_token',
      'data',
      'user',
      'errors',
      'error',
      'message',
      'status',
      'refresh_token',
      'refreshToken',
      'csrf_token',
      '_token',
      'xsrf',
      'authenticity_token',
      'tokens',
      'refresh',
      'session',
      'detail',
      'loc',
      '__proto__',
      'constructor',
      'toString',
      'id',
      'name',
      'email',
      'path',
      'constraints',
      'children',
      'meta',
      'code',
      'attributes',
    ),
    fc.string({ maxLength: 8 }),
  );
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom(pipe, jwt, 'false', '0', ''),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { body: anyBody } = fc.letrec((tie) => ({
    body: fc.oneof(
      { depthSize: 'medium', maxDepth: 6 },
      leaf,
      fc.array(tie('body'), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie('body')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const operation = fc.constantFrom(...operations);
  const status = fc.oneof(
    fc.constantFrom(200, 201, 204, 206, 302, 401, 403, 422, 429, 500),
    fc.integer({ min: 0, max: 999 }),
  );
  const headers = fc.dictionary(
    fc.constantFrom('Retry-After', 'Date', 'Location', 'authorization', 'X-RateLimit-Reset', 'WWW-Authenticate'),
    fc.oneof(fc.string(), fc.constantFrom('5', 'Basic x', '/login', `Bearer ${pipe}`)),
  );

  it('never throws and answers with the keys it promises', () => {
    const keys = new Set(['ok', 'message', 'user', 'token', 'fieldErrors', 'retryAfterSeconds']);
    fc.assert(
      fc.property(operation, status, headers, fc.oneof(anyBody, fc.anything(), fc.string()), (...sent) => {
        const [op, code, head, body] = sent;
        const { summary } = parseResponse(op, { status: code, headers: head, body });
        expect(Object.keys(summary).filter((each) => !keys.has(each))).toEqual([]);
        expect(Object.values(summary)).not.toContain(undefined);
        expect(op !== 'login' || !summary.ok || summary.token).toBeTruthy();
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws on a known shape with a part cut out or replaced', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allAnswers), fc.nat(), fc.nat(400), leaf, (line, position, length, value) => {
        const { operation: op, status: code, headers: head, body } = line;
        const text = JSON.stringify(body);
        const start = position % text.length;
        const cut = text.slice(0, start) + JSON.stringify(value) + text.slice(start + length);
        expect(typeof parseResponse(op, { status: code, headers: head, body: cut }).summary.ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });

  it('never takes a token from a field that refreshes or protects', () => {
    const forbidden = fc.constantFrom(
      'refresh',
      'refresh_token',
      'refreshToken',
      'RefreshToken',
      'csrf',
      'csrf_token',
      'csrfToken',
      '_token',
      'authenticity_token',
      'authenticityToken',
      'xsrf_token',
      'token_csrf',
      'tokenRefresh',
      'mfa_token',
      'logoutToken',
    );
    const planted = fc.oneof(fc.constant(`9|${'planted'.repeat(4)}`), fc.constant(`Bearer ${jwt}`));
    const wrap = fc.array(fc.constantFrom('data', 'tokens', 'user', 'session', 'token', 'x'), { maxLength: 4 });
    fc.assert(
      fc.property(forbidden, planted, wrap, fc.boolean(), (name, secret, path, nested) => {
        const value: unknown = nested ? { token: secret, access_token: [secret] } : secret;
        const body = path.reduceRight<unknown>((inner, each) => ({ [each]: inner }), { [name]: value });
        expect(read('login', 200, body).summary).not.toHaveProperty('token');
      }),
    );
  });

  it('visits at most 20 000 values and 64 levels', () => {
    const wide = { errors: Array.from({ length: 100_000 }, (_each, index) => ({ field: `f${index}`, message: 'm' })) };
    const deep = `${'{"data":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const lists = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const body of [wide, deep, lists, Array.from({ length: 50_000 }, () => 0)]) {
      for (const op of operations) {
        const { nodes, levels } = read(op, 422, body).trace.visited;
        expect(nodes).toBeLessThanOrEqual(20_000);
        expect(levels).toBeLessThanOrEqual(64);
      }
    }
  });

  it('goes exactly as far as those limits', () => {
    const deep = `${'{"data":'.repeat(1_000)}1${'}'.repeat(1_000)}`;
    expect(read('login', 200, deep).trace.visited).toEqual({ nodes: 64, levels: 64 });
    const wide = Array.from({ length: 50_000 }, () => 0);
    expect(read('login', 200, wide).trace.visited).toEqual({ nodes: 20_000, levels: 2 });
  });

  it('is not confused by a server that sends names of object internals', () => {
    const body = JSON.parse('{"errors":{"__proto__":["polluted"],"constructor":["x"],"email":["taken"]}}');
    const { fieldErrors } = read('register', 422, body).summary;
    expect(Object.entries(fieldErrors ?? {})).toEqual([
      ['__proto__', ['polluted']],
      ['constructor', ['x']],
      ['email', ['taken']],
    ]);
    expect({}).not.toHaveProperty('polluted');
  });
});
