import { app, session } from 'electron';
import { autoUpdater, CancellationToken, type UpdateInfo } from 'electron-updater';
import type { Update, UpdateProblem } from '../../../preload/contract/about.ts';
import type { InstallType } from './install-type.ts';

export type UpdateCheckResult =
  | { state: 'newer'; update: Omit<Update, 'by'> }
  | { state: 'current' }
  | { state: 'failed'; problem: UpdateProblem };

/** electron-updater, with its failures as values. */
export type Updater = {
  checkForUpdates: (installType: InstallType) => Promise<UpdateCheckResult>;
  /** Returns the failure. `onPercent` gets whole numbers. */
  download: (signal: AbortSignal, onPercent: (percent: number) => void) => Promise<UpdateProblem | undefined>;
  /** True if the new version is installed, or will be once this process has ended, which it then does. */
  install: () => Promise<boolean>;
};

/** Characters. */
const longestNotes = 1500;

/** The extensions in the feed of the files that replace a copy. */
const fileEnds: Partial<Record<InstallType, string>> = { appimage: '.AppImage', nsis: '.exe', mac: '.zip' };

/**
 * Sets electron-updater up as https://www.electron.build/auto-update describes: it reads `app-update.yml` beside the
 * program, and downloads and installs nothing by itself.
 * @param feed another such file, for a build for development
 */
export function createUpdater(feed: string | undefined): Updater {
  autoUpdater.logger = null;
  autoUpdater.autoDownload = false;
  // Who said no to a restart did not mean the next one.
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  // Otherwise it sends an id of this installation with each check.
  autoUpdater.requestHeaders = { 'x-user-staging-id': '' };
  // Without it, an unpacked copy would not learn of a newer version.
  autoUpdater.forceDevUpdateConfig = true;
  if (feed !== undefined) autoUpdater.updateConfigPath = feed;
  // Each failure also rejects the call; an `error` event without a listener would end the process.
  autoUpdater.on('error', () => undefined);
  // A new session would fetch a dictionary from a server of Google's. This is the one that electron-updater takes.
  session.fromPartition('electron-updater', { cache: false }).setSpellCheckerLanguages([]);
  return { checkForUpdates, download, install };
}

async function checkForUpdates(installType: InstallType): Promise<UpdateCheckResult> {
  try {
    const found = await autoUpdater.checkForUpdates();
    if (!found?.isUpdateAvailable) return { state: 'current' };
    const { version, releaseNotes, files } = found.updateInfo;
    const end = fileEnds[installType];
    const file = end === undefined ? undefined : files.find(({ url }) => url.endsWith(end));
    if (end !== undefined && !file) return { state: 'failed', problem: 'no-file' };
    return { state: 'newer', update: { version, notes: plainNotes(releaseNotes), bytes: file?.size } };
  } catch (error) {
    return { state: 'failed', problem: problemOf(error) ?? 'unreachable' };
  }
}

async function download(signal: AbortSignal, onPercent: (percent: number) => void): Promise<UpdateProblem | undefined> {
  const token = new CancellationToken();
  const cancel = (): void => token.cancel();
  const onProgress = ({ percent }: { percent: number }): void => onPercent(Math.floor(percent));
  signal.addEventListener('abort', cancel);
  autoUpdater.on('download-progress', onProgress);
  try {
    await autoUpdater.downloadUpdate(token);
    return undefined;
  } catch (error) {
    return signal.aborted ? undefined : (problemOf(error) ?? 'not-downloaded');
  } finally {
    autoUpdater.off('download-progress', onProgress);
    signal.removeEventListener('abort', cancel);
  }
}

async function install(): Promise<boolean> {
  let isFailed = false;
  const onError = (): void => void (isFailed = true);
  autoUpdater.once('error', onError);
  if (process.platform === 'linux') {
    // An AppImage is started once this process has ended: two at once would share a profile. It may have a new name.
    let started = process.env['APPIMAGE'];
    autoUpdater.once('appimage-filename-updated', (path) => (started = path));
    autoUpdater.quitAndInstall(true, false);
    if (!isFailed && started !== undefined) app.relaunch({ execPath: started });
  } else {
    autoUpdater.quitAndInstall(false, true);
  }
  autoUpdater.off('error', onError);
  return !isFailed;
}

/** Codes of https://github.com/electron-userland/electron-builder: packages/electron-updater and builder-util-runtime. */
const problems: readonly (readonly [RegExp, UpdateProblem])[] = [
  [/^ERR_CHECKSUM_MISMATCH$|^ERR_UPDATER_INVALID_SIGNATURE$/, 'changed'],
  [/^ERR_UPDATER_CHANNEL_FILE_NOT_FOUND$|^HTTP_ERROR_/, 'refused'],
  [/^ERR_UPDATER_(?:INVALID|NO_CHECKSUM|LATEST|NO_PUBLISHED)/, 'damaged'],
  [/^ERR_UPDATER_NO_FILES/, 'no-file'],
  [/^E(?:NOSPC|DQUOT|ACCES|PERM|ROFS|IO)$/, 'disk'],
];

/** By the code of the error. Failures of the network have none. */
function problemOf(error: unknown): UpdateProblem | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return problems.find(([pattern]) => pattern.test(code))?.[1];
}

/** Without control characters and those of direction, so that the text cannot pass for another. */
function plainNotes(notes: UpdateInfo['releaseNotes']): string {
  const given = typeof notes === 'string' ? notes : (notes ?? []).map(({ note }) => note ?? '').join('\n\n');
  const text = given
    .replaceAll('\r\n', '\n')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  if (text.length <= longestNotes) return text;
  // A pair of code units that make one character stays together.
  const start = text.slice(0, longestNotes).replace(/[\uD800-\uDBFF]$/, '');
  return `${start.trimEnd()}…`;
}
