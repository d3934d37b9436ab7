import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { findInterface } from '../../../main/tools/import/find-interface.ts';
import type { ImportResult } from '../../../preload/contract/interface.ts';

const secret = 'S3cret-of-ana-7f3kQ9';
const body = { mimeType: 'application/json', text: `{"email":"a@b.test","password":"${secret}"}` };
const entry = (request: object): object => ({
  request: { method: 'POST', url: 'https://x.test/api/login', ...request },
});
const har = (entries: readonly unknown[]): string => JSON.stringify({ log: { version: '1.2', entries } });
const openapi = (operation: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', paths: { '/login': { post: operation } }, ...more });
const postman = (more: object): string =>
  JSON.stringify({
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json', name: 'x' },
    item: [
      {
        name: 'login',
        request: { method: 'POST', url: 'https://x.test/login', body: { mode: 'raw', raw: body.text } },
        ...more,
      },
    ],
  });
const levels = 100_000;
const alias = Array.from('bcdefghi', (name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`);

/** What each text is, and what the window gets of it: the kind of a sentence, or a draft. */
const hostile: readonly [what: string, text: string | Uint8Array, kind: ImportResult['kind']][] = [
  ['YAML of aliases of aliases', `openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\n${alias.join('\n')}`, 'resource-limit'],
  ['YAML with an alias of itself', 'openapi: 3.0.0\npaths: &p\n  /login: *p', 'resource-limit'],
  ['a reference to a file', openapi({ requestBody: { $ref: 'file:///etc/passwd' } }), 'found'],
  ['a reference to an address', openapi({ requestBody: { $ref: 'http://127.0.0.1:9/x.json#/a' } }), 'found'],
  ['64 MB', Buffer.alloc(64_000_000, 'x'), 'too-large'],
  ['a packed file', gzipSync(openapi({})), 'unknown-format'],
  ['a zip', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(4_000_000, 7)]), 'unknown-format'],
  [
    '100,000 levels of JSON',
    `{"openapi":"3.0.0","paths":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
    'resource-limit',
  ],
  ['500,000 levels of YAML', `openapi: ${'['.repeat(500_000)}`, 'resource-limit'],
  [
    'names of prototypes',
    openapi({}).replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
    'found',
  ],
  ['a million requests', `{"log":{"entries":[${'{"request":{}},'.repeat(600_000)}{}]}}`, 'resource-limit'],
  [
    'a text that makes patterns slow',
    `curl https://x.test/login -d '${'a=b&'.repeat(200_000)}' -H 'x: ${' '.repeat(200_000)}x'`,
    'nothing-found',
  ],
  ['commands within commands', `curl ${'"$(curl '.repeat(100_000)}`, 'curl-refused'],
  ['many names of a program', 'const a = [{b: '.repeat(100_000), 'unknown-format'],
  ['many tables of PowerShell', '$a = @{ b = '.repeat(100_000) + 'irm https://x.test', 'curl-refused'],
  ['many fences', '```\n'.repeat(100_000), 'unknown-format'],
  ['UTF-16 without a byte order mark', Buffer.from(har([entry({ postData: body })]), 'utf16le'), 'found'],
  ['a curl that runs a command', 'curl https://x.test/login -d "$(cat /etc/passwd)"', 'found'],
  ['a curl that sends a file', 'curl https://x.test/login -d @/etc/passwd', 'found'],
  ['a curl with a file of options', 'curl --config /etc/passwd https://x.test/login', 'curl-refused'],
  [
    'a HAR with null everywhere',
    har([
      null,
      {},
      { request: null },
      entry({ headers: null, queryString: null, cookies: [null], postData: body }),
      entry({ postData: null }),
    ]),
    'found',
  ],
  [
    'secrets in an address',
    har([entry({ url: `https://ana:${secret}@x.test/login?api_key=${secret}`, postData: body })]),
    'found',
  ],
  [
    'a .env of several lines',
    `LOGIN_URL=https://x.test/login\nKEY="-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----"\nPASSWORD=${secret}\n`,
    'found',
  ],
  [
    'a Postman script',
    postman({ event: [{ listen: 'test', script: { exec: ['process.exit(7)', `const a = "${secret}"`] } }] }),
    'found',
  ],
  [
    'an address of another kind',
    openapi(
      { requestBody: { content: { 'application/json': { example: { email: 'a', password: secret } } } } },
      { servers: [{ url: 'javascript:alert(1)' }, { url: 'file:///etc' }] },
    ),
    'nothing-found',
  ],
  [
    'a Bruno file without an end',
    `meta {\n  name: login\n}\n\npost {\n  url: https://x.test/login\n`.concat('body:json {\n'.repeat(50_000)),
    'resource-limit',
  ],
];

it.for(hostile)('of %s comes one sentence or a draft', async ([, text, kind]) => {
  const before = process.cpuUsage();
  const finding = await findInterface(typeof text === 'string' ? Buffer.from(text) : text);
  const { user, system } = process.cpuUsage(before);
  expect(finding.kind).toBe(kind);
  // The time of the processors does not grow with what else the computer does.
  expect((user + system) / 1000).toBeLessThan(8_000);
  expect(JSON.stringify(finding)).not.toContain(secret);
  expect(JSON.stringify(finding)).not.toMatch(/root:|javascript:|process\.exit/);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
