import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectInstallType } from '../../../main/window/updates/install-type.ts';
import { readDisabledReason } from '../../../main/window/updates/update-feed.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** Writes these files, `undefined` none, and asks why nothing is looked for. */
async function why(feed: string | undefined, ...administrators: (string | undefined)[]) {
  const folder = await makeTemporaryFolder();
  const write = async (name: string, content: string | undefined): Promise<string> => {
    const file = path.join(folder, name);
    if (content !== undefined) await writeFile(file, content);
    return file;
  };
  const named = await Promise.all(administrators.map((content, at) => write(`${at}.json`, content)));
  const off = await readDisabledReason({ feed: await write('app-update.yml', feed), administrators: named });
  return off && 'file' in off ? { ...off, file: named.indexOf(off.file) } : off;
}

const feed = 'provider: generic\nurl: https://updates.example/\n';

describe('updates', () => {
  it('are looked for where the package names a feed', async () => {
    expect(await why(feed)).toBeUndefined();
    expect(await why(feed, undefined, undefined)).toBeUndefined();
    expect(await why(undefined, undefined)).toEqual({ why: 'not-configured' });
    expect(await readDisabledReason({ feed: undefined, administrators: [] })).toEqual({ why: 'not-configured' });
  });

  it('are switched off by an administrator, in one of two places', async () => {
    expect(await why(feed, '{"updates": "off"}')).toEqual({ why: 'managed' });
    expect(await why(feed, undefined, '{"updates": "off"}')).toEqual({ why: 'managed' });
  });

  it.each(['', '{', '{"updates": "on"}', '{"updates": "https://other.example/"}', '[]', 'x'.repeat(20_000)])(
    'are switched off by a file that cannot be used: %.30s',
    async (content) => {
      expect(await why(feed, undefined, content)).toEqual({ why: 'unusable', file: 1 });
    },
  );
});

it('a copy says how it was installed', async () => {
  const resources = await makeTemporaryFolder();
  const appImage = path.join(resources, 'Llavero.AppImage');
  const wayOf = (some: Partial<Parameters<typeof detectInstallType>[0]>) =>
    detectInstallType({
      platform: 'linux',
      resources,
      executable: path.join(resources, 'x'),
      appImage: undefined,
      appDir: resources,
      ...some,
    });
  expect(await wayOf({})).toBe('unpacked');
  expect(await wayOf({ appImage })).toBe('unpacked');
  await writeFile(appImage, '');
  expect(await wayOf({ appImage })).toBe('appimage');
  // The variables of another AppImage that has started this copy lead to no file of ours.
  expect(await wayOf({ appImage, appDir: '/tmp/.mount_Other' })).toBe('unpacked');
  expect(await wayOf({ appImage, appDir: undefined })).toBe('unpacked');
  expect(await wayOf({ platform: 'darwin' })).toBe('mac');
  expect(await wayOf({ platform: 'win32' })).toBe('unpacked');
  await writeFile(path.join(resources, 'Uninstall Llavero.exe'), '');
  expect(await wayOf({ platform: 'win32' })).toBe('nsis');
  await writeFile(path.join(resources, 'package-type'), 'deb\n');
  expect(await wayOf({ appImage })).toBe('deb');
});
