import { spawnSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFeed } from '../../../main/updates/feed.ts';
import { readSource } from '../../../main/updates/source.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { sha512 } from '../../support/update-feeds.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const feed = 'https://updates.example/llavero/';

function announce(args: string[], privateKey?: string) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', LLAVERO_UPDATE_KEY: privateKey };
  const done = spawnSync(process.execPath, [path.join(root, 'scripts/update-feed.mjs'), ...args], {
    env,
    encoding: 'utf8',
  });
  return { code: done.status, said: done.stderr.trim() };
}

/** A folder of packages, and a new pair of keys beside it. */
async function makeRelease() {
  const folder = await makeTemporaryFolder();
  const keys = await makeTemporaryFolder();
  const names = [
    'Llavero-0.1.0-x86_64.AppImage',
    'Llavero-0.1.0-x64-setup.exe',
    'Llavero-0.1.0-universal-mac.zip',
    'Llavero-0.1.0-win.zip',
    'llavero_0.1.0_amd64.deb',
    'SHA256SUMS',
  ];
  for (const name of names) await writeFile(path.join(folder, name), name);
  const source = path.join(keys, 'updates.json');
  const secret = path.join(keys, 'private.pem');
  expect(announce(['--new-key', secret, '--source', source, '--feed', feed])).toMatchObject({ code: 0 });
  return { folder, source, secret, privateKey: await readFile(secret, 'utf8') };
}

describe('the feed of a release', () => {
  it('announces its packages, and is believed by copies with that key', async () => {
    const { folder, source, secret, privateKey } = await makeRelease();
    expect((await stat(secret)).mode & 0o777).toBe(0o600);
    const page = 'https://llavero.example/releases';
    const french = path.join(path.dirname(secret), 'fr.txt');
    await writeFile(french, 'Plus rapide.\n');
    const made = announce([folder, '--source', source, '--page', page, '--notes', `fr=${french}`], privateKey);
    expect(made).toMatchObject({ code: 0, said: expect.stringContaining('announces 0.1.0 for 180 days') });
    const read = readFeed(await readFile(path.join(folder, 'llavero-updates.json')), {
      key: (JSON.parse(await readFile(source, 'utf8')) as { key: string }).key,
      version: '0.0.9',
      newestSignedAt: undefined,
      now: new Date(),
    });
    expect(read).toMatchObject({
      ok: true,
      isNewer: true,
      feed: { version: '0.1.0', page, notes: { fr: 'Plus rapide.' } },
    });
    const known = await readSource({ builtIn: source, administrators: [] });
    expect(known).toMatchObject({ state: 'feed', folder: feed });
    const files = read.ok ? read.feed.files : [];
    expect(files.map((file) => [file.for, file.name])).toEqual([
      ['mac-universal', 'Llavero-0.1.0-universal-mac.zip'],
      ['nsis-x64', 'Llavero-0.1.0-x64-setup.exe'],
      ['appimage-x64', 'Llavero-0.1.0-x86_64.AppImage'],
      ['deb-x64', 'llavero_0.1.0_amd64.deb'],
    ]);
    for (const { name, bytes, sha512: hash } of files) expect([bytes, hash]).toEqual([name.length, sha512(name)]);
    expect(read.ok && read.feed.notes['en']).toMatch(/^Words, screens and documents/);
  });

  it('is not made without the private key that the copies of people believe', async () => {
    const { folder, source } = await makeRelease();
    const { privateKey: other } = await makeRelease();
    expect(announce([folder, '--source', source])).toEqual({
      code: 1,
      said: 'The private key is missing: set LLAVERO_UPDATE_KEY.',
    });
    expect(announce([folder, '--source', source], 'x').said).toBe('LLAVERO_UPDATE_KEY is no private key.');
    expect(announce([folder, '--source', source], other).said).toContain('no copy would believe the feed');
    expect(announce([folder, '--source', `${source}.none`], other).said).toContain('make the keys first');
    await expect(stat(path.join(folder, 'llavero-updates.json'))).rejects.toThrow('ENOENT');
  });

  it('says what is wrong with a folder, and overwrites no private key', async () => {
    const { folder, source, secret, privateKey } = await makeRelease();
    expect(announce([await makeTemporaryFolder(), '--source', source], privateKey).said).toContain(
      'There is no package in',
    );
    await writeFile(path.join(folder, 'Other-x64.AppImage'), '');
    expect(announce([folder, '--source', source], privateKey).said).toContain('are both for appimage-x64');
    await chmod(secret, 0o400);
    expect(announce(['--new-key', secret, '--source', source, '--feed', feed]).code).not.toBe(0);
    expect(await readFile(secret, 'utf8')).toBe(privateKey);
  });
});
