import { chmod, copyFile, readFile, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { createStoredServer } from '../../../main/account/config/config.ts';
import { validateConfig } from '../../../main/account/config/validate-config.ts';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { Vault } from '../../../main/account/vault/vault.ts';
import { proveFiles } from '../../prove/files.ts';
import { makeReadOnly, makeSmallDisk } from '../../support/disks.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { fixedSeed } from '../../support/fixed-seeds.ts';

const read = (folder: string, name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');

/** What an application that starts on this folder finds in it, and says about it. */
async function start(folder: string) {
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  const vault = new Vault({
    file: path.join(folder, 'vault.json'),
    cipher: createFakeCipher(),
    onFileNotice: notices.add,
  });
  const token = await vault.getPassword('app.llavero.desktop/a1', 'ana@example.test s1');
  return { config, vault, token, notices, problems: () => notices.list().map(({ file, problem }) => [file, problem]) };
}

const server = { id: 'a1', name: 'Staging', baseUrl: 'https://staging.example.test' };

/** Makes a profile with a server and a token. */
async function makeProfile(): Promise<string> {
  const folder = await makeTemporaryFolder();
  const { config, vault } = await start(folder);
  const { servers, settings } = config.get();
  config.change({
    settings: { ...settings, language: 'es', theme: 'dark' },
    servers: [...servers, createStoredServer(server.id, server.name, server.baseUrl)],
    activeServerId: server.id,
    lastEmails: { a1: 'ana@example.test' },
  });
  await config.flushWithBackup();
  await vault.setPassword('app.llavero.desktop/a1', 'ana@example.test s1', 'kept token');
  await vault.settled();
  // The copies are whole from here on.
  await start(folder);
  return folder;
}

describe('settings and vault', () => {
  // These are a few rounds of `npm run prove -- files`, which takes every point.
  it('are there whole after a kill or a power cut at any write point', { timeout: 120_000 }, async () => {
    const summary = await proveFiles({ rounds: 6, seed: fixedSeed });
    expect(summary).toMatchObject({ rounds: 6, lost: 0, findings: [], seed: fixedSeed });
  });

  it.each(['config.json', 'vault.json'])('of another version are set aside, and said so: %s', async (name) => {
    const folder = await makeProfile();
    for (const version of [0, 2, '1']) {
      const other = JSON.stringify({ version, anything: 'of another kind' });
      for (const each of [name, `${name}.last-good`]) await writeFile(path.join(folder, each), other);
      const { config, vault, problems, notices } = await start(folder);
      expect(problems()).toEqual([[name, 'other-version']]);
      expect(await read(folder, notices.list()[0]!.quarantinedAs!)).toBe(other);
      config.change({ settings: { ...config.get().settings, language: 'en', theme: 'light' } });
      await config.flushWithBackup();
      await vault.setPassword('other', 'bea', 'y');
      expect((await start(folder)).problems()).toEqual([]);
    }
  });

  it('with bytes that are no UTF-8 are put back from their last good copy', async () => {
    const folder = await makeProfile();
    const file = path.join(folder, 'config.json');
    await writeFile(file, (await readFile(file, 'latin1')).replace('Staging', 'Stag\u00EDng'), 'latin1');
    const { config, problems } = await start(folder);
    expect(problems()).toEqual([['config.json', 'restored']]);
    expect(config.get().servers.find(({ id }) => id === server.id)?.name).toBe('Staging');
  });

  it.each(['config.json', 'vault.json'])('start and say so, whichever byte of %s is wrong', async (name) => {
    const folder = await makeProfile();
    const whole = await readFile(path.join(folder, name));
    const before = await start(folder);
    const wrong: string[] = [];
    for (let at = 0; at < whole.length; at += name === 'vault.json' ? 3 : 11) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << (at % 7);
      await writeFile(path.join(folder, name), damaged);
      const { config, token, problems } = await start(folder);
      const { servers } = config.get();
      const found = JSON.stringify(config.get()) === JSON.stringify(before.config.get()) && token === 'kept token';
      // Somebody may have written another text into the settings. Nothing else passes in the vault.
      const isPlausible = name === 'config.json' && servers.length === 2;
      const said = problems().map(([file, problem]) => `${file} ${problem}`);
      const isGood = {
        [`${name} restored`]: found,
        '': validateConfig(damaged.toString()) === 'whole' && isPlausible,
      }[said.join()];
      if (isGood !== true) wrong.push(`byte ${at}: ${said.join()} ${damaged.subarray(at - 10, at + 10).toString()}`);
      await writeFile(path.join(folder, name), whole);
      await start(folder);
    }
    expect(wrong).toEqual([]);
  });

  it('never write defaults over a copy: what was found is kept, each time', async () => {
    const folder = await makeProfile();
    const damaged = {
      'config.json': '{',
      'config.json.last-good': '{"settings":7',
      'vault.json': '',
      'vault.json.last-good': '[]',
    };
    for (const [name, text] of Object.entries(damaged)) await writeFile(path.join(folder, name), text);
    const { config, vault, problems } = await start(folder);
    expect(problems()).toEqual([
      ['config.json', 'set-aside'],
      ['vault.json', 'set-aside'],
    ]);
    config.change({ settings: { ...config.get().settings, language: 'en', theme: 'light' } });
    await config.flushWithBackup();
    await vault.setPassword('other', 'bea', 'y');
    await start(folder);
    const kept = (await readdir(folder)).filter((name) => name.includes('.broken-')).toSorted();
    expect(await Promise.all(kept.map((name) => read(folder, name)))).toEqual(
      expect.arrayContaining(Object.values(damaged)),
    );
    expect(kept).toHaveLength(4);
  });

  it('use what can be read of settings that are damaged in part, when there is no copy', async () => {
    const folder = await makeProfile();
    await unlink(path.join(folder, 'config.json.last-good'));
    const damaged = (await read(folder, 'config.json')).replace('"activeServerId": "a1"', '"activeServerId": 7');
    expect(damaged).toContain(': 7');
    await writeFile(path.join(folder, 'config.json'), damaged);
    const { config, notices } = await start(folder);
    const [notice] = notices.list() as [FileNotice];
    expect(notice).toMatchObject({ file: 'config.json', problem: 'partly-read' });
    expect(config.get()).toMatchObject({ activeServerId: 'built-in', lastEmails: { a1: 'ana@example.test' } });
    expect(await read(folder, notice.quarantinedAs!)).toBe(damaged);
  });

  it('come back when a file is gone', async () => {
    const folder = await makeProfile();
    for (const name of ['config.json', 'vault.json']) await unlink(path.join(folder, name));
    const { config, token, problems } = await start(folder);
    expect([config.get().servers.length, token]).toEqual([2, 'kept token']);
    expect(problems().map(([, problem]) => problem)).toEqual(['restored', 'restored']);
  });

  it('are read on a read-only disk, also damaged ones, and say what is not kept', async (context) => {
    const source = await makeProfile();
    await writeFile(path.join(source, 'vault.json'), 'damaged');
    const folder = await makeReadOnly(context, source);
    await expect(writeFile(path.join(folder, 'probe'), '')).rejects.toThrow('EROFS');
    const { config, token, problems } = await start(folder);
    config.change({ settings: { ...config.get().settings, language: 'en', theme: 'light' } });
    await config.flushWithBackup();
    expect([config.get().servers.length, config.get().settings.language, token]).toEqual([2, 'en', 'kept token']);
    expect(problems()).toEqual([
      ['vault.json', 'restored'],
      ['config.json', 'not-written'],
    ]);
  });

  it('lose nothing on a full disk, and are saved again once there is room', async (context) => {
    const disk = await makeSmallDisk(context);
    const source = await makeProfile();
    for (const name of await readdir(source)) await copyFile(path.join(source, name), path.join(disk.folder, name));
    const { config, vault, token, notices, problems } = await start(disk.folder);
    disk.fill();
    config.change({ lastEmails: { a1: 'x'.repeat(20_000) } });
    await config.flushWithBackup();
    await vault.setPassword('other', 'bea', 'y'.repeat(20_000));
    expect([token, problems()]).toEqual(['kept token', [['config.json', 'not-written']]]);
    const again = await start(disk.folder);
    expect([again.config.get().lastEmails, again.token]).toEqual([{ a1: 'ana@example.test' }, 'kept token']);
    disk.free();
    config.change({ lastEmails: { a1: 'later' } });
    await config.flushWithBackup();
    expect(notices.list()).toEqual([]);
    expect((await start(disk.folder)).config.get().lastEmails).toEqual({ a1: 'later' });
  });

  it('are for this user only', async () => {
    const folder = await makeProfile();
    await chmod(path.join(folder, 'config.json'), 0o644);
    const { config } = await start(folder);
    config.change({ lastEmails: {} });
    await config.flushWithBackup();
    await start(folder);
    const written = ['config.json', 'config.json.last-good', 'vault.json', 'vault.json.last-good'];
    const modes = await Promise.all(written.map(async (name) => (await stat(path.join(folder, name))).mode & 0o777));
    expect(modes).toEqual(modes.map(() => 0o600));
  });
});
