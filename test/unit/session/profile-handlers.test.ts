import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Dialogs, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { ok } from '../../../preload/contract/result.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };

const long = `${'long '.repeat(10_000)}end`;
/** A field of each kind, as a server writes it. */
const answer = `{"data": {"id": 1379505554728411138, "name": "${ana.name}", "email": "${ana.email}",
  "phone": "600 123 456", "active": true, "balance": 100.10, "bio": "${long}",
  "preferences": {"theme":"dark","tags":["a",1.0]}, "a/b~c": "slash",
  "site": "https://example.org", "file": "file:///etc/passwd",
  "password_hash": "$2y$10$abcdefghijklmnopqrstuv", "log": "{\\"password\\":\\"hunter2hunter2\\"}"}}`;

/** Makes main with a person on the screen whose server sends that. */
async function withProfile(file?: string) {
  const foreign = await startForeignServer({
    override: ({ path: called }) =>
      called.endsWith('/perfil')
        ? {
            status: 200,
            body: answer,
          }
        : undefined,
  });
  const opened: string[] = [];
  const asked: DialogQuestion[] = [];
  const dialogs: Dialogs = {
    chooseFile: async () => file,
    async confirm(question) {
      asked.push(question);
      return true;
    },
    showEraseFailed: async () => undefined,
    showBadLink: async () => undefined,
    async openExternal(address) {
      opened.push(address);
      return ok(null);
    },
  };
  const main = await makeMain({ foreign }, { ports: { dialogs } });
  await main.session.logins.register({ ...ana, path: 'registro' });
  return { ...main, opened, asked };
}

describe('a field of the profile', () => {
  it('is copied as the server sent it, and no secret is', async () => {
    const { handlers, copied } = await withProfile();
    const copy = (of: 'known' | 'rest', field: string) => handlers.profile.copy({ of, field });
    for (const [of, field] of [
      ['known', 'email'],
      ['rest', '/data/phone'],
      ['rest', '/data/preferences'],
      ['rest', '/data/balance'],
      ['rest', '/data/bio'],
      ['rest', '/data/a~1b~0c'],
    ] as const)
      expect(await copy(of, field)).toEqual({ ok: true, value: { copied: true } });
    const rows = ['600 123 456', '{"theme":"dark","tags":["a",1.0]}', '100.10', long, 'slash'];
    expect(copied).toEqual([ana.email, ...rows]);
    for (const field of ['/data/password_hash', '/data/email', '/data', 'phone', '__proto__', 'constructor', ''])
      expect(await copy('rest', field)).toEqual({ ok: true, value: { copied: false } });
    expect(await copy('known', 'toString')).toEqual({ ok: true, value: { copied: false } });
    expect(copied).toHaveLength(6);
  });

  it('is not copied when nobody is on the screen', async () => {
    const { handlers, copied, session } = await withProfile();
    await session.logOutShown(true);
    expect(await handlers.profile.copy({ of: 'known', field: 'email' })).toEqual({
      ok: true,
      value: { copied: false },
    });
    expect(copied).toEqual([]);
    expect(await handlers.profile.exportFile()).toEqual({ ok: false, error: { kind: 'not-now' } });
  });
});

describe('what is within a field', () => {
  it('is copied by the steps that lead there, and no secret is', async () => {
    const { handlers, copied } = await withProfile();
    const copy = (field: string, at: number[]) => handlers.profile.copy({ of: 'rest', field, at });
    for (const at of [[0], [1, 1], [1]]) await copy('/data/preferences', at);
    expect(copied).toEqual(['dark', '1.0', 'a\n1.0']);
    for (const at of [[7], [0, 0], [1, 1, 1]])
      expect(await copy('/data/preferences', at)).toEqual({ ok: true, value: { copied: false } });
  });
});

describe('an address in the profile', () => {
  it('is opened once the person agreed, and nothing but an address is', async () => {
    const { handlers, opened, asked } = await withProfile();
    const open = (of: 'known' | 'rest', field: string) => handlers.profile.open({ of, field });
    expect(await open('known', 'email')).toEqual({ ok: true, value: { opened: true } });
    expect(await open('rest', '/data/site')).toEqual({ ok: true, value: { opened: true } });
    for (const field of ['/data/phone', '/data/file', '/data/password_hash', '/nowhere'])
      expect(await open('rest', field)).toEqual({ ok: true, value: { opened: false } });
    expect(opened).toEqual([`mailto:${ana.email}`, 'https://example.org/']);
    expect(asked).toEqual([
      { kind: 'open-mail', address: ana.email },
      { kind: 'open-outside', baseUrl: 'https://example.org/' },
    ]);
  });
});

describe('what the server sent', () => {
  it('is shown as it was sent, without its secrets, whose places are named', async () => {
    const { handlers } = await withProfile();
    const shown = await handlers.profile.rawResponse();
    expect(shown).toMatchObject({ ok: true, value: { leftOut: ['data.password_hash', 'data.log.password'] } });
    expect(JSON.stringify(shown)).not.toMatch(/abcdefghijklmnopqrstuv|hunter2/);
    expect(JSON.stringify(shown)).toContain('1379505554728411138');
  });

  it('is saved whole, in a file that only its owner can read, and what is left out is named', async () => {
    const file = path.join(await makeTemporaryFolder(), 'me.json');
    const { handlers } = await withProfile(file);
    expect(await handlers.profile.exportFile()).toEqual({ ok: true, value: { exported: true } });
    const text = await readFile(file, 'utf8');
    const sent = JSON.parse(answer);
    sent.data.password_hash = null;
    sent.data.log = '{"password":null}';
    expect(JSON.parse(text)).toEqual({ sent, 'left out': ['data.password_hash', 'data.log.password'] });
    expect(text).toContain('      "id": 1379505554728411138,\n');
    expect(text).toContain('      "balance": 100.10,\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is not saved when no file is chosen, and what went wrong is said', async () => {
    expect(await (await withProfile()).handlers.profile.exportFile()).toEqual({ ok: true, value: { exported: false } });
    const { handlers } = await withProfile('/nowhere/at/all/me.json');
    expect(await handlers.profile.exportFile()).toMatchObject({
      ok: false,
      error: { kind: 'file-failed', code: 'ENOENT' },
    });
  });
});

describe('the registration path', () => {
  it('that made an account is the one that the form begins with from then on', async () => {
    let isServed = false;
    const foreign = await startForeignServer({
      override: ({ path: called }) =>
        isServed && called.endsWith('/register')
          ? { status: 201, body: { token: '9|a', user: { name: 'Ana' } } }
          : undefined,
    });
    const { session, state } = await makeMain({ foreign });
    const pathOf = () => state.get().servers.find(({ id }) => id === 'foreign')?.registrationPath;
    const register = async () => {
      await session.logins.register({ ...ana, path: 'register', cpassword: ana.password });
      await setImmediate();
    };
    await register();
    const refused = pathOf();
    isServed = true;
    await register();
    expect([refused, pathOf()]).toEqual(['registro', 'register']);
  });
});
