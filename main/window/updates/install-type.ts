import { access, readFile } from 'node:fs/promises';
import path from 'node:path';

/** `unpacked` is a folder that somebody unpacked. */
export type InstallType = 'appimage' | 'nsis' | 'mac' | 'deb' | 'rpm' | 'unpacked';

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Looks how this copy was installed.
 * @param options.resources the folder of the program's resources, where a package for Linux says what it is
 * @param options.appImage the file that this runs from, as its own launcher says
 * @param options.appDir the folder where that file's contents are, as the same launcher says
 */
export async function detectInstallType(options: {
  platform: NodeJS.Platform;
  resources: string;
  executable: string;
  appImage: string | undefined;
  appDir: string | undefined;
}): Promise<InstallType> {
  const { platform, resources, executable, appImage, appDir } = options;
  if (platform === 'darwin') return 'mac';
  if (platform === 'win32') {
    const hasUninstaller = await exists(path.join(path.dirname(executable), 'Uninstall Llavero.exe'));
    return hasUninstaller ? 'nsis' : 'unpacked';
  }
  const type = await readFile(path.join(resources, 'package-type'), 'utf8').catch(() => '');
  if (type.trim() === 'deb') return 'deb';
  if (type.trim() === 'rpm') return 'rpm';
  // Both variables are those of another program where one that is an AppImage has started this one.
  const isWithin = appDir !== undefined && executable.startsWith(`${appDir}${path.sep}`);
  return isWithin && appImage !== undefined && path.isAbsolute(appImage) && (await exists(appImage))
    ? 'appimage'
    : 'unpacked';
}
