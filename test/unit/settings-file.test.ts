import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../preload/contract/models.ts';
import { makeMain } from '../support/make-main.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

async function withFile(content?: unknown) {
  const file = path.join(await makeTemporaryFolder(), 'settings.json');
  if (content !== undefined) await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { file, main: await makeMain({}, { file }) };
}

const ours = (settings: unknown, version: unknown = 1) => ({ kind: 'llavero-settings', version, settings });

describe('a file of settings', () => {
  it('has the settings and nothing else, and brings them to another computer', async () => {
    const { file, main } = await withFile();
    await main.handlers.settings.change({ theme: 'dark', lockAfterMinutes: 7, notifications: true });
    expect(await main.handlers.settings.exportFile()).toEqual({ ok: true, value: { exported: true } });
    const written: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { welcomed: _welcomed, ...settings } = main.state.get().settings;
    expect(written).toEqual(ours(settings));

    const other = await makeMain({}, { file });
    const imported = await other.handlers.settings.importFile();
    expect(imported).toEqual({ ok: true, value: { changed: ['theme', 'lockAfterMinutes', 'notifications'] } });
    expect(other.state.get().settings).toMatchObject({ theme: 'dark', lockAfterMinutes: 7, notifications: true });
    expect(await other.handlers.settings.importFile()).toEqual({ ok: true, value: { changed: [] } });
  });

  it.each([
    ['no JSON', '{', 'not-json', undefined],
    ['no settings', { kind: 'llavero-servers', version: 1 }, 'not-settings', undefined],
    ['another version', ours({}, 2), 'other-version', undefined],
    ['an unknown setting', ours({ theme: 'dark', token: 'x' }), 'unknown-setting', 'token'],
    ['what no person takes along', ours({ welcomed: false }), 'unknown-setting', 'welcomed'],
    ['a value that is not possible', ours({ lockOnSleep: true, theme: 'pink' }), 'wrong-setting', 'theme'],
    ['no object', ours('dark'), 'wrong-setting', ''],
  ])('is refused as a whole with %s', async (_what, content, reason, detail) => {
    const { main } = await withFile(content);
    const before = main.state.get().settings;
    const refused = { kind: 'import-refused', reason, ...(detail !== undefined && { detail }) };
    expect(await main.handlers.settings.importFile()).toEqual({ ok: false, error: refused });
    expect(main.state.get().settings).toEqual(before);
  });

  it('changes nothing when none was chosen', async () => {
    const main = await makeMain({});
    expect(await main.handlers.settings.importFile()).toEqual({ ok: true, value: {} });
    expect(await main.handlers.settings.exportFile()).toEqual({ ok: true, value: { exported: false } });
  });

  it('takes every setting but the one of the first minute', async () => {
    const { file, main } = await withFile();
    await main.handlers.settings.exportFile();
    const { settings } = JSON.parse(await readFile(file, 'utf8')) as { settings: object };
    expect(Object.keys(settings).toSorted()).toEqual(
      Object.keys(Settings.shape)
        .filter((name) => name !== 'welcomed')
        .toSorted(),
    );
  });
});
