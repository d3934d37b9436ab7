import {
  AppImageUpdater,
  type AppUpdater,
  MacUpdater,
  NsisUpdater,
  Provider,
  type ResolvedUpdateFileInfo,
  type UpdateInfo,
} from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { UpdateProblem } from '../../preload/contract/updates.ts';
import { keepAppImage } from './app-image.ts';
import { fetchAnnounced, isAnnounced } from './announced-file.ts';
import type { FeedFile } from './feed.ts';
import { type Fetch, isFailed } from './fetch-limited.ts';

/** The ways to install that the application itself can take. */
export type OwnWay = 'appimage' | 'nsis' | 'mac';

/** A file of a feed that was believed, and the folder on the server that it lies in. */
export type Announced = { version: string; folder: string; file: FeedFile };

type Outcome = { ok: true } | { ok: false; problem: UpdateProblem };

const updaters = { appimage: AppImageUpdater, nsis: NsisUpdater, mac: MacUpdater };

/**
 * Lets electron-updater put a file in the place of the version that runs. It gets no feed of its own to read and no way
 * to the network: what is announced comes from our feed, and what it downloads goes through `fetchAnnounced`.
 * @param options.folder the folder for what is downloaded; it belongs to us alone
 * @param options.restart ends the application; with a path, that is started afterwards
 */
export function createInstaller(options: {
  way: OwnWay;
  version: string;
  folder: string;
  fetch: Fetch;
  restart: (executable?: string) => void;
}) {
  const { way, version, folder, fetch, restart } = options;
  let downloaded: { updater: AppUpdater; file: FeedFile; path: string } | undefined;

  /** Downloads what was announced. `onPercent` is told whole numbers. */
  async function download(
    announced: Announced,
    signal: AbortSignal,
    onPercent: (percent: number) => void,
  ): Promise<Outcome> {
    const { file } = announced;
    let problem: UpdateProblem | undefined;
    const get = async (url: URL, destination: string): Promise<string> => {
      try {
        const onBytes = (bytes: number): void => onPercent(Math.floor((bytes / file.bytes) * 100));
        await fetchAnnounced({ fetch, url: url.href, file, destination, signal, onBytes });
        return destination;
      } catch (error) {
        if (isFailed(error)) ({ problem } = error);
        throw error;
      }
    };
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // electron-updater reads its configuration there. Nothing of it is needed, and it must be a file.
      await writeFile(configIn(folder), '{}\n');
      const updater = makeUpdater({ way, version, folder, announced, get });
      await updater.checkForUpdates();
      const [at] = await updater.downloadUpdate();
      if (at === undefined) return { ok: false, problem: 'not-installed' };
      downloaded = { updater, file, path: at };
      return { ok: true };
    } catch {
      return { ok: false, problem: problem ?? 'disk' };
    }
  }

  /** Installs what was downloaded, and ends the application. Whatever fails, the version that runs stays in its place. */
  async function install(): Promise<Outcome> {
    if (!downloaded) return { ok: false, problem: 'not-installed' };
    const { updater, file, path: at } = downloaded;
    // It may have lain there for days.
    if (!(await isAnnounced(at, file))) return { ok: false, problem: 'changed' };
    return (await putInPlace(updater, restart)) ? { ok: true } : { ok: false, problem: 'not-installed' };
  }

  return { download, install };
}

export type Installer = ReturnType<typeof createInstaller>;

/** Says whether it is there, or will be as soon as this process has ended. */
async function putInPlace(updater: AppUpdater, restart: (executable?: string) => void): Promise<boolean> {
  if (updater instanceof MacUpdater) {
    updater.quitAndInstall();
    return true;
  }
  if (updater instanceof AppImageUpdater) return replaceAppImage(updater, restart);
  if (!(updater instanceof NsisUpdater) || !updater.install(false, true)) return false;
  restart();
  return true;
}

async function replaceAppImage(updater: AppImageUpdater, restart: (executable: string) => void): Promise<boolean> {
  const kept = await keepAppImage(process.env['APPIMAGE'] ?? '');
  if (!kept) return false;
  let renamed: string | undefined;
  updater.on('appimage-filename-updated', (to) => (renamed = to));
  // It is started by us once this process has ended: two at once would share a profile.
  if (!updater.install(true, false)) {
    await kept.putBack(renamed);
    return false;
  }
  await kept.drop();
  restart(renamed ?? kept.path);
  return true;
}

const configIn = (folder: string): string => path.join(folder, 'app-update.yml');

function makeUpdater(options: {
  way: OwnWay;
  version: string;
  folder: string;
  announced: Announced;
  get: (url: URL, destination: string) => Promise<string>;
}): AppUpdater {
  const { way, version, folder, announced, get } = options;
  const adapter = {
    version,
    name: path.basename(folder),
    isPackaged: true,
    appUpdateConfigPath: configIn(folder),
    userDataPath: folder,
    baseCachePath: path.dirname(folder),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
  const updater = new updaters[way](undefined, adapter);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The field is there and is not in the types. Without it nothing is downloaded.
  (updater as unknown as { httpExecutor: { download: typeof get } }).httpExecutor = { download: get };
  updater.logger = null;
  updater.autoDownload = false;
  // Who said no to a restart did not mean the next one.
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  // The maps of differences are not signed.
  updater.disableDifferentialDownload = true;
  updater.setFeedURL({ provider: 'custom', updateProvider: believed(announced) });
  return updater;
}

/** Makes what electron-updater asks for the newest version: it answers what was believed already. */
function believed({ version, folder, file }: Announced) {
  const info: UpdateInfo = {
    version,
    files: [{ url: file.name, sha512: file.sha512, size: file.bytes }],
    path: file.name,
    sha512: file.sha512,
    releaseDate: '',
  };
  // electron-updater calls `new` on what it is given.
  return class extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }
    getLatestVersion = (): Promise<UpdateInfo> => Promise.resolve(info);
    resolveFiles = ({ files }: UpdateInfo): ResolvedUpdateFileInfo[] =>
      files.map((each) => ({ url: new URL(each.url, folder), info: each }));
  };
}
