import ElectronStore from 'electron-store';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { lastGoodOf } from '../../../main/files/kept-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

it('writes config.json through electron-store and in no other way, first what was changed before that was read', async () => {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'config.json');
  const config = await openConfig(folder, createFileNotices(), () => undefined);
  const set = vi.spyOn(ElectronStore.prototype, 'set').mockImplementation(() => undefined);
  config.change({ activeServerId: 'a' });
  expect(set).not.toHaveBeenCalled();
  await config.save();
  config.change({ lastEmails: { a: 'ana@example.test' } });
  await config.save();
  expect(set.mock.calls).toEqual([
    [{ activeServerId: 'a', version: 1 }],
    [{ lastEmails: { a: 'ana@example.test' }, version: 1 }],
  ]);
  expect(existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}).toEqual({});

  set.mockRestore();
  config.change({ zoom: 1.5 });
  await config.save();
  for (const name of [file, lastGoodOf(file)])
    expect(JSON.parse(await readFile(name, 'utf8'))).toEqual({ zoom: 1.5, version: 1 });
});

it('keeps what was changed for this run, and says so, when it could not be written', async () => {
  const folder = await makeTemporaryFolder();
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  const failing = vi.spyOn(ElectronStore.prototype, 'set').mockImplementation(() => {
    throw new Error('ENOSPC');
  });
  config.change({ activeServerId: 'a' });
  await config.save();
  expect(notices.list()).toMatchObject([{ file: 'config.json', problem: 'not-written' }]);
  failing.mockRestore();
  config.change({ zoom: 1.5 });
  await config.save();
  expect(notices.list()).toEqual([]);
  const written: unknown = JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8'));
  expect(written).toEqual({ activeServerId: 'a', zoom: 1.5, version: 1 });
});
