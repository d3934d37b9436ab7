import { app, session } from 'electron';
import path from 'node:path';
import { createLazy } from '../lazy.ts';
import type { UpdatePorts } from './updates-room.ts';

/** Where an administrator writes for all people of a computer. On Windows there is no such folder that only they write. */
const systemFiles: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/etc/llavero/updates.json',
  darwin: '/Library/Application Support/Llavero/updates.json',
};

/** Where updates come from. A build for development has none, unless a variable names a file that says it all. */
function sourceFiles(): UpdatePorts['files'] {
  if (!app.isPackaged) return { builtIn: process.env['LLAVERO_UPDATES'], administrators: [] };
  const ofSystem = systemFiles[process.platform];
  return {
    builtIn: path.join(import.meta.dirname, 'updates.json'),
    administrators: [path.join(process.resourcesPath, 'updates.json'), ...(ofSystem === undefined ? [] : [ofSystem])],
  };
}

/** Makes what updates need of Electron. Its session is made with the first look. */
export function systemUpdates(): UpdatePorts {
  const ownSession = createLazy(async () => {
    // It is not the window's, which has no way out, and follows the system's proxy. It is in memory only.
    const made = session.fromPartition('updates', { cache: false });
    // A new session would fetch a dictionary from a server of Google's.
    made.setSpellCheckerLanguages([]);
    made.setUserAgent('Llavero');
    return made;
  });
  return {
    files: sourceFiles(),
    processor: process.arch,
    way: async () =>
      (await import('./install-way.ts')).installWay({
        platform: process.platform,
        resources: process.resourcesPath,
        executable: process.execPath,
        appImage: process.env['APPIMAGE'],
        appDir: process.env['APPDIR'],
      }),
    fetch: async (url, init) => (await ownSession()).fetch(url, init),
    restart(executable) {
      if (executable !== undefined) app.relaunch({ execPath: executable });
      app.quit();
    },
  };
}
