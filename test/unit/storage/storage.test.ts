import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { formatDiagnostics } from '../../../main/account/storage/diagnostics.ts';
import { eraseFolder } from '../../../main/account/storage/erase-folder.ts';
import { readStorageOverview } from '../../../main/account/storage/storage-overview.ts';
import { anaProfile, firstStart, heldSessions, production, staging } from '../../support/stub-main/states.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const files = {
  'config.json': 'settings',
  'config.json.last-good': 'settings',
  'vault.json': 'tokens',
  'vault.json.broken-2026-11-21T10-00-00-000Z': 'set-aside',
  'lock.json': 'pin',
  'service.sqlite': 'accounts',
  'service.sqlite-wal': 'accounts',
  'snapshots/one.sqlite': 'snapshots',
  'calls.sqlite': 'calls',
  'logs/main.log': 'logs',
  'window.png': 'picture',
  'Local Storage/leveldb/000003.log': 'browser',
};

async function makeFiles(): Promise<string> {
  const folder = await makeTemporaryFolder();
  for (const name of Object.keys(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), 'x'.repeat(10));
  }
  return folder;
}

it('the overview counts every file in the part it belongs to', async () => {
  const folder = await makeFiles();
  const { parts } = await readStorageOverview(folder);
  const counted = Object.groupBy(Object.values(files), (part) => part);
  for (const { part, files: count, bytes } of parts) {
    expect([part, count, bytes]).toEqual([part, counted[part]?.length ?? 0, 10 * (counted[part]?.length ?? 0)]);
  }
});

it('erasing removes all of it, and nothing beyond the folder', async () => {
  const folder = await makeFiles();
  const outside = await makeTemporaryFolder();
  await writeFile(path.join(outside, 'kept.txt'), 'x');
  await symlink(outside, path.join(folder, 'elsewhere'));
  await writeFile(path.join(folder, 'SingletonLock'), '');
  expect(await eraseFolder(folder)).toEqual([]);
  expect(await readdir(folder)).toEqual(['SingletonLock']);
  expect(await readdir(outside)).toEqual(['kept.txt']);
});

it('the diagnostics tell states and counts and the end of the log, and no account, address or name', async () => {
  const folder = await makeTemporaryFolder();
  await writeFile(path.join(folder, 'main.log'), Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n'));
  const text = await formatDiagnostics(
    { ...firstStart, servers: [staging, production], sessions: heldSessions },
    folder,
  );
  expect(text).toContain(`sessions: ${heldSessions.length}`);
  expect(text).toMatch(/line 300\n[^]*line 499\n$/);
  expect(text).not.toContain('line 299');
  for (const { baseUrl, name } of [staging, production]) {
    expect(text).not.toContain(baseUrl);
    expect(text).not.toContain(name);
  }
  expect(text).not.toContain(anaProfile.email);
});
