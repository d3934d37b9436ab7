import { createServer } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findInterface } from '../../../main/tools/import/find-interface.ts';
import { mostImportBytes } from '../../../preload/contract/interface.ts';
import { findInText } from '../../../main/tools/import/find-in-text.ts';
import { found, look } from './look.ts';

const login = `--json '{"email":"a@b.test","password":"x"}'`;

/** Each level has the one before nine times. */
const bomb = Array.from(
  'bcdefghi',
  (name, at) =>
    `${name}: &${name} [${Array(9)
      .fill(`*${'abcdefgh'.charAt(at)}`)
      .join()}]`,
);

describe('hostile texts', () => {
  it.for([
    ['fills a variable by a rule', 'curl https://x.test/${HOME%/*}/login', 'substitution'],
    ['reads one as headers', 'curl https://x.test/login -H @/etc/passwd', 'file'],
    ['reads one as options', 'curl -K /etc/passwd', 'file'],
    ['reads one into itself', 'curl https://x.test/login < /etc/passwd', 'file'],
    ['sends one', 'curl https://x.test/login -T /etc/passwd', 'file'],
    ['has no end', "curl 'https://x.test/login", 'quote'],
    ['goes nowhere', 'curl -v --compressed', 'no-address'],
  ] as const)('a command that %s is refused', async ([, command, why]) => {
    expect(await look(command)).toEqual({ kind: 'curl-refused', why });
  });

  it.for([
    ['runs a command', 'curl https://x.test/login -d "$(cat /etc/passwd)"', 'substitution'],
    ['runs one in old quotes', 'curl https://x.test/login -d `id`', 'substitution'],
    ['runs one in a file', 'curl https://x.test/login -d @<(id)', 'substitution'],
    ['reads a file as body', 'curl https://x.test/login -d @/etc/passwd', 'file'],
    ['reads one in the same word', 'curl https://x.test/login -d@/etc/passwd', 'file'],
    ['reads one as a field', 'curl https://x.test/login --data-urlencode password@/etc/passwd', 'file'],
  ] as const)('a command that %s is read without it, and that is noted', async ([, command, kind]) => {
    const finding = await found(command);
    expect(finding.notes).toEqual([expect.objectContaining({ kind })]);
    expect(finding.parts).toContainEqual(expect.objectContaining({ at: 'calls.login', is: 'guess' }));
    expect(JSON.stringify(finding)).not.toMatch(/root:|uid=/);
  });

  it('undoes the quotes of Windows, in which nothing but a quote is one', async () => {
    const windows = `curl ^"https://x.test/login^" ^\r\n  -H ^"content-type: application/json^" ^\r\n  --data-raw ^"^{^\\^"email^\\^":^\\^"a^%^40b^$(id).test^\\^",^\\^"password^\\^":^\\^"it's^\\^"^}^"`;
    const { draft } = await found(windows);
    expect(draft.calls.login).toMatchObject({ path: '/login', body: { email: '{{email}}', password: '{{password}}' } });
  });

  it.for([
    ['aliases of aliases', `openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\n${bomb.join('\n')}`, 'resource-limit'],
    ['levels of JSON', `${'{"openapi":'.repeat(100_000)}1`, 'resource-limit'],
    ['a tag', 'openapi: !!js/function "function () { return 1 }"\npaths: {}', 'nothing-found'],
    ['an alias of itself', 'openapi: 3.0.0\npaths: &p\n  /login: *p', 'resource-limit'],
    ['nothing', '', 'unknown-format'],
    ['prose', 'Dear all, the log-in is below.', 'unknown-format'],
    ['half a JSON', '{"openapi":"3.0.0"', 'unknown-format'],
    ['a list', '[]', 'unknown-format'],
    ['a HAR without entries', '{"log":{"entries":{}}}', 'nothing-found'],
    ['zeros', '\0\0\0\0', 'unknown-format'],
  ] as const)('%s', async ([, text, kind]) => {
    expect((await look(text)).kind).toBe(kind);
  });

  it('a bug of ours is not told as a fact about the text', async () => {
    const shipped = new Map();
    shipped[Symbol.iterator] = () => {
      throw new TypeError('a bug');
    };
    await expect(findInText(Buffer.from(`curl https://x.test/login ${login}`), shipped)).rejects.toThrow('a bug');
  });

  it('references to themselves end', async () => {
    const schema = { $ref: '#/components/schemas/A' };
    const json = { application: { 'application/json': { schema } } }.application;
    const { draft } = await found(
      JSON.stringify({
        openapi: '3.1.0',
        paths: { '/login': { post: { operationId: 'login', requestBody: { content: json } } } },
        components: {
          schemas: {
            A: {
              allOf: [{ $ref: '#/components/schemas/B' }],
              properties: { email: {}, password: {}, next: { $ref: '#/components/schemas/C' } },
            },
            B: { $ref: '#/components/schemas/C' },
            C: { $ref: '#/components/schemas/B' },
          },
        },
      }),
    );
    expect(draft.calls.login?.body).toMatchObject({ email: '{{email}}', password: '{{password}}' });
  });

  it('names of prototypes are no members', async () => {
    const text = `{"__proto__":{"polluted":true},"openapi":"3.1.0","paths":{"/login":{"post":{"requestBody":{"content":{"application/json":{"example":
      {"email":"a@b.test","password":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}},"responses":{"200":{"$ref":"#/constructor/prototype"}}}}}}`;
    const { draft } = await found(text);
    expect(Object.keys(draft.calls.login?.body ?? {})).not.toContain('__proto__');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await look(`openapi: 3.0.0\n__proto__: {polluted: 1}\npaths: {}`)).kind).toBe('nothing-found');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.for(['https://x.test/../../login', 'https://x.test/%2e%2e/login', 'https://x.test/a\\b/login'])(
    'leads nowhere else: %s',
    async (address) => {
      expect((await look(`curl '${address}' ${login}`)).kind).toBe('nothing-found');
    },
  );

  it.each([
    ['a line break', String.raw`-H $'X-A: 1\r\nX-Evil: 2'`],
    ['signs that no header carries', "-H 'X-Client: 日本 €'"],
    ['an emoji in a name', "-H 'X-😀: 1'"],
    ['a long value', `-H 'X-Long: ${'a'.repeat(3000)}'`],
  ])('a header with %s is left out', async (_, header) => {
    const { draft } = await found(
      `curl https://x.test/login ${header} -H 'X-Plain: yes' -d 'email=a@b.test&password=x'`,
    );
    expect(draft.headers).toEqual({ 'X-Plain': 'yes' });
  });

  it('a password in an address is in nothing that comes back', async () => {
    const finding = await found(
      `curl 'https://ana:S3cret-ana!@x.test/login?key=AIzaSyD4k3b8N2mQ7rT9hWc1Zx3b' ${login}`,
    );
    expect(JSON.stringify(finding)).not.toMatch(/S3cret|AIza/);
    expect(finding.dropped).toEqual(['calls.login.address', 'calls.login.query.key']);
  });
});

describe('the thread of a text', () => {
  it('asks no other address', async () => {
    let asked = 0;
    const server = createServer((_, response) => void ((asked += 1), response.end('{}'))).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x.json`;
    const reference = { $ref: `${at}#/a` };
    const finding = await findInterface(
      Buffer.from(
        JSON.stringify({
          openapi: '3.0.0',
          paths: { '/login': { post: { requestBody: reference, responses: { 200: reference } } }, '/me': reference },
          components: { schemas: { A: reference } },
        }),
      ),
    );
    expect(finding).toMatchObject({ kind: 'found', draft: { outputs: {} } });
    expect(asked).toBe(0);
  });

  it('is not made for a text that is too large', async () => {
    const finding = await findInterface(Buffer.alloc(mostImportBytes + 1, 'x'));
    expect(finding).toEqual({ kind: 'too-large', mostBytes: mostImportBytes });
  });

  it('ends where a text takes too long', async () => {
    expect(await findInterface(Buffer.from(`openapi: ${'['.repeat(500_000)}`))).toEqual({ kind: 'resource-limit' });
  });

  it('ends where a text takes too much', async () => {
    const many = `openapi: 3.0.0\npaths:\n${'  /login: {post: {a: [1, 2, 3, 4, 5, 6, 7, 8]}}\n'.repeat(200_000)}`;
    expect(await findInterface(Buffer.from(many))).toEqual({ kind: 'resource-limit' });
  });

  it('gives what it finds, and nothing of the text besides', async () => {
    const finding = await findInterface(Buffer.from(`curl https://x.test/api/auth/local ${login}`));
    expect(finding).toMatchObject({ kind: 'found', address: 'https://x.test', missing: ['profile'] });
  });
});
