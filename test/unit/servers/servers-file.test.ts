import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServersFileSchema } from '../../../main/servers-file/servers-file-schema.ts';
import { maxServersFileBytes, readServersFile } from '../../../main/servers-file/read-servers-file.ts';
import { shippedText } from '../../../main/interface/shipped.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { fileOf, importFile } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const entry = { name: 'Shop', address: 'https://shop.example.test', colour: 'red', production: true };
const described = { name: 'Ours', calls: { login: { path: '/in' }, profile: { path: '/me' } } };

/** Reads a file of this content, beside which others may be. */
async function reading(content: string | Uint8Array, beside: Record<string, string> = {}) {
  const folder = await makeTemporaryFolder();
  for (const [name, text] of Object.entries(beside)) await writeFile(path.join(folder, name), text);
  const file = path.join(folder, 'llavero.servers.json');
  await writeFile(file, content);
  return { folder, file, read: await readServersFile(file) };
}

describe('a file of servers', () => {
  it('carries everything but sessions, tokens and accounts to another computer, once', async () => {
    const foreign = await startForeignServer();
    const file = path.join(await makeTemporaryFolder(), 'servers.json');
    const here = await makeMain({ foreign }, { file });
    await here.session.logins.register({ ...ana, path: 'registro' });
    // What was learned of the server is written a turn later.
    await nextTurn();
    const server = here.state.get().servers[1]!;
    await here.servers.edit({
      ...server,
      address: server.baseUrl,
      name: 'Mine',
      colour: 'pink',
      notes: 'Notes',
      production: true,
      pinned: { message: 'mensaje' },
    });
    expect(await here.servers.exportFile()).toMatchObject({ ok: true });
    const text = await readFile(file, 'utf8');
    expect(text).not.toMatch(/ana@|q8Z|sealed|built-in|127\.0\.0\.1/);
    const isAsDescribed = new Ajv2020({ strict: false, validateFormats: false }).compile(createServersFileSchema());
    expect(isAsDescribed(JSON.parse(text))).toBe(true);

    const there = await makeMain({}, { file });
    expect(await importFile(there)).toMatchObject({ value: { added: 1, changed: 0, unchanged: 0 } });
    expect(await importFile(there)).toMatchObject({ value: { added: 0, changed: 0, unchanged: 1 } });
    expect(there.config.get().servers.slice(1)).toEqual([
      {
        ...here.config.get().servers[1],
        id: expect.any(String),
        // Where anything may be sent is for the person there to formatter, and places are learned again.
        agreed: [],
        dialect: { learned: {}, pinned: { message: 'mensaje' } },
      },
    ]);
    expect(there.config.get().servers[1]?.id).not.toBe('foreign');
  });

  it('is as its schema says, with an interface in all three ways', async () => {
    const { read } = await reading(
      fileOf(
        { ...entry, interface: 'strapi' },
        { ...entry, name: 'Beside', interface: './our.interface.json' },
        { ...entry, name: 'Within', interface: described, headers: { 'X-Gate': 'LLAVERO_GATE' } },
        { ...entry, name: 'Own', interface: 'llavero' },
      ),
      { 'our.interface.json': JSON.stringify(described) },
    );
    expect(read).toMatchObject({
      ok: true,
      servers: [
        { baseUrl: entry.address, interface: { from: 'strapi', text: await shippedText('strapi') } },
        { interface: { from: './our.interface.json', text: JSON.stringify(described) } },
        { interface: { from: 'Ours' }, headers: [{ name: 'X-Gate', variable: 'LLAVERO_GATE' }] },
        { interface: { from: 'llavero', text: await shippedText('llavero') } },
      ],
    });
  });

  it('is the example of its README, too', async () => {
    const text = await readFile(path.join(import.meta.dirname, '../../../main/servers-file/README.md'), 'utf8');
    const { read } = await reading(/```json\n([^`]*)```/.exec(text)?.[1] ?? '');
    expect(read).toMatchObject({
      ok: true,
      servers: [
        { headers: [{ variable: 'LLAVERO_STAGING_GATE' }], interface: { from: 'strapi' } },
        { production: true },
      ],
    });
  });

  it.each(['/dev/zero', '/proc/self/mem', '/nowhere/at-all.json', '/tmp'])('is not read from %s', async (file) => {
    const main = await makeMain({}, { file });
    expect(await importFile(main)).toMatchObject({
      value: { outcome: 'refused', fault: { problem: expect.stringMatching(/^(?:unreadable|too-large)$/) } },
    });
  });

  it('that cannot be written is an error in words', async () => {
    const folder = path.join(await makeTemporaryFolder(), 'a-folder');
    await mkdir(folder);
    const main = await makeMain({}, { file: folder });
    expect(await main.servers.exportFile()).toEqual({ ok: false, error: { kind: 'file-failed', code: 'EISDIR' } });
  });
});

const manual = { mode: 'manual', proxy: { scheme: 'http', host: 'p.test', port: 80, token: 'x' } };
const withHeader = (value: unknown) => fileOf({ ...entry, headers: { 'X-Api-Key': value } });
const withAddress = (address: string) => fileOf({ ...entry, address });

/** What is wrong, and where the sentence says that it is. */
const hostile: [what: string, content: string | Uint8Array, problem: string, at: string][] = [
  ['an empty file', '', 'not-json', ''],
  ['half a file', fileOf(entry).slice(0, 60), 'not-json', ''],
  ['a file of PowerShell', Buffer.from(`\uFEFF${fileOf(entry)}`, 'utf16le'), 'utf-16', ''],
  ['a file of the web', '{"servers": [], /* no */ "version": 1}', 'json-comment', ''],
  ['a file with a comma too many', '{"servers": [{},]}', 'json-comma', ''],
  [
    'a path of a disk',
    fileOf({ ...entry, interface: String.raw`C:\x.json` }),
    'interface-outside',
    'servers.0.interface',
  ],
  [
    'a path without its beginning',
    fileOf({ ...entry, interface: 'x.json' }),
    'interface-unknown',
    'servers.0.interface',
  ],
  ['bytes that are no text', new Uint8Array([0xff, 0x00, 0xfe]), 'not-json', ''],
  ['another kind of JSON', '{"server":[]}', 'not-servers', ''],
  ['a list', '[]', 'not-servers', ''],
  ['a later version', fileOf(entry).replace('"version":1', '"version":2'), 'other-version', ''],
  ['10 MB', `${' '.repeat(10_000_000)}{}`, 'too-large', ''],
  ['a file that is a byte too large', ' '.repeat(maxServersFileBytes + 1), 'too-large', ''],
  ['a deep file', '['.repeat(500_000), 'too-many', ''],
  ['10,000 servers', fileOf(...Array.from({ length: 10_000 }, () => ({ name: 'x' }))), 'too-many', 'servers'],
  ['501 servers', fileOf(...Array.from({ length: 501 }, () => entry)), 'too-many', 'servers'],
  [
    'a prototype',
    fileOf(entry).replace('"name"', '"__proto__":{"production":false},"name"'),
    'unknown-key',
    'servers.0',
  ],
  ['an id', fileOf({ ...entry, id: 'built-in' }), 'unknown-key', 'servers.0'],
  ['a trusted certificate', fileOf({ ...entry, pins: [`AB${':CD'.repeat(31)}`] }), 'unknown-key', 'servers.0'],
  ['a token', fileOf({ ...entry, token: '1|x' }), 'unknown-key', 'servers.0'],
  ['a member beside the servers', fileOf(entry).replace('"version"', '"trust":true,"version"'), 'unknown-key', ''],
  ['a secret in a proxy', fileOf({ ...entry, proxy: manual }), 'unknown-key', 'servers.0.proxy.proxy'],
  ['no address', fileOf({ name: 'Shop' }), 'missing', 'servers.0.address'],
  ['a bad colour among good ones', fileOf(entry, { ...entry, colour: 'url(x)' }), 'wrong-value', 'servers.1.colour'],
  ['a name of two lines', fileOf({ ...entry, name: 'Shop\nAllow?' }), 'wrong-value', 'servers.0.name'],
  ['a name with a sign of no width', fileOf({ ...entry, name: 'Sh\u200Bop' }), 'wrong-value', 'servers.0.name'],
  ['a name that turns its writing', fileOf({ ...entry, name: 'Shop\u202E' }), 'wrong-value', 'servers.0.name'],
  ['a name of a million letters', fileOf({ ...entry, name: 'x'.repeat(1_000_000) }), 'wrong-value', 'servers.0.name'],
  ['one name twice', fileOf(entry, entry), 'name-twice', 'servers.1.name'],
  [
    'a script elsewhere',
    fileOf({ ...entry, proxy: { mode: 'pac', url: 'file://evil.test/a.pac' } }),
    'wrong-value',
    'servers.0.proxy.url',
  ],
  [
    'an address with credentials',
    withAddress('https://a:b@shop.example.test'),
    'address-credentials',
    'servers.0.address',
  ],
  ['a file for an address', withAddress('file:///etc/passwd'), 'address', 'servers.0.address'],
  ['a script for an address', withAddress('javascript:alert(1)//'), 'address', 'servers.0.address'],
  ['an address without a scheme', withAddress('shop.example.test'), 'address', 'servers.0.address'],
  ['an address with a question', withAddress('https://shop.example.test?x='), 'address', 'servers.0.address'],
  ['a value for a header', withHeader('sk-live-51Hxyz'), 'not-a-variable', 'servers.0.headers'],
  ['a key of Amazon for a header', withHeader('AKIAIOSFODNN7EXAMPLE'), 'not-a-variable', 'servers.0.headers'],
  ['a word for a header', withHeader('hunter2'), 'not-a-variable', 'servers.0.headers'],
  ['a number for a header', withHeader(7), 'wrong-value', 'servers.0.headers.X-Api-Key'],
  [
    'a header of our own',
    fileOf({ ...entry, headers: { Authorization: 'LLAVERO_KEY' } }),
    'header-taken',
    'servers.0.headers',
  ],
  [
    'one header twice',
    fileOf({ ...entry, headers: { 'X-A': 'LLAVERO_A', 'x-a': 'LLAVERO_B' } }),
    'name-twice',
    'servers.0.headers',
  ],
  [
    '21 headers',
    fileOf({ ...entry, headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`X-${at}`, 'LLAVERO_A'])) }),
    'wrong-value',
    'servers.0.headers',
  ],
  [
    'a value for a variable',
    fileOf({ ...entry, interface: 'supabase-gotrue', variables: { apikey: 'eyJhbGciOi' } }),
    'not-a-variable',
    'servers.0.variables',
  ],
  [
    'a variable of nothing',
    fileOf({ ...entry, variables: { key: 'LLAVERO_KEY' } }),
    'variable-unknown',
    'servers.0.variables',
  ],
  [
    'a secret in a description',
    fileOf({ ...entry, interface: { ...described, headers: { apikey: 'sk-live-51' } } }),
    'literal-secret',
    'servers.0.interface',
  ],
  [
    'a secret with a default',
    fileOf({ ...entry, interface: { ...described, variables: { key: { secret: true, default: 'x' } } } }),
    'interface',
    'servers.0.interface',
  ],
  [
    'an interface that there is not',
    fileOf({ ...entry, interface: 'constructor' }),
    'interface-unknown',
    'servers.0.interface',
  ],
  ...['./../x.json', './a/../../x.json', './a\\..\\x.json', './.git/config', './c:x.json', './a%2f..', './'].map(
    (file): (typeof hostile)[number] => [
      `a path that may lead out: ${file}`,
      fileOf({ ...entry, interface: file }),
      'interface-outside',
      'servers.0.interface',
    ],
  ),
  ...['/etc/passwd', '../x.json', String.raw`\\evil.test\x`].map((file): (typeof hostile)[number] => [
    `a path of another form: ${file}`,
    fileOf({ ...entry, interface: file }),
    'interface-outside',
    'servers.0.interface',
  ]),
  ...['file:///etc/passwd'].map((file): (typeof hostile)[number] => [
    `a path of another form: ${file}`,
    fileOf({ ...entry, interface: file }),
    'interface-unknown',
    'servers.0.interface',
  ]),
  [
    'a file that is not there',
    fileOf({ ...entry, interface: './x.json' }),
    'interface-unreadable',
    'servers.0.interface',
  ],
];

describe('a hostile file of servers', () => {
  it.each(hostile)('is refused as a whole when it is or has %s', async (_what, content, problem, at) => {
    const { file, read } = await reading(content);
    expect(read).toMatchObject({ ok: false, fault: { problem, at } });
    const main = await makeMain({}, { file });
    expect(await importFile(main)).toMatchObject({ value: { outcome: 'refused', file: 'llavero.servers.json' } });
    expect(main.config.get().servers).toHaveLength(1);
    expect(JSON.stringify(main.store)).not.toContain('shop');
    // One sentence, which has no line of its own and repeats no value.
    const { fault } = read as Extract<typeof read, { ok: false }>;
    for (const language of ['en', 'es']) {
      const said = createReportFormatter(language).serversFault('x.json', fault);
      expect(said).toMatch(/^[^\n]{20,700}\.$/u);
      expect(said).not.toMatch(/sk-live|AKIA|hunter2|eyJ|\{\{/);
    }
  });

  it('reads no description through a link out of its folder, nor one that is too large', async () => {
    const { folder, file, read } = await reading(fileOf({ ...entry, interface: './linked.json' }));
    expect(read).toMatchObject({ fault: { problem: 'interface-unreadable' } });
    const elsewhere = path.join(await makeTemporaryFolder(), 'secret.json');
    await writeFile(elsewhere, JSON.stringify(described));
    await symlink(elsewhere, path.join(folder, 'linked.json'));
    expect(await readServersFile(file)).toMatchObject({ ok: false, fault: { problem: 'interface-outside' } });
    await symlink(path.dirname(elsewhere), path.join(folder, 'below'));
    await writeFile(file, fileOf({ ...entry, interface: './below/secret.json' }));
    expect(await readServersFile(file)).toMatchObject({ ok: false, fault: { problem: 'interface-outside' } });
    // A folder beside it whose name begins alike is another one.
    const beside = `${folder}-of-others`;
    await mkdir(beside);
    onTestFinished(() => rm(beside, { recursive: true, force: true }));
    await writeFile(path.join(beside, 'our.json'), JSON.stringify(described));
    await symlink(path.join(beside, 'our.json'), path.join(folder, 'beside.json'));
    await writeFile(file, fileOf({ ...entry, interface: './beside.json' }));
    expect(await readServersFile(file)).toMatchObject({ ok: false, fault: { problem: 'interface-outside' } });
    await writeFile(file, fileOf({ ...entry, interface: './large.json' }));
    await writeFile(path.join(folder, 'large.json'), ' '.repeat(300_000));
    expect(await readServersFile(file)).toMatchObject({ ok: false, fault: { problem: 'interface-unreadable' } });
  });

  it('may begin with a byte order mark, as editors on Windows write it', async () => {
    const { read } = await reading(`\uFEFF${fileOf(entry)}`);
    expect(read).toMatchObject({ ok: true, servers: [{ name: entry.name }] });
  });

  it('from a folder that is reached by a link itself, is read with what is beside it', async () => {
    const { folder } = await reading(fileOf({ ...entry, interface: './our.json' }), {
      'our.json': JSON.stringify(described),
    });
    const link = path.join(await makeTemporaryFolder(), 'link');
    await symlink(folder, link);
    expect(await readServersFile(path.join(link, 'llavero.servers.json'))).toMatchObject({ ok: true });
  });
});

describe('a file that is no JSON', () => {
  it.each([
    ['{\n  "servers": [\n    {"name": "a"},\n  ]\n}', 'json-comma', 3, 18],
    ['{"servers": [],}', 'json-comma', 1, 15],
    ['{"servers": [,]}', 'not-json', 1, 14],
    ['{\r\n// mine\r\n"servers": []}', 'json-comment', 2, 1],
    ['{"servers": [] /* mine */}', 'json-comment', 1, 16],
    ['{"servers": [}', 'not-json', 1, 14],
    ["{'servers': []}", 'not-json', 1, 2],
    ['{"servers": [{"name" "a"}]}', 'not-json', 1, 22],
    ['{"servers": []', 'not-json', 1, 15],
    ['servers: []', 'not-json', 1, 1],
  ])('is refused with its line and column: %j', async (text, problem, line, column) => {
    const file = path.join(await makeTemporaryFolder(), 'servers.json');
    await writeFile(file, text);
    expect(await readServersFile(file)).toEqual({ ok: false, fault: { problem, at: '', line, column } });
  });

  it('is told so in both languages', () => {
    const fault = { problem: 'json-comma', at: '', line: 3, column: 18 } as const;
    expect(createReportFormatter('en').serversFault('f.json', fault)).toContain('(line 3, column 18).');
    expect(createReportFormatter('es').serversFault('f.json', fault)).toContain('(línea 3, columna 18).');
  });
});
