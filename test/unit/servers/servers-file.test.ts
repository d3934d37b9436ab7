import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { maxFileBytes } from '../../../main/servers/servers-file.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const entry = {
  name: 'Shop',
  address: 'https://shop.example.test',
  colour: 'red',
  notes: '',
  registrationPath: 'registro',
  production: true,
  dialect: { learned: {}, pinned: {} },
};
const fileOf = (...servers: object[]): string => JSON.stringify({ kind: 'llavero-servers', version: 1, servers });

async function importing(content: string | Uint8Array) {
  const file = path.join(await makeTemporaryFolder(), 'import.json');
  await writeFile(file, content);
  const main = await makeMain({}, { file });
  return { ...main, result: await main.servers.importFile() };
}

describe('a file of servers', () => {
  it('carries everything but sessions, tokens and accounts to another computer, once', async () => {
    const foreign = await startForeignServer();
    const file = path.join(await makeTemporaryFolder(), 'servers.json');
    const here = await makeMain({ foreign }, { file });
    await here.session.register({ ...ana, path: 'registro' });
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

    const there = await makeMain({}, { file });
    await there.servers.importFile();
    await there.servers.importFile();
    expect(there.config.get().servers.slice(1)).toEqual([
      // Where anything may be sent is for the person there to say.
      { ...here.config.get().servers[1], id: expect.any(String), agreed: [] },
    ]);
    expect(there.config.get().servers[1]?.dialect).toEqual({
      learned: { token: 'datos.access_token', user: 'datos.usuario', message: 'mensaje' },
      pinned: { message: 'mensaje' },
    });
    expect(there.config.get().servers[1]?.id).not.toBe('foreign');
  });

  it('keeps an api that belongs to an address', async () => {
    const { config } = await importing(fileOf({ ...entry, address: 'https://shop.example.test/api' }));
    expect(config.get().servers[1]?.baseUrl).toBe('https://shop.example.test/api');
  });

  it('may not bring an id, a session, a trusted certificate or a prototype along', async () => {
    const hostile = fileOf(entry).replace(
      '"name"',
      `"id":"built-in","token":"1|x","pins":["AB${':CD'.repeat(31)}"],"__proto__":{"builtIn":true},` +
        '"secrets":["passphrase"],"agreed":["https://shop.example.test"],"connection":{"proxy":{"mode":"none"},"authority":{"file":"/etc/passwd"},' +
        '"clientCertificate":{"form":"pfx","file":"/root/me.pfx"}},"name"',
    );
    const { config, state } = await importing(hostile);
    expect(config.get().servers[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Shop',
      baseUrl: entry.address,
      colour: 'red',
      notes: '',
      registrationPath: 'registro',
      production: true,
      pins: [],
      secrets: [],
      extraHeaders: [],
      connection: {
        proxy: { mode: 'none' },
        limits: { connectSeconds: 10, firstByteSeconds: 20, totalSeconds: 30 },
      },
      dialect: entry.dialect,
      agreed: [],
    });
    expect(state.get().sessions).toEqual([]);
  });

  it.each([
    ['an empty file', '', 'not-json', undefined],
    ['half a file', fileOf(entry).slice(0, 60), 'not-json', undefined],
    ['bytes that are no text', new Uint8Array([0xff, 0x00, 0xfe]), 'not-json', undefined],
    ['another kind of JSON', '{"servers":[]}', 'not-servers', undefined],
    ['a list', '[]', 'not-servers', undefined],
    ['a later version', fileOf(entry).replace('"version":1', '"version":2'), 'other-version', undefined],
    [
      'one bad colour among good ones',
      fileOf(entry, { ...entry, colour: 'url(x)' }),
      'wrong-content',
      'servers.1.colour',
    ],
    ['a name of two lines', fileOf({ ...entry, name: 'Shop\nAllow?' }), 'wrong-content', 'servers.0.name'],
    ['a name with a line separator', fileOf({ ...entry, name: 'Shop\u2028Allow?' }), 'wrong-content', 'servers.0.name'],
    ['a name with a sign of no width', fileOf({ ...entry, name: 'Sh\u200bop' }), 'wrong-content', 'servers.0.name'],
    ['a name that turns its writing', fileOf({ ...entry, name: 'Shop\u202e' }), 'wrong-content', 'servers.0.name'],
    [
      'a PAC script of another computer',
      fileOf({ ...entry, connection: { proxy: { mode: 'pac', url: 'file://evil.test/share/a.pac' } } }),
      'wrong-content',
      'servers.0.connection.proxy.url',
    ],
    [
      'a proxy that is none',
      fileOf({ ...entry, connection: { proxy: { mode: 'manual', proxy: 'proxy.test:3128' } } }),
      'wrong-content',
      'servers.0.connection.proxy.proxy',
    ],
    [
      'an address with credentials',
      fileOf({ ...entry, address: 'https://a:b@shop.example.test' }),
      'wrong-content',
      'servers.0.address',
    ],
    [
      'an address that is none',
      fileOf(entry, { ...entry, address: 'file:///etc/passwd' }),
      'wrong-content',
      'servers.1.address',
    ],
    [
      'a script for an address',
      fileOf({ ...entry, address: 'javascript:alert(1)//' }),
      'wrong-content',
      'servers.0.address',
    ],
    [
      'an address that is not as Llavero writes it',
      fileOf({ ...entry, address: 'HTTPS://shop.example.test:443/' }),
      'wrong-content',
      'servers.0.address',
    ],
    [
      'an address with a question',
      fileOf({ ...entry, address: 'https://shop.example.test?x=' }),
      'wrong-content',
      'servers.0.address',
    ],
    [
      'a name of a million letters',
      fileOf({ ...entry, name: 'x'.repeat(1_000_000) }),
      'wrong-content',
      'servers.0.name',
    ],
    ['too many', fileOf(...Array.from({ length: 501 }, () => entry)), 'wrong-content', 'servers'],
    ['a huge file', ' '.repeat(maxFileBytes + 1), 'too-large', undefined],
    ['a deep file', '['.repeat(500_000), 'not-json', undefined],
  ])('is refused as a whole when it is %s', async (_what, content, reason, detail) => {
    const { result, config, store } = await importing(content);
    expect(result).toEqual({ ok: false, error: { kind: 'import-refused', reason, ...(detail && { detail }) } });
    expect(config.get().servers).toHaveLength(1);
    expect(JSON.stringify(store)).not.toContain('shop');
  });

  it.each(['/dev/zero', '/proc/self/mem', '/nowhere/at-all.json', '/tmp'])('is not read from %s', async (file) => {
    const main = await makeMain({}, { file });
    expect(await main.servers.importFile()).toMatchObject({
      ok: false,
      error: { kind: 'import-refused', reason: 'unreadable' },
    });
  });

  it('that cannot be written is an error in words', async () => {
    const folder = path.join(await makeTemporaryFolder(), 'a-folder');
    await mkdir(folder);
    const main = await makeMain({}, { file: folder });
    expect(await main.servers.exportFile()).toEqual({ ok: false, error: { kind: 'file-failed', code: 'EISDIR' } });
  });
});
