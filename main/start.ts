import { app, clipboard, nativeTheme, powerMonitor, session as electronSession, type BrowserWindow } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Language, Settings } from '../preload/contract/models.ts';
import { fail, ok, type Result } from '../preload/contract/result.ts';
import type { Controls } from './built-in-server/controls.ts';
import { createDemo } from './built-in-server/demo.ts';
import { behavesWell, createBuiltInServer } from './built-in-server/built-in-server.ts';
import { startEmbeddedService, type StartedService } from './built-in-server/start-service.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import type { Call } from './client/transport.ts';
import type { CommandLine } from './command-line.ts';
import { builtInId } from './config/config.ts';
import { openConfig } from './config/open-config.ts';
import type { OfRun } from './calls/calls.ts';
import { createSecretReferences } from './calls/secret-references.ts';
import type { Handlers } from './ipc/answer.ts';
import { notify, serveContract } from './ipc/serve.ts';
import { startAutoLock } from './lock/auto-lock.ts';
import { createLock } from './lock/lock.ts';
import { defaultPinCost, openPin } from './lock/pin.ts';
import { createLog } from './log.ts';
import { addContextMenu, setApplicationMenu } from './menu.ts';
import { createConnectionSecrets } from './servers/connection-secrets.ts';
import { createServers, firstServerId, listServers } from './servers/servers.ts';
import { createProductionGuard } from './servers/production-guard.ts';
import { createTransports } from './servers/transports.ts';
import { createHeldSessions } from './session/held-sessions.ts';
import { demoPerson } from './service/data/demo-person.ts';
import { createSession, type ClientFor } from './session/session.ts';
import { createAppState } from './state/app-state.ts';
import { createFileNotices } from './state/file-notices.ts';
import { createSystemCipher } from './vault/system-cipher.ts';
import { createVault } from './vault/vault.ts';
import { appOrigin, serveRenderer } from './windows/app-protocol.ts';
import { createMainWindow } from './windows/main-window.ts';
import { openOutside } from './windows/outside-links.ts';
import { keepPicture } from './windows/window-picture.ts';
import { denyEverythingElse } from './windows/security.ts';
import {
  chooseFile,
  confirmErase,
  confirmSecrets,
  sayNotErased,
  type FileDialogPurpose,
} from './windows/system-dialogs.ts';

/** Beside the executable of a distribution that is not Electron's own; the start script puts it there. */
const thirdPartyMarker = 'llavero-third-party-electron.txt';

/** Milliseconds, from when the window is shown, and from then on. */
const FIRST_FRAME_WITHIN_MS = 3000;
const AFTER_FIRST_FRAME_MS = 100;

/**
 * Builds the application out of its parts, in the order in which a person needs them. To be called before Electron is
 * ready: the files that the window needs are read meanwhile.
 */
export async function start(commandLine: CommandLine): Promise<void> {
  const folder = app.getPath('userData');
  const references = createSecretReferences();
  const logFolder = path.join(folder, 'logs');
  const log = createLog(logFolder, references.hide);
  const notices = createFileNotices();
  const [config, pin] = await Promise.all([
    openConfig(folder, notices, log.warn),
    openPin(path.join(folder, 'lock.json'), defaultPinCost, notices.tell),
  ]);
  await app.whenReady();

  const devServer = app.isPackaged ? undefined : process.env['LLAVERO_DEV_SERVER'];
  const inspectable = !app.isPackaged || commandLine.developerTools;
  const pageUrl = devServer ?? `${appOrigin}/`;
  const isOwnPage = (url: string): boolean =>
    url === appOrigin || url.startsWith(`${appOrigin}/`) || isFrom(devServer, url);

  const languageOf = ({ language }: Settings): Language =>
    language === 'system' ? systemLanguage(commandLine.language) : language;

  const held = createHeldSessions(config, demoPerson.email);
  // The state is told to the window, which is made of the state: so the window comes later.
  let window: BrowserWindow | undefined;
  const state = createAppState(
    {
      version: app.getVersion(),
      electron: {
        version: process.versions.electron ?? '',
        thirdParty: existsSync(path.join(path.dirname(process.execPath), thirdPartyMarker)),
      },
      settings: config.get().settings,
      language: languageOf(config.get().settings),
      pin: pin.isSet(),
      servers: listServers(config.get(), ''),
      activeServerId: firstServerId(config.get()),
      sessions: held.list(),
      builtIn: { state: 'starting' },
      behaviour: behavesWell,
      vault: { state: 'asking' },
      files: notices.list(),
      session: { step: 'signed-out' },
    },
    (changed) => notify(window?.webContents, 'app.changed', changed),
  );
  notices.onChange((files) => void state.change({ files }));

  const cipher = createSystemCipher(folder);
  const vault = createVault({
    file: path.join(folder, 'vault.json'),
    cipher,
    onStatus(status) {
      state.change({ vault: status });
      // Not before there is a session, and never within what the vault is doing.
      if (status.state === 'protected') setImmediate(() => void session.vaultOpened().catch(log.report));
    },
    onFileNotice: notices.tell,
  });
  const secrets = createConnectionSecrets(vault);
  const calls = createLazy(() =>
    import('./calls/calls.ts').then(({ createCalls }) =>
      createCalls({
        file: path.join(folder, 'exchanges.sqlite'),
        references,
        limits: () => config.get().callLimits,
        pathsOf: (id) => config.get().servers.find((each) => each.id === id)?.dialect.pinned,
        onRecorded(summary) {
          if (!state.isLocked()) notify(window?.webContents, 'call.recorded', summary);
        },
        onFileNotice: notices.tell,
        warn: log.warn,
      }),
    ),
  );
  /** A server that was removed leaves nothing behind, also of calls that were under way. */
  const record = (id: string | undefined, call: Call, run?: OfRun): void => {
    if (id !== undefined && config.get().servers.every((each) => each.id !== id)) return;
    void calls().then((loaded) => loaded.record(id ?? '', call, run));
  };
  const transports = createTransports({
    resolveProxy: createLazyProxyResolver(),
    secretOf: secrets.read,
    record,
  });
  const service = Promise.withResolvers<StartedService>();
  const controls = async (): Promise<Result<Controls>> => {
    const started = await service.promise;
    return started.controls ? ok(started.controls) : fail({ kind: 'built-in-stopped', message: started.message });
  };
  const clientFor: ClientFor = async (serverId, ownAddress) => {
    const builtIn = serverId === builtInId;
    // Its own address is the only one a session of the embedded service is ever sent to, whatever listens elsewhere.
    const status = builtIn ? (await service.promise).status : undefined;
    if (status?.state === 'failed') return fail({ kind: 'built-in-stopped', message: status.message });
    const server = state.get().servers.find(({ id }) => id === serverId);
    const baseUrl = (builtIn ? undefined : ownAddress) ?? server?.baseUrl;
    if (!server || !baseUrl) return fail({ kind: 'not-now' });
    const [{ createClient }, transport] = await Promise.all([import('./client/client.ts'), transports.for(server)]);
    const client = createClient({
      transport,
      baseUrl,
      // The interface lists no such header: only the embedded service, whose choices are ours, is told the language.
      ...(builtIn && { acceptLanguage: state.get().language }),
      paths: server.pinned,
    });
    return ok({ client, baseUrl });
  };

  const production = createProductionGuard(config);
  const session = createSession({
    config,
    vault,
    state,
    held,
    clientFor,
    production,
    references,
    // Written to the disk while the next answer is waited for, or the screen is painted.
    learn: (serverId, reading) => void setImmediate(() => servers.learn(serverId, reading)),
    warn: log.warn,
  });
  const choose = async (purpose: FileDialogPurpose): Promise<string | undefined> => {
    const chosen = await chooseFile(purpose, state.get().language, window);
    // A dialog that was open while the application locked itself chooses nothing.
    return state.isLocked() ? undefined : chosen;
  };
  const servers = createServers({
    config,
    state,
    session,
    held,
    production,
    secrets,
    transports,
    onRemoved: (id) => void calls().then((loaded) => loaded.clear(id, true)),
    chooseFile: choose,
  });
  const builtInServer = createBuiltInServer({
    controls,
    state,
    onRequest: () => notify(window?.webContents, 'builtIn.requested', null),
  });
  const demo = createDemo({ controls, config, state, session, servers });
  const transfer = createLazy(async () => {
    const { createTransfer } = await import('./calls/transfer.ts');
    return createTransfer({
      calls: await calls(),
      limits: () => config.get().callLimits,
      references,
      tokenOf: (id) => session.tokenOf(id),
      // The dialog may have been left open when the application was locked.
      confirmSecrets: async (count) => (await confirmSecrets(count, state.get().language, window)) && !state.isLocked(),
      clipboard,
      chooseFile: choose,
      version: app.getVersion(),
    });
  });
  const replay = createLazy(async () => {
    const { createReplay } = await import('./calls/replay.ts');
    return createReplay({
      calls: await calls(),
      references,
      held,
      tokenOf: (id) => session.tokenOf(id),
      state,
      production,
      transports,
    });
  });
  const contractRuns = createLazy(async () => {
    const { createContractRuns } = await import('./contract-run/runs.ts');
    return createContractRuns({
      servers: () => state.get().servers,
      transportFor: (server) => transports.for(server),
      references,
      record,
      toolVersion: app.getVersion(),
      language: () => state.get().language,
      onStep(step) {
        if (!state.isLocked()) notify(window?.webContents, 'contractRun.progressed', step);
      },
      chooseFile: choose,
      clipboard,
      report: log.report,
    });
  });
  state.change({ session: session.initial(state.get().activeServerId) });

  const lock = createLock({
    pin,
    vault,
    session,
    state,
    forgetSecrets() {
      void contractRuns.ifLoaded(async (loaded) => loaded.lock());
      transports.closeAll();
      void transfer.ifLoaded(async (loaded) => loaded.close());
      // The calls that were cut off are recorded first: their secrets can only be taken out while they are known.
      const replayed = replay.ifLoaded((loaded) => loaded.close());
      void Promise.all([replayed, nextTurn()])
        .then(() => calls.ifLoaded(async (loaded) => loaded.flush()))
        .finally(() => references.forget());
    },
  });
  if (pin.isSet()) lock.lock('start');
  const lockNow = (): void => void lock.lock('by-hand');

  const autoLock = startAutoLock({ settings: () => config.get().settings, powerMonitor, lock: lock.lock });
  let closeService = async (): Promise<void> => undefined;
  async function closeEverything(): Promise<void> {
    autoLock.stop();
    await session.clearKept();
    await contractRuns.ifLoaded(async (loaded) => loaded.close());
    // A clean-up call may need a secret of its connection.
    cipher.close();
    await closeService();
    await transfer.ifLoaded(async (loaded) => loaded.close());
    await calls.ifLoaded(async (loaded) => loaded.close());
  }

  const diagnostics = async (): Promise<string> =>
    (await import('./storage/diagnostics.ts')).diagnosticsOf(state.get(), logFolder);

  const firstFrame = Promise.withResolvers<void>();
  const handlers: Handlers = {
    app: {
      state: () => ok(state.shown()),
      painted() {
        firstFrame.resolve();
        return ok({});
      },
    },
    session: {
      login: session.login,
      register: session.register,
      check: () => session.check(),
      logout: ({ tellServer }) => session.logout(tellServer),
      addAccount: () => session.addAccount(),
      cancel: () => session.cancel(),
    },
    sessions: {
      use: ({ id }) => servers.useSession(id),
      check: ({ id }) => session.checkHeld(id),
      logout: ({ id, tellServer }) => session.logoutHeld(id, tellServer),
      forget: ({ id }) => session.forgetHeld(id),
      revoke: ({ id }) => session.revoke(id),
    },
    servers: {
      use: ({ id }) => servers.use(id),
      useAddress: ({ address }) => servers.useAddress(address),
      create: (entered) => servers.create(entered),
      edit: (entered) => servers.edit(entered),
      duplicate: ({ id }) => servers.duplicate(id),
      move: ({ id, by }) => servers.move(id, by),
      remove: ({ id }) => servers.remove(id),
      confirmProduction: ({ id, host }) => servers.confirmProduction(id, host),
      trust: ({ id, sha256 }) => servers.trust(id, sha256),
      distrust: ({ id }) => servers.distrust(id),
      test: (entered) => servers.test(entered),
      cancelTest: () => servers.cancelTest(),
      openInBrowser: async () => {
        const { servers: all, activeServerId, language } = state.get();
        const { baseUrl } = all.find(({ id }) => id === activeServerId) ?? {};
        return baseUrl === undefined ? fail({ kind: 'not-now' }) : openOutside(baseUrl, language, window);
      },
      chooseFile: ({ purpose }) => servers.chooseConnectionFile(purpose),
      importFile: () => servers.importFile(),
      exportFile: () => servers.exportFile(),
    },
    calls: {
      list: async ({ filter, offset }) => (await calls()).list(filter, offset),
      get: async ({ id }) => (await calls()).get(id),
      pin: async ({ id, pinned }) => (await calls()).pin(id, pinned),
      copy: async ({ id, form, secrets: wanted }) => (await transfer()).copy(id, form, wanted),
      exportFile: async ({ filter, form }) => (await transfer()).exportFile(filter, form),
      importHar: async () => (await transfer()).importHar(),
      replayChanges: async ({ id }) => (await replay()).changes(id),
      replay: async ({ id, change, secrets: typed }) => (await replay()).replay(id, change, typed),
      cancelReplay: async () => (await replay()).cancel(),
      clear: async ({ serverId, pinnedToo }) => (await calls()).clear(serverId, pinnedToo),
      limits: () => ok(config.get().callLimits),
      setLimits(callLimits) {
        config.change({ callLimits });
        return ok(config.get().callLimits);
      },
    },
    vault: {
      retry: async () => {
        await vault.retry();
        return ok(state.get());
      },
    },
    lock: {
      now: () => ok(lock.lock('by-hand')),
      unlock: (given) => lock.unlock(given.pin),
      setPin: (given) => lock.setPin(given.pin, given.current),
      removePin: ({ current }) => lock.removePin(current),
    },
    builtIn: builtInServer.handlers,
    demo,
    contractRun: {
      state: async () => (await contractRuns()).state(),
      plan: async (options) => ok((await import('./contract-run/run.ts')).planRun(options)),
      start: async (wanted) => (await contractRuns()).start(wanted),
      cancel: async () => (await contractRuns()).cancel(),
      again: async ({ serverId, caseId }) => (await contractRuns()).again(serverId, caseId),
      evidence: async ({ serverId, id }) => (await contractRuns()).evidence(serverId, id),
      copy: async ({ serverId, id }) => (await contractRuns()).copy(serverId, id),
      exportFile: async ({ serverId, form }) => (await contractRuns()).exportFile(serverId, form),
      compare: async ({ serverId, otherId }) => (await contractRuns()).compare(serverId, otherId),
      compareFile: async ({ serverId }) => (await contractRuns()).compareFile(serverId),
    },
    storage: {
      overview: async () => ok(await (await import('./storage/overview.ts')).overviewOf(folder)),
      diagnostics: async () => ok({ text: await diagnostics() }),
      async copyDiagnostics() {
        await clipboard.writeText(await diagnostics());
        return ok({ copied: true });
      },
      async eraseEverything() {
        const { language } = state.get();
        if (!(await confirmErase(language, window)) || state.isLocked()) return ok({ erased: false as const });
        await session.dropAll();
        await cipher.forget();
        await closeEverything();
        const left = await (await import('./storage/erase.ts')).eraseFolder(folder);
        if (left.length > 0) sayNotErased(left, language);
        // Not by closing the window, which would be remembered in the settings that were just erased.
        app.exit(left.length > 0 ? 1 : 0);
        return ok({ erased: false as const });
      },
    },
    settings: {
      async change(patch) {
        // In front of a locked window nobody changes when it locks.
        if (state.isLocked() && Object.keys(withoutUndefined(patch)).some((key) => !safeWhileLocked.has(key)))
          return fail({ kind: 'locked' });
        const before = config.get().settings;
        const settings = { ...before, ...withoutUndefined(patch) };
        config.change({ settings });
        nativeTheme.themeSource = settings.theme;
        setApplicationMenu(languageOf(settings), inspectable, lockNow);
        state.change({ settings, language: languageOf(settings) });
        if (settings.clearOnQuit !== before.clearOnQuit) await session.setClearOnQuit(settings.clearOnQuit);
        return ok(state.shown());
      },
    },
  };
  serveContract({
    handlers,
    trusted: () => window?.webContents,
    isOwnPage,
    report: log.report,
    isLocked: state.isLocked,
  });

  nativeTheme.themeSource = config.get().settings.theme;
  await denyEverythingElse((url) => isOwnPage(url) || isFrom(devServer?.replace('http', 'ws'), url), log.warn, {
    offline: devServer === undefined,
  });
  serveRenderer(path.join(import.meta.dirname, '../renderer'));
  const shown = createMainWindow({ pageUrl, config, inspectable });
  window = shown;
  if (commandLine.virtualDisplay) keepPicture(shown, path.join(folder, 'window.png'));
  addContextMenu(shown, () => state.get().language);
  const painted = new Promise<void>((resolve) => void shown.once('ready-to-show', resolve));
  app.on('second-instance', () => {
    if (shown.isMinimized()) shown.restore();
    shown.focus();
  });

  quitGracefully(closeEverything);

  await painted;
  shown.show();
  setApplicationMenu(state.get().language, inspectable, lockNow);

  // `ready-to-show` comes with a frame that is still empty. A page that could not be read paints none.
  await Promise.race([firstFrame.promise, wait(FIRST_FRAME_WITHIN_MS, undefined, { ref: false })]);
  // The first key must not wait behind the service's code, which takes the thread that passes keys on.
  await wait(AFTER_FIRST_FRAME_MS);
  // Only now what can wait for the first frame: the service, the system's secret store, the stored session.
  const starting = startEmbeddedService(path.join(folder, 'service.sqlite'), config.get().service, log).then(
    (started) => {
      closeService = started.close;
      const builtInUrl = started.status.state === 'running' ? started.status.baseUrl : '';
      state.change({ builtIn: started.status, servers: listServers(config.get(), builtInUrl) });
      if (started.controls) builtInServer.follow(started.controls);
      service.resolve(started);
      // The same line as `serve`, for scripts.
      if (commandLine.virtualDisplay && builtInUrl !== '')
        process.stdout.write(`${JSON.stringify({ baseUrl: builtInUrl })}\n`);
    },
  );
  await Promise.all([
    starting,
    // What was left by a crash, before it could be restored.
    session.clearKept().then(() => (state.isLocked() ? undefined : Promise.all([vault.open(), session.restore()]))),
  ]).catch((error: unknown) => {
    log.report(error);
  });
  // What the first login needs, read while the person types.
  await Promise.all([import('./client/client.ts'), import('./client/transport.ts')]);
}

const safeWhileLocked: ReadonlySet<string> = new Set<keyof Settings>(['language', 'theme']);

type Lazy<T> = (() => Promise<T>) & { ifLoaded: (use: (loaded: T) => Promise<void>) => Promise<void> };

/** What is made with its first use. */
function createLazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  return Object.assign((): Promise<T> => (loading ??= load()), {
    ifLoaded: async (use: (loaded: T) => Promise<void>) => {
      if (loading) await use(await loading);
    },
  });
}

/** Electron's own resolver, loaded with the first question. */
function createLazyProxyResolver(): ResolveProxy {
  let resolver: Promise<ResolveProxy> | undefined;
  return async (origin, pacUrl) => {
    resolver ??= import('./network/proxy-resolver.ts').then(({ createProxyResolver }) =>
      createProxyResolver((partition) => electronSession.fromPartition(partition)),
    );
    return (await resolver)(origin, pacUrl);
  };
}

/** Ends on the window's close, on SIGINT and on SIGTERM alike, and lets the service finish what it is answering. */
function quitGracefully(close: () => Promise<void>): void {
  let closed = false;
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    void close().finally(() => {
      closed = true;
      // Not within the promise: with a debugger attached, as in the tests, Electron would then never end.
      setImmediate(() => app.quit());
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}

/** The language asked for on the command line, else the first of the system's that we speak. */
function systemLanguage(forced: string | undefined): Language {
  const wanted = forced === undefined ? app.getPreferredSystemLanguages() : [forced];
  const spoken = wanted.map((tag) => tag.toLowerCase().split(/[-_]/)[0]).find((tag) => tag === 'es' || tag === 'en');
  return spoken === 'es' ? 'es' : 'en';
}

function isFrom(origin: string | undefined, url: string): boolean {
  return origin !== undefined && (url === origin || url.startsWith(`${origin}/`));
}

/** What was given; the type of a partial input has each key with `undefined` too. */
function withoutUndefined(patch: { [K in keyof Settings]?: Settings[K] | undefined }): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
