import { hash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clipboardSeconds, createTransfer } from '../../../main/calls/transfer.ts';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { fail, ok } from '../../../preload/contract/result.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const all: CallFilter = { search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false };

async function makeTransfer({
  agrees = true,
  folder,
  store,
}: { agrees?: boolean; folder?: string; store?: Record<string, unknown> } = {}) {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign }, { ...(folder !== undefined && { folder }), ...(store && { store }) });
  const clipboard = { text: '', readText: () => clipboard.text, writeText: (text: string) => (clipboard.text = text) };
  const asked: number[] = [];
  const file = path.join(main.folder, 'calls.har');
  const transfer = createTransfer({
    calls: main.calls,
    limits: () => ({ count: 10, bytes: 20_000_000 }),
    references: main.references,
    tokenOf: (id) => main.session.tokenOf(id),
    confirmSecrets: async (count) => {
      asked.push(count);
      return agrees ? ok(null) : fail({ kind: 'cancelled' });
    },
    clipboard,
    chooseFile: async () => file,
    version: '0.1.0',
  });
  const idOf = (called: string): string => {
    const page = main.calls.list(all, 0);
    return (page.ok && page.value.calls.find((each) => each.path.endsWith(called))?.id) || '';
  };
  return { main, foreign, transfer, clipboard, asked, file, idOf };
}

describe('a command in the clipboard', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('holds no secret until the person agrees, and then for half a minute', async () => {
    const { main, foreign, transfer, clipboard, asked, idOf } = await makeTransfer();
    await main.session.register({ ...ana, path: 'registro' });
    const [token = ''] = foreign.issued;
    expect(await transfer.copy(idOf('/perfil'), 'curl-bash', 'variables')).toEqual({
      ok: true,
      value: { copied: true, missing: 0 },
    });
    expect(clipboard.text).toContain('"$TOKEN"');
    expect(clipboard.text).not.toContain(token);
    expect(asked).toEqual([]);

    expect(await transfer.copy(idOf('/perfil'), 'curl-bash', 'full')).toEqual({
      ok: true,
      value: { copied: true, missing: 0 },
    });
    expect(asked).toEqual([1]);
    expect(clipboard.text).toContain(`'Authorization: Bearer ${token}'`);
    await vi.advanceTimersByTimeAsync((clipboardSeconds - 1) * 1000);
    expect(clipboard.text).toContain(token);
    await vi.advanceTimersByTimeAsync(1000);
    expect(clipboard.text).toBe('');
  });

  it('stays as it was when the person does not agree', async () => {
    const { main, transfer, clipboard, idOf } = await makeTransfer({ agrees: false });
    await main.session.register({ ...ana, path: 'registro' });
    clipboard.text = 'something else';
    expect(await transfer.copy(idOf('/login'), 'fetch', 'full')).toEqual({
      ok: true,
      value: { copied: false, missing: 0 },
    });
    expect(clipboard.text).toBe('something else');
  });

  it('is not taken away when something else was copied meanwhile, and is when the application ends', async () => {
    const { main, transfer, clipboard, idOf } = await makeTransfer();
    await main.session.register({ ...ana, path: 'registro' });
    await transfer.copy(idOf('/perfil'), 'curl-bash', 'full');
    clipboard.text = 'something else';
    await vi.advanceTimersByTimeAsync(clipboardSeconds * 1000);
    expect(clipboard.text).toBe('something else');
    await transfer.copy(idOf('/perfil'), 'curl-bash', 'full');
    await transfer.close();
    expect(clipboard.text).toBe('');
  });

  it('counts the secrets that are gone, and leaves their variables', async () => {
    const first = await makeTransfer();
    await first.main.session.register({ ...ana, path: 'registro' });
    const [token = ''] = first.foreign.issued;
    first.main.calls.close();
    const next = await makeTransfer({ folder: first.main.folder, store: first.main.store });
    // The password was in memory only; the token is in the vault.
    expect(await next.transfer.copy(next.idOf('/login'), 'curl-bash', 'full')).toMatchObject({ value: { missing: 1 } });
    expect(next.clipboard.text).toContain('"$PASSWORD"');
    expect(await next.transfer.copy(next.idOf('/perfil'), 'curl-bash', 'full')).toMatchObject({
      value: { missing: 0 },
    });
    expect(next.clipboard.text).toContain(token);
  });
});

describe('an HTTP archive', () => {
  it('is written for its owner alone, without a secret, and read again', async () => {
    const { main, foreign, transfer, file } = await makeTransfer();
    await main.session.register({ ...ana, path: 'registro' });
    await main.session.logOutShown(true);
    expect(await transfer.exportFile(all, 'har')).toEqual({ ok: true, value: { exported: 4 } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    for (const secret of [...foreign.issued, ana.password]) expect(text).not.toContain(secret);
    expect(
      JSON.parse(text).log.entries.map(({ request }: { request: { url: string } }) => request.url.split('/').at(-1)),
    ).toEqual(['registro', 'login', 'perfil', 'salir']);
    expect(await transfer.importHar()).toEqual({ ok: true, value: { imported: 4, skipped: 0 } });
    const page = main.calls.list({ ...all, serverId: 'imported' }, 0);
    expect(page.ok && page.value.total).toBe(4);
  });

  it('with more than is kept gives its last calls, and takes no room from one’s own', async () => {
    const { main, transfer, file } = await makeTransfer();
    await main.session.register({ ...ana, path: 'registro' });
    const own = main.calls.list(all, 0);
    const entry = (n: number) => ({
      startedDateTime: '2026-11-21T10:00:00Z',
      request: { method: 'GET', url: `http://a.test/${n}`, headers: [] },
      response: { status: 200, headers: [], content: { text: 'x' } },
    });
    const entries = [...Array.from({ length: 600 }, (_, n) => entry(n)), 'no entry'];
    await writeFile(file, JSON.stringify({ log: { entries } }));
    expect(await transfer.importHar()).toEqual({ ok: true, value: { imported: 9, skipped: 592 } });
    const imported = main.calls.list({ ...all, serverId: 'imported' }, 0);
    expect(imported.ok && imported.value.calls.map(({ path }) => path).toReversed()[0]).toBe('/591');
    expect(own.ok && own.value.total).toBe(3);
    expect(main.calls.list(all, 0)).toMatchObject({ value: { total: 12 } });
  });

  it('of somebody else decides nothing about what is cut out here, and loses the secrets of here too', async () => {
    const { main, transfer, file } = await makeTransfer();
    const name = 'Content-Type: application/json';
    const entry = (token: string, body: string) => ({
      startedDateTime: '2026-11-21T10:00:00Z',
      request: { method: 'GET', url: 'http://a.test/', headers: [{ name: 'Authorization', value: token }] },
      response: { status: 200, headers: [], content: { text: body } },
    });
    await main.session.register({ ...ana, path: 'registro' });
    const many = Array.from({ length: 9 }, (_, n) => entry(`Bearer of-somebody-${n}`, ''));
    const entries = [...many, entry('application/json', `the password was ${ana.password}`)];
    await writeFile(file, JSON.stringify({ log: { entries } }));
    expect(await transfer.importHar()).toMatchObject({ value: { imported: 10 } });
    const imported = main.calls.every({ ...all, serverId: 'imported' });
    expect(JSON.stringify(imported)).not.toMatch(/of-somebody|horse/);
    await main.session.checkShown();
    await main.session.login(ana);
    const own = main.calls.every(all).filter(({ serverId }) => serverId !== 'imported');
    expect(JSON.stringify(own.at(-2)?.request.head.text)).toContain(name);
    expect(JSON.stringify(own)).not.toContain('horse');
  });

  it('has long answers searched on the other thread, and of one that is too hard keeps the size and the hash', async () => {
    const { main, transfer, file } = await makeTransfer();
    await main.session.register({ ...ana, path: 'registro' });
    const entry = (body: string) => ({
      startedDateTime: '2026-11-21T10:00:00Z',
      request: { method: 'GET', url: 'http://a.test/', headers: [] },
      response: { status: 200, headers: [], content: { text: body } },
    });
    const long = JSON.stringify({
      more: 'word '.repeat(40_000),
      echo: `It was ${ana.password}.`,
      token: 'of-somebody',
    });
    const hard = JSON.stringify(Array.from({ length: 12_000 }, (_, at) => `${100_000 + at}|markedXX${at}`));
    await writeFile(file, JSON.stringify({ log: { entries: [entry(long), entry(hard)] } }));
    expect(await transfer.importHar()).toMatchObject({ value: { imported: 2 } });
    const [first, second] = main.calls.every({ ...all, serverId: 'imported' }).map(({ response }) => response?.body);
    const secret = { secret: 'token', id: expect.any(String) };
    const known = { secret: 'password', id: expect.any(String) };
    const [word, between] = [expect.stringContaining('It was '), '.","token":"'];
    expect(first).toEqual({ form: 'text', bytes: long.length, text: [word, known, between, secret, '"}'] });
    expect(second).toEqual({ form: 'binary', base64: '', bytes: hard.length, sha256: hash('sha256', hard) });
  });

  it('that is none is refused, and nothing is added', async () => {
    const { main, transfer, file } = await makeTransfer();
    await writeFile(file, '{"log":');
    expect(await transfer.importHar()).toEqual({ ok: false, error: { kind: 'import-refused', reason: 'not-json' } });
    expect(main.calls.list(all, 0)).toMatchObject({ value: { total: 0 } });
  });
});
