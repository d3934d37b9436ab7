import { app } from 'electron';
import path from 'node:path';
import type { UpdateSource } from './updates.ts';

/** Only an administrator can write here. On Windows there is no such folder. */
const systemFiles: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/etc/llavero/updates.json',
  darwin: '/Library/Application Support/Llavero/updates.json',
};

/** A development build has no feed, unless LLAVERO_UPDATES names the file of one. */
export function createUpdateSource(): UpdateSource {
  const forDevelopment = app.isPackaged ? undefined : process.env['LLAVERO_UPDATES'];
  const ofSystem = systemFiles[process.platform];
  const administrators = [
    path.join(process.resourcesPath, 'updates.json'),
    ...(ofSystem === undefined ? [] : [ofSystem]),
  ];
  return {
    files: {
      feed: app.isPackaged ? path.join(process.resourcesPath, 'app-update.yml') : forDevelopment,
      administrators: app.isPackaged ? administrators : [],
    },
    installType: async () =>
      (await import('./install-type.ts')).detectInstallType({
        platform: process.platform,
        resources: process.resourcesPath,
        executable: process.execPath,
        appImage: process.env['APPIMAGE'],
        appDir: process.env['APPDIR'],
      }),
    loadUpdater: async () => (await import('./updater.ts')).createUpdater(forDevelopment),
  };
}
