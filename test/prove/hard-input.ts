import * as fc from 'fast-check';
import { METHODS } from 'node:http';

/** It is in every password, token and cookie that is sent, and no answer and no log may hold it. */
export const SECRET = 'kR7-never-to-be-seen-again-2xQ';

/** A request that is good HTTP, whatever it asks for. */
export type HardRequest = { method: string; path: string; headers: [name: string, value: string][]; body?: string };

/** What is sent: a request, or bytes that need not be one. Each character is a byte. */
export type HardInput = { request: HardRequest } | { bytes: string };

const routes = ['registro', 'register', 'login', 'perfil', 'salir'].map((name) => `/api/v1/auth/${name}`);

const hardText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('', ' ', '\0', '\ud800', 'a@b', 'ada@example.test', '"', '\\u0000', '__proto__', '😀'.repeat(130)),
  fc.nat(20_000).map((length) => 'x'.repeat(length)),
);
const hardValue = fc.oneof(
  { weight: 5, arbitrary: hardText },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.nat(4000).map((depth) => ({ depth })) },
);

/** Writes JSON as text, so that keys can come twice. Something very deep stands for itself. */
const valueText = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && 'depth' in value && typeof value.depth === 'number')
    return '['.repeat(value.depth) + ']'.repeat(value.depth);
  return JSON.stringify(value) ?? 'null';
};
const secretField = fc.constantFrom('password', 'cpassword').map((key) => `"${key}":"${SECRET}"`);
const field = fc
  .tuple(fc.constantFrom('name', 'email', '__proto__', 'constructor', 'toString', 'errors', 'id', ''), hardValue)
  .map(([key, value]) => `${JSON.stringify(key)}:${valueText(value)}`);
const person = fc.nat(50).map((n) => `"name":"Ada","email":"${n}@example.test"`);

const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.oneof(secretField, field, person), { maxLength: 6 }).map((all) => `{${all.join()}}`),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: hardText },
);

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...routes) },
  { weight: 1, arbitrary: fc.webPath() },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...routes), fc.webQueryParameters()).map(([at, query]) => `${at}?${query}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/%00',
      '/%zz',
      '//',
      '/api/v1/auth/../auth/perfil',
      '/api/v1/auth/perfil/',
      '/api/v1/auth/PERFIL',
      '/api/v1/auth/%70erfil',
      `/${'a'.repeat(5000)}`,
    ),
  },
);

const token = fc.oneof(
  fc.tuple(
    fc.oneof(fc.nat().map(String), fc.constant('9'.repeat(40))),
    fc.string({ unit: fc.constantFrom('a', 'Z', '0'), maxLength: 60 }),
  ),
  fc.constant(['1', SECRET] as const),
);
const header = fc.oneof(
  token.map(([id, secret]): [string, string] => ['Authorization', `Bearer ${id}|${secret}`]),
  fc.constantFrom<[string, string]>(
    ['Authorization', `Basic ${SECRET}`],
    ['Cookie', `session=${SECRET}`],
    ['Origin', 'null'],
    ['Origin', 'https://evil.example'],
    ['Content-Encoding', 'gzip'],
    ['Accept-Language', `${'es;q=0.5,'.repeat(500)}en`],
    ['Accept', 'text/html'],
    ['X-Forwarded-For', '::1, not an address'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['If-Match', '*'],
    ['Range', 'bytes=0-1'],
    ['Upgrade', 'websocket'],
  ),
  fc
    .tuple(fc.stringMatching(/^x-[a-z]{1,20}$/), fc.stringMatching(/^[ -~]{0,200}$/))
    .map(([name, value]): [string, string] => [name, value.trim()]),
);
const contentType = fc.constantFrom(
  ...Array<string>(8).fill('application/json'),
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=',
  '',
);

const anyMethod = fc.constantFrom('GET', 'POST', ...METHODS.filter((method) => method !== 'CONNECT'));
const target: fc.Arbitrary<[method: string, path: string]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('registro', 'register', 'login', 'logout')
      .map((name): [string, string] => ['POST', `/api/v1/auth/${name}`]),
  },
  { weight: 1, arbitrary: fc.constant<[string, string]>(['GET', '/api/v1/auth/perfil']) },
  { weight: 2, arbitrary: fc.tuple(anyMethod, path) },
);

const request: fc.Arbitrary<HardRequest> = fc
  .record({
    target,
    headers: fc.oneof(
      { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 1, arbitrary: fc.array(header, { maxLength: 5 }) },
    ),
    body: fc.option(body, { nil: undefined }),
    type: contentType,
  })
  .map(({ target: [method, path], headers, body, type }) => {
    if (body === undefined) return { method, path, headers };
    return { method, path, headers: headers.concat([['Content-Type', type]]), body };
  });

/** Returns the bytes of a request, one character each. It asks for the connection to end after it. */
export function toBytes({ method, path, headers, body }: HardRequest, host: string): string {
  const content = body === undefined ? '' : Buffer.from(body).toString('latin1');
  const length = body === undefined ? [] : [`Content-Length: ${content.length}`];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, ...length, '', content].join(
    '\r\n',
  );
}

/** This takes out, doubles or replaces some bytes of a request. */
const bytes = fc
  .tuple(
    request,
    fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        drop: fc.nat(20),
        put: fc.oneof(
          fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 20 }),
          fc.constantFrom(
            '\r\n',
            '\n',
            '\r\n\r\n',
            ':',
            ' ',
            '\0',
            'Transfer-Encoding: chunked\r\n',
            'Host: evil\r\n',
            '0\r\n\r\n',
          ),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([request, edits]) =>
    edits.reduce(
      (text, { at, drop, put }) => {
        const from = Math.floor(at * text.length);
        return text.slice(0, from) + put + text.slice(from + drop);
      },
      toBytes(request, '127.0.0.1'),
    ),
  );

export const anyRequest: fc.Arbitrary<HardInput> = request.map((request) => ({ request }));
export const anyInput: fc.Arbitrary<HardInput> = fc.oneof(
  { weight: 3, arbitrary: anyRequest },
  { weight: 1, arbitrary: bytes.map((bytes) => ({ bytes })) },
);
