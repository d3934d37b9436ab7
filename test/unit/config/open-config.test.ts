import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createStoredMockServer, createStoredServer } from '../../../main/account/config/config.ts';
import { builtInId } from '../../../main/account/config/server-ids.ts';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { backupPathOf } from '../../../main/files/recoverable-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

it('writes to config.json and its copy what changed, and leaves what another program wrote in between', async () => {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'config.json');
  const config = await openConfig(folder, createFileNotices(), () => undefined);
  config.change({ activeServerId: 'a' });
  await config.flushWithBackup();
  await writeFile(file, JSON.stringify({ activeServerId: 'b', service: { tokenDays: 3 }, version: 1 }));
  config.change({ zoom: 1.5 });
  await config.flushWithBackup();
  for (const name of [file, backupPathOf(file)])
    expect(await readJson(name)).toEqual({ activeServerId: 'b', service: { tokenDays: 3 }, zoom: 1.5, version: 1 });
  await rm(file);
  config.change({ zoom: 1 });
  await config.flushWithBackup();
  expect(await readJson(file)).toMatchObject({ activeServerId: 'b', zoom: 1 });
});

it('keeps what was changed for this run, and says so, when it could not be written', async () => {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'config.json');
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  await mkdir(path.join(file, 'in the way'), { recursive: true });
  config.change({ activeServerId: 'a' });
  await config.flushWithBackup();
  expect(notices.list()).toMatchObject([{ file: 'config.json', problem: 'not-written' }]);
  expect(config.persisted().activeServerId).not.toBe('a');
  await rmdir(path.join(file, 'in the way'));
  await rmdir(file);
  config.change({ zoom: 1.5 });
  await config.flushWithBackup();
  expect(notices.list()).toEqual([]);
  expect(await readJson(file)).toEqual({ activeServerId: 'a', zoom: 1.5, version: 1 });
});

it('opens whole the servers for which an earlier version stored their servers file', async () => {
  const folder = await makeTemporaryFolder();
  const known = createStoredServer('a', 'Shop', 'https://shop.example.test');
  const file = { path: '/home/ana/llavero.servers.json', name: 'Shop' };
  const servers = [createStoredServer(builtInId, '', ''), { ...known, file }];
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ version: 1, servers }));
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  expect(config.isComplete).toBe(true);
  expect(notices.list()).toEqual([]);
  expect(config.get().servers[1]).toMatchObject(known);
});

it('opens whole the mock servers that an earlier build called doubles', async () => {
  const folder = await makeTemporaryFolder();
  const id = 'double-00000000-0000-4000-8000-000000000001';
  const details = { of: 'Shop', originUrl: 'https://shop.example.test', measuredAt: '2026-11-20T10:00:00.000Z' };
  const { mock: _mock, ...former } = { ...createStoredMockServer(id, 'Mock of Shop', details), double: details };
  const servers = [createStoredServer(builtInId, '', ''), former];
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ version: 1, servers }));
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  expect(config.isComplete).toBe(true);
  expect(notices.list()).toEqual([]);
  expect(config.get().servers[1]).toMatchObject({ id, mock: details });
});
