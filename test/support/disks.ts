import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { makeTemporaryFolder } from './temporary-folder.ts';

function run(context: TestContext, command: string, ...args: string[]): string {
  const done = spawnSync(command, args, { encoding: 'utf8' });
  if (done.status === 0) return done.stdout;
  const reason = `no file system of its own could be made: ${command} ${done.error?.message ?? done.stderr.trim()}`;
  console.log(`Skipped "${context.task.name}": ${reason}`);
  return context.skip(reason);
}

async function mounted(context: TestContext, mount: (folder: string) => string[]): Promise<string> {
  const folder = await makeTemporaryFolder();
  run(context, 'mount', ...mount(folder), folder);
  // It is unmounted lazily, since a failed test may have left files open, and before the folder is removed.
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Makes a disk that is soon full, as root on Linux. Elsewhere the test is skipped. */
export async function makeSmallDisk(context: TestContext, size = '512k') {
  const folder = await mounted(context, () => ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs']);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    /** Takes all that is free, and makes sure that it is. */
    fill(): void {
      let kept = Buffer.alloc(0);
      try {
        for (;;) {
          kept = Buffer.concat([kept, Buffer.alloc(4096)]);
          writeFileSync(filler, kept);
        }
      } catch (error) {
        if (!String(error).includes('ENOSPC')) throw error;
      }
    },
    free: (): void => rmSync(filler),
  };
}

/** Makes a folder that nobody can write to, root included, with the same files as another one. */
export function makeReadOnly(context: TestContext, folder: string): Promise<string> {
  return mounted(context, () => ['--bind', '-o', 'ro', folder]);
}

/**
 * Makes a file that no other can take the place of, as while a scanner for viruses holds it on Windows.
 * @returns the file, and what lets go of it
 */
export async function makeHeldFile(context: TestContext) {
  const [file = '', other = ''] = await Promise.all(
    ['held', 'other'].map(async (name) => path.join(await makeTemporaryFolder(), name)),
  );
  for (const each of [file, other]) writeFileSync(each, '');
  run(context, 'mount', '--bind', other, file);
  const letGo = (): void => void spawnSync('umount', ['--lazy', file]);
  onTestFinished(letGo);
  return { file, letGo };
}

/** Makes a disk that can be made to fail under open files. Linux then keeps it readable only. */
export async function makeFailingDisk(context: TestContext) {
  const image = path.join(await makeTemporaryFolder(), 'image');
  writeFileSync(image, Buffer.alloc(8 * 1024 * 1024));
  run(context, 'mkfs.ext4', '-q', '-F', image);
  const folder = await mounted(context, () => ['-t', 'ext4', '-o', 'loop,errors=remount-ro', image]);
  return {
    folder,
    fail(): void {
      const device = readFileSync('/proc/self/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, place]) => place === folder)?.[0];
      // The device of our own image is the only one that may fail.
      if (!device?.startsWith('/dev/loop')) throw new Error(`${folder} is on ${device}`);
      writeFileSync(`/sys/fs/ext4/${path.basename(device)}/trigger_fs_error`, 'on purpose');
    },
  };
}
