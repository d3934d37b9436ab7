import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clipboardSeconds, createSecretClipboard } from '../../../main/files/secret-clipboard.ts';
import { CallExporter } from '../../../main/tools/calls/call-exporter.ts';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { fail, ok } from '../../../preload/contract/result.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const all: CallFilter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false };

async function makeTransfer({
  agrees = true,
  folder,
  store,
}: { agrees?: boolean; folder?: string; store?: Record<string, unknown> } = {}) {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign }, { ...(folder !== undefined && { folder }), ...(store && { store }) });
  const clipboard = { text: '', readText: () => clipboard.text, writeText: (text: string) => (clipboard.text = text) };
  const secretClipboard = createSecretClipboard(clipboard);
  const asked: number[] = [];
  const file = path.join(main.folder, 'calls.har');
  const transfer = new CallExporter({
    calls: main.calls,
    secretRegistry: main.secretRegistry,
    tokenOf: (id) => main.session.tokenOf(id),
    confirmSecrets: async (count) => {
      asked.push(count);
      return agrees ? ok(null) : fail({ kind: 'cancelled' });
    },
    clipboard,
    secretClipboard,
    chooseFile: async () => file,
    version: '0.1.0',
  });
  const idOf = (called: string): string => {
    const page = main.calls.list(all, 0);
    return (page.ok && page.value.calls.find((each) => each.path.endsWith(called))?.id) || '';
  };
  return { main, foreign, transfer, clipboard, secretClipboard, asked, file, idOf };
}

describe('a command in the clipboard', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('holds no secret until the person agrees, and then for half a minute', async () => {
    const { main, foreign, transfer, clipboard, asked, idOf } = await makeTransfer();
    await main.session.logins.register({ ...ana, path: 'registro' });
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
    await main.session.logins.register({ ...ana, path: 'registro' });
    clipboard.text = 'something else';
    expect(await transfer.copy(idOf('/login'), 'fetch', 'full')).toEqual({
      ok: true,
      value: { copied: false, missing: 0 },
    });
    expect(clipboard.text).toBe('something else');
  });

  it('is not taken away when something else was copied meanwhile, and is when the application ends', async () => {
    const { main, transfer, clipboard, secretClipboard, idOf } = await makeTransfer();
    await main.session.logins.register({ ...ana, path: 'registro' });
    await transfer.copy(idOf('/perfil'), 'curl-bash', 'full');
    clipboard.text = 'something else';
    await vi.advanceTimersByTimeAsync(clipboardSeconds * 1000);
    expect(clipboard.text).toBe('something else');
    await transfer.copy(idOf('/perfil'), 'curl-bash', 'full');
    await secretClipboard.clear();
    expect(clipboard.text).toBe('');
  });

  it('counts the secrets that are gone, and leaves their variables', async () => {
    const first = await makeTransfer();
    await first.main.session.logins.register({ ...ana, path: 'registro' });
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
  it('is written for its owner alone, without a secret', async () => {
    const { main, foreign, transfer, file } = await makeTransfer();
    await main.session.logins.register({ ...ana, path: 'registro' });
    await main.session.logOutShown(true);
    expect(await transfer.exportHar(all)).toEqual({ ok: true, value: { exported: 4 } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    for (const secret of [...foreign.issued, ana.password]) expect(text).not.toContain(secret);
    expect(
      JSON.parse(text).log.entries.map(({ request }: { request: { url: string } }) => request.url.split('/').at(-1)),
    ).toEqual(['registro', 'login', 'perfil', 'salir']);
  });
});
