import { chmod, copyFile, readFile, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { judgeConfig } from '../../../main/config/judge-config.ts';
import { openConfig } from '../../../main/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { createVault } from '../../../main/vault/vault.ts';
import { proveFiles } from '../../prove/files.ts';
import { makeReadOnly, makeSmallDisk } from '../../support/disks.ts';
import { createEarlierStore, createFakeCipher } from '../../support/fake-cipher.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { fixedSeed } from '../../support/fixed-seeds.ts';

const fixture = (name: string): string => path.resolve(import.meta.dirname, '../../fixtures', name);
const read = (folder: string, name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');

/** What an application that starts on this folder finds in it, and says about it. */
async function start(folder: string, unbound = createEarlierStore()) {
  const notices = createFileNotices();
  const config = await openConfig(folder, notices, () => undefined);
  const vault = createVault({
    file: path.join(folder, 'vault.json'),
    cipher: createFakeCipher({ unbound }),
    onFileNotice: notices.tell,
  });
  const token = await vault.getPassword('app.llavero.desktop/a1', 'ana@example.test s1');
  return { config, vault, token, notices, problems: () => notices.list().map(({ file, problem }) => [file, problem]) };
}

/** Makes a profile as the version before this one left it, opened once by this one if `opened`. */
async function makeProfile(opened: boolean): Promise<string> {
  const folder = await makeTemporaryFolder();
  await copyFile(fixture('config-2-unnumbered.json'), path.join(folder, 'config.json'));
  await copyFile(fixture('vault-1-unsummed.json'), path.join(folder, 'vault.json'));
  if (!opened) return folder;
  const { config, vault } = await start(folder);
  config.change({ lastEmails: { a1: 'ana@example.test' } });
  await vault.setPassword('other', 'ana', 'x');
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

  it.each([
    ['config-0.1.0.json', ['a1', 'b2']],
    ['config-2-unnumbered.json', ['a1', '3f1c']],
  ])('of an earlier version come over whole and without a word: %s', async (name, ids) => {
    const folder = await makeTemporaryFolder();
    await copyFile(fixture(name), path.join(folder, 'config.json'));
    await copyFile(fixture('vault-1-unsummed.json'), path.join(folder, 'vault.json'));
    const { config, token, problems } = await start(folder);
    expect(config.get().servers.map(({ id }) => id)).toEqual(['built-in', ...ids]);
    expect(config.get()).toMatchObject({ settings: { language: 'es', theme: 'dark' }, activeServerId: 'a1' });
    expect([token, problems()]).toEqual(['kept token', []]);
  });

  it.each(['config.json', 'vault.json'])('of a newer version are refused and stay as they are: %s', async (name) => {
    const folder = await makeProfile(true);
    const newer = '{"version":9,"environments":"of another kind"}';
    await writeFile(path.join(folder, name), newer);
    const copy = await read(folder, `${name}.last-good`);
    const { config, vault, problems } = await start(folder);
    config.change({ settings: { ...config.get().settings, language: 'en', theme: 'light' } });
    await vault.setPassword('other', 'bea', 'y');
    expect(problems()).toEqual([[name, 'newer']]);
    expect(await read(folder, name)).toBe(newer);
    expect(await read(folder, `${name}.last-good`)).toBe(copy);
    expect((await readdir(folder)).filter((each) => each.includes('broken'))).toEqual([]);
  });

  it.each(['config.json', 'vault.json'])('start and say so, whichever byte of %s is wrong', async (name) => {
    const folder = await makeProfile(true);
    const whole = await readFile(path.join(folder, name));
    const before = await start(folder);
    const wrong: string[] = [];
    for (let at = 0; at < whole.length; at += name === 'vault.json' ? 3 : 11) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << (at % 7);
      await writeFile(path.join(folder, name), damaged);
      const { config, token, problems } = await start(folder);
      const { servers, sessions } = config.get();
      const found = JSON.stringify(config.get()) === JSON.stringify(before.config.get()) && token === 'kept token';
      // Somebody may have written another text into the settings. Nothing else passes in the vault.
      const isPlausible = name === 'config.json' && servers.length === 3 && Object.keys(sessions).length === 1;
      const said = problems().map(([file, problem]) => `${file} ${problem}`);
      const isGood = {
        [`${name} restored`]: found,
        [`${name} newer`]: true,
        '': judgeConfig(damaged.toString()) === 'whole' && isPlausible,
      }[said.join()];
      if (isGood !== true) wrong.push(`byte ${at}: ${said.join()} ${damaged.subarray(at - 10, at + 10).toString()}`);
      await writeFile(path.join(folder, name), whole);
      await start(folder);
    }
    expect(wrong).toEqual([]);
  });

  it('never write defaults over a copy: what was found is kept, each time', async () => {
    const folder = await makeProfile(true);
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
    await vault.setPassword('other', 'bea', 'y');
    await start(folder);
    const kept = (await readdir(folder)).filter((name) => name.includes('.broken-')).toSorted();
    expect(await Promise.all(kept.map((name) => read(folder, name)))).toEqual(
      expect.arrayContaining(Object.values(damaged)),
    );
    expect(kept).toHaveLength(4);
  });

  it('use what can be read of settings that are damaged in part, when there is no copy', async () => {
    const folder = await makeProfile(false);
    const damaged = (await read(folder, 'config.json')).replace('"currentSessions": {', '"currentSessions": 7, "x": {');
    await writeFile(path.join(folder, 'config.json'), damaged);
    const { config, notices } = await start(folder);
    const [notice] = notices.list() as [FileNotice];
    expect(notice).toMatchObject({ file: 'config.json', problem: 'partly-read' });
    expect(config.get()).toMatchObject({ currentSessions: {}, sessions: { s1: { account: 'ana@example.test' } } });
    expect(await read(folder, notice.kept!)).toBe(damaged);
  });

  it('come back when a file is gone', async () => {
    const folder = await makeProfile(true);
    for (const name of ['config.json', 'vault.json']) await unlink(path.join(folder, name));
    const { config, token, problems } = await start(folder);
    expect([config.get().servers.length, token]).toEqual([3, 'kept token']);
    expect(problems().map(([, problem]) => problem)).toEqual(['restored', 'restored']);
  });

  it('are read on a read-only disk, also damaged ones, and say what is not kept', async (context) => {
    const source = await makeProfile(true);
    await writeFile(path.join(source, 'vault.json'), 'damaged');
    const folder = await makeReadOnly(context, source);
    await expect(writeFile(path.join(folder, 'probe'), '')).rejects.toThrow('EROFS');
    const { config, token, problems } = await start(folder);
    config.change({ settings: { ...config.get().settings, language: 'en', theme: 'light' } });
    expect([config.get().servers.length, config.get().settings.language, token]).toEqual([3, 'en', 'kept token']);
    expect(problems()).toEqual([
      ['vault.json', 'restored'],
      ['config.json', 'not-written'],
    ]);
  });

  it('lose nothing on a full disk, and are saved again once there is room', async (context) => {
    const disk = await makeSmallDisk(context);
    const source = await makeProfile(true);
    for (const name of await readdir(source)) await copyFile(path.join(source, name), path.join(disk.folder, name));
    const { config, vault, token, notices, problems } = await start(disk.folder);
    disk.fill();
    config.change({ lastEmails: { a1: 'x'.repeat(20_000) } });
    await vault.setPassword('other', 'bea', 'y'.repeat(20_000));
    expect([token, problems()]).toEqual(['kept token', [['config.json', 'not-written']]]);
    const again = await start(disk.folder);
    expect([again.config.get().lastEmails, again.token]).toEqual([{ a1: 'ana@example.test' }, 'kept token']);
    disk.free();
    config.change({ lastEmails: { a1: 'later' } });
    expect(notices.list()).toEqual([]);
    expect((await start(disk.folder)).config.get().lastEmails).toEqual({ a1: 'later' });
  });

  it('are for this user only', async () => {
    const folder = await makeProfile(true);
    await chmod(path.join(folder, 'config.json'), 0o644);
    const { config } = await start(folder);
    config.change({ lastEmails: {} });
    await start(folder);
    const written = ['config.json', 'config.json.last-good', 'vault.json', 'vault.json.last-good'];
    const modes = await Promise.all(written.map(async (name) => (await stat(path.join(folder, name))).mode & 0o777));
    expect(modes).toEqual(modes.map(() => 0o600));
  });
});
