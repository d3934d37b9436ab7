import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandSummaries } from '../../main/commands/command-line.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** Makes the launcher beside a program that says what it was given. */
async function launcher() {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'llavero');
  await copyFile(path.resolve(import.meta.dirname, '../../build/linux/launcher.sh'), file);
  await writeFile(path.join(folder, 'llavero-bin'), '#!/bin/sh\nfor each in "$@"; do echo "[$each]"; done\nexit 7\n');
  for (const each of [folder, file, path.join(folder, 'llavero-bin')]) await chmod(each, 0o755);
  const start = (program: string, args: string[], uid?: number, display = 'a compositor') => {
    const { DISPLAY: _display, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...env, WAYLAND_DISPLAY: display },
      ...(uid !== undefined && { uid }),
    });
    return { status, given: stdout.split('\n').filter((line) => line !== ''), stderr };
  };
  return { folder, file, start };
}

describe.runIf(process.platform === 'linux')('the launcher of the Linux packages', () => {
  it.runIf(isRoot)('gives root the commands without a sandbox, and no window', async () => {
    const { file, start } = await launcher();
    expect(start(file, ['check', 'a b', '--bail'])).toMatchObject({
      status: 7,
      given: ['[--ozone-platform=headless]', '[--no-sandbox]', '[check]', '[a b]', '[--bail]'],
    });
    expect(start(file, ['--lang=es'])).toMatchObject({
      status: 2,
      given: [],
      stderr: expect.stringContaining('does not open a window as root'),
    });
  });

  it('adds nothing but the missing display for others, and nothing at all for the window', async () => {
    const { file, start } = await launcher();
    const uid = isRoot ? nobody : undefined;
    expect(start(file, ['--lang=es', 'serve', '--port', '0'], uid).given).toEqual([
      '[--ozone-platform=headless]',
      '[--lang=es]',
      '[serve]',
      '[--port]',
      '[0]',
    ]);
    expect(start(file, ['--lang=es', 'other', 'check'], uid).given).toEqual(['[--lang=es]', '[other]', '[check]']);
    expect(start(file, [], uid)).toMatchObject({ status: 7, given: [] });
    expect(start(file, [], uid, '')).toMatchObject({
      status: 2,
      given: [],
      stderr: expect.stringContaining('no display for its window'),
    });
  });

  it.each([...Object.keys(commandSummaries), '--help', '-h', '--version'])('needs no display for %s', async (asked) => {
    const { file, start } = await launcher();
    const { given } = start(file, ['--lang=es', asked], isRoot ? nobody : undefined, '');
    expect(given).toEqual(['[--ozone-platform=headless]', '[--lang=es]', `[${asked}]`]);
  });

  it('and the manual name every command', () => {
    for (const file of ['launcher.sh', 'llavero.1']) {
      const text = readFileSync(path.join(import.meta.dirname, '../../build/linux', file), 'utf8');
      for (const command of Object.keys(commandSummaries)) expect(text).toMatch(new RegExp(`\\b${command}\\b`));
    }
  });

  it('finds its program through a link', async () => {
    const { folder, file, start } = await launcher();
    const link = path.join(folder, 'link');
    await symlink(file, link);
    expect(start(link, ['serve'], isRoot ? nobody : undefined)).toMatchObject({ status: 7 });
  });
});
