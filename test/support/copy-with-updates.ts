import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makersKey } from './update-feeds.ts';
import { startUpdateServer } from './update-server.ts';
import { seenBefore } from './update-trials.ts';

/**
 * Makes what an application needs that runs as if from an AppImage and has a server on loopback as its feed: a profile,
 * the file that an update replaces, and the variables that name both. `log` is written by a version that was installed.
 */
export async function makeCopyWithUpdates(folder: string) {
  const [server, elsewhere] = await Promise.all([startUpdateServer(), startUpdateServer()]);
  const appImage = path.join(folder, 'Llavero.AppImage');
  await writeFile(appImage, 'old');
  await chmod(appImage, 0o755);
  const source = path.join(folder, 'updates.json');
  await writeFile(source, JSON.stringify({ updates: server.folder, key: makersKey }));
  const userDataDir = path.join(folder, 'profile');
  await mkdir(userDataDir);
  const config = { version: 2, settings: { welcomed: true, workbench: true }, newestFeed: seenBefore };
  await writeFile(path.join(userDataDir, 'config.json'), JSON.stringify(config));
  return {
    server,
    elsewhere,
    appImage,
    userDataDir,
    // The launcher of an AppImage names the folder of its contents, in which the program lies.
    env: { LLAVERO_UPDATES: source, APPIMAGE: appImage, APPDIR: path.dirname(process.execPath) },
    log: path.join(folder, 'started'),
    close: async (): Promise<void> => void (await Promise.all([server.close(), elsewhere.close()])),
  };
}
