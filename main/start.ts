import { app, clipboard, nativeTheme, session as electronSession, type BrowserWindow } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Language, ServiceStatus, Settings } from '../preload/contract/models.ts';
import { fail, ok } from '../preload/contract/result.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import type { CommandLine } from './command-line.ts';
import { builtInId, type ServiceSettings } from './config/config.ts';
import { openConfig } from './config/open-config.ts';
import { createSecretReferences } from './exchanges/secret-references.ts';
import type { Handlers } from './ipc/answer.ts';
import { notify, serveContract } from './ipc/serve.ts';
import { createLog } from './log.ts';
import { addContextMenu, setApplicationMenu } from './menu.ts';
import { createConnectionSecrets } from './environments/connection-secrets.ts';
import { createEnvironments, firstEnvironmentId, listEnvironments } from './environments/environments.ts';
import { createProductionGuard } from './environments/production-guard.ts';
import { createTransports } from './environments/transports.ts';
import { createHeldSessions } from './session/held-sessions.ts';
import { createSession, type ClientFor } from './session/session.ts';
import { createAppState } from './state/app-state.ts';
import { createSafeStorageCipher } from './vault/safe-storage-cipher.ts';
import { createVault } from './vault/vault.ts';
import { appOrigin, serveRenderer } from './windows/app-protocol.ts';
import { createMainWindow } from './windows/main-window.ts';
import { keepPicture } from './windows/window-picture.ts';
import { denyEverythingElse } from './windows/security.ts';
import { chooseFile, confirmSecrets } from './windows/system-dialogs.ts';

/** Beside the executable of a distribution that is not Electron's own; the start script puts it there. */
const thirdPartyMarker = 'llavero-third-party-electron.txt';

/** The port of the embedded service; the next free one if it is taken. */
const servicePort = 4848;

/** Builds the application out of its parts, in the order in which a person needs them. */
export async function start(commandLine: CommandLine): Promise<void> {
  const folder = app.getPath('userData');
  const log = createLog(path.join(folder, 'logs'));
  const { config, brokenFile } = await openConfig(folder, (error) =>
    log.warn('config.json could not be written', error),
  );
  if (brokenFile !== undefined)
    log.warn(`config.json could not be read and was set aside as ${path.basename(brokenFile)}`);

  const devServer = app.isPackaged ? undefined : process.env['LLAVERO_DEV_SERVER'];
  const inspectable = !app.isPackaged;
  const pageUrl = devServer ?? `${appOrigin}/`;
  const isOwnPage = (url: string): boolean =>
    url === appOrigin || url.startsWith(`${appOrigin}/`) || isFrom(devServer, url);

  const languageOf = ({ language }: Settings): Language =>
    language === 'system' ? systemLanguage(commandLine.language) : language;

  const held = createHeldSessions(config);
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
      environments: listEnvironments(config.get(), ''),
      activeEnvironmentId: firstEnvironmentId(config.get()),
      sessions: held.list(),
      service: { state: 'starting' },
      vault: { state: 'asking' },
      session: { step: 'signed-out' },
    },
    (changed) => notify(window?.webContents, 'app.changed', changed),
  );

  const vault = createVault({
    file: path.join(folder, 'vault.json'),
    cipher: createSafeStorageCipher(),
    onStatus: (status) => state.change({ vault: status }),
  });
  const secrets = createConnectionSecrets(vault);
  const references = createSecretReferences();
  const exchanges = createLazy(() =>
    import('./exchanges/exchanges.ts').then(({ createExchanges }) =>
      createExchanges({
        file: path.join(folder, 'exchanges.sqlite'),
        references,
        limits: () => config.get().exchangeLimits,
        pathsOf: (id) => config.get().environments.find((each) => each.id === id)?.dialect.pinned,
        onRecorded: (summary) => notify(window?.webContents, 'exchange.recorded', summary),
        warn: log.warn,
      }),
    ),
  );
  const transports = createTransports({
    resolveProxy: createLazyProxyResolver(),
    secretOf: secrets.read,
    record: (id, exchange) => void exchanges().then((loaded) => loaded.record(id ?? '', exchange)),
  });
  const service = Promise.withResolvers<ServiceStatus>();
  const clientFor: ClientFor = async (environmentId, ownAddress) => {
    const builtIn = environmentId === builtInId;
    // Its own address is the only one a session of the embedded service is ever sent to, whatever listens elsewhere.
    const status = builtIn ? await service.promise : undefined;
    if (status?.state === 'failed') return fail({ kind: 'service-stopped', message: status.message });
    const environment = state.get().environments.find(({ id }) => id === environmentId);
    const baseUrl = (builtIn ? undefined : ownAddress) ?? environment?.baseUrl;
    if (!environment || !baseUrl) return fail({ kind: 'not-now' });
    const [{ createClient }, transport] = await Promise.all([
      import('./client/client.ts'),
      transports.for(environment),
    ]);
    const client = createClient({
      transport,
      baseUrl,
      // The interface lists no such header: only the embedded service, whose choices are ours, is told the language.
      ...(builtIn && { acceptLanguage: state.get().language }),
      paths: environment.pinned,
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
    learn: (environmentId, reading) => environments.learn(environmentId, reading),
    warn: log.warn,
  });
  const environments = createEnvironments({
    config,
    state,
    session,
    held,
    production,
    secrets,
    transports,
    onRemoved: (id) => void exchanges().then((loaded) => loaded.clear(id, true)),
    chooseFile: (purpose) => chooseFile(purpose, state.get().language, window),
  });
  const handOver = createLazy(async () => {
    const { createHandOver } = await import('./exchanges/hand-over.ts');
    return createHandOver({
      exchanges: await exchanges(),
      references,
      tokenOf: (id) => session.tokenOf(id),
      confirmSecrets: (count) => confirmSecrets(count, state.get().language, window),
      clipboard,
      chooseFile: (purpose) => chooseFile(purpose, state.get().language, window),
      version: app.getVersion(),
    });
  });
  const contractRuns = createLazy(async () => {
    const { createContractRuns } = await import('./conformance/runs.ts');
    return createContractRuns({
      environments: () => state.get().environments,
      transportFor: (environment) => transports.for(environment),
      references,
      toolVersion: app.getVersion(),
      language: () => state.get().language,
      onStep: (step) => notify(window?.webContents, 'conformance.progressed', step),
      chooseFile: (purpose) => chooseFile(purpose, state.get().language, window),
      clipboard,
      report: log.report,
    });
  });
  state.change({ session: session.initial(state.get().activeEnvironmentId) });

  const handlers: Handlers = {
    app: { state: () => ok(state.get()) },
    session: {
      login: session.login,
      register: session.register,
      check: () => session.check(),
      logout: ({ tellServer }) => session.logout(tellServer),
      addAccount: () => session.addAccount(),
      cancel: () => session.cancel(),
    },
    sessions: {
      use: ({ id }) => environments.useSession(id),
      check: ({ id }) => session.checkHeld(id),
      logout: ({ id, tellServer }) => session.logoutHeld(id, tellServer),
      forget: ({ id }) => session.forgetHeld(id),
      revoke: ({ id }) => session.revoke(id),
    },
    environments: {
      use: ({ id }) => environments.use(id),
      useAddress: ({ address }) => environments.useAddress(address),
      create: (entered) => environments.create(entered),
      edit: (entered) => environments.edit(entered),
      duplicate: ({ id }) => environments.duplicate(id),
      move: ({ id, by }) => environments.move(id, by),
      remove: ({ id }) => environments.remove(id),
      confirmProduction: ({ id, host }) => environments.confirmProduction(id, host),
      trust: ({ id, sha256 }) => environments.trust(id, sha256),
      distrust: ({ id }) => environments.distrust(id),
      test: (entered) => environments.test(entered),
      chooseFile: ({ purpose }) => environments.chooseConnectionFile(purpose),
      importFile: () => environments.importFile(),
      exportFile: () => environments.exportFile(),
    },
    exchanges: {
      list: async ({ filter, offset }) => (await exchanges()).list(filter, offset),
      get: async ({ id }) => (await exchanges()).get(id),
      pin: async ({ id, pinned }) => (await exchanges()).pin(id, pinned),
      copy: async ({ id, form, secrets: wanted }) => (await handOver()).copy(id, form, wanted),
      exportFile: async ({ filter, form }) => (await handOver()).exportFile(filter, form),
      importHar: async () => (await handOver()).importHar(),
      clear: async ({ environmentId, pinnedToo }) => (await exchanges()).clear(environmentId, pinnedToo),
    },
    conformance: {
      state: async () => (await contractRuns()).state(),
      plan: async (options) => ok((await import('./conformance/run.ts')).planRun(options)),
      start: async (wanted) => (await contractRuns()).start(wanted),
      cancel: async () => (await contractRuns()).cancel(),
      again: async ({ environmentId, caseId }) => (await contractRuns()).again(environmentId, caseId),
      evidence: async ({ environmentId, id }) => (await contractRuns()).evidence(environmentId, id),
      copy: async ({ environmentId, id }) => (await contractRuns()).copy(environmentId, id),
      exportFile: async ({ environmentId, form }) => (await contractRuns()).exportFile(environmentId, form),
      compare: async ({ environmentId, otherId }) => (await contractRuns()).compare(environmentId, otherId),
      compareFile: async ({ environmentId }) => (await contractRuns()).compareFile(environmentId),
    },
    settings: {
      change(patch) {
        const settings = { ...config.get().settings, ...withoutUndefined(patch) };
        config.change({ settings });
        nativeTheme.themeSource = settings.theme;
        setApplicationMenu(languageOf(settings), inspectable);
        return ok(state.change({ settings, language: languageOf(settings) }));
      },
    },
  };
  serveContract({ handlers, trusted: () => window?.webContents, isOwnPage, report: log.report });

  nativeTheme.themeSource = config.get().settings.theme;
  denyEverythingElse((url) => isOwnPage(url) || isFrom(devServer?.replace('http', 'ws'), url), log.warn);
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

  let closeService = async (): Promise<void> => undefined;
  quitGracefully(async () => {
    await contractRuns.ifLoaded(async (loaded) => loaded.close());
    await closeService();
    await handOver.ifLoaded(async (loaded) => loaded.close());
    await exchanges.ifLoaded(async (loaded) => loaded.close());
  });

  await painted;
  shown.show();
  setApplicationMenu(state.get().language, inspectable);

  // Only now what can wait for the first frame: the service, the system's secret store, the stored session.
  const starting = startEmbeddedService(path.join(folder, 'service.sqlite'), config.get().service, log).then(
    (started) => {
      closeService = started.close;
      const builtInUrl = started.status.state === 'running' ? started.status.baseUrl : '';
      state.change({ service: started.status, environments: listEnvironments(config.get(), builtInUrl) });
      service.resolve(started.status);
      // The same line as `serve`, for scripts.
      if (commandLine.virtualDisplay && builtInUrl !== '')
        process.stdout.write(`${JSON.stringify({ baseUrl: builtInUrl })}\n`);
    },
  );
  await Promise.all([starting, vault.open(), session.restore()]).catch((error: unknown) => {
    log.report(error);
  });
  // What the first login needs, read while the person types.
  await Promise.all([import('./client/client.ts'), import('./client/transport.ts')]);
}

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
      createProxyResolver({
        system: () => electronSession.defaultSession,
        sessionFor: (partition) => electronSession.fromPartition(partition),
      }),
    );
    return (await resolver)(origin, pacUrl);
  };
}

async function startEmbeddedService(
  databaseFile: string,
  { loginsPerMinute, registrationsPerMinute, tokenDays, argon2 }: ServiceSettings,
  log: ReturnType<typeof createLog>,
): Promise<{ status: ServiceStatus; close: () => Promise<void> }> {
  const { startService } = await import('./service/server.ts');
  // Also a fault of ours must not leave the window at "starting" for ever.
  const started = await startService({
    database: { file: databaseFile },
    port: servicePort,
    portSearch: true,
    limits: {
      login: { most: loginsPerMinute, windowSeconds: 60 },
      registration: { most: registrationsPerMinute, windowSeconds: 60 },
    },
    tokenLifetimeSeconds: tokenDays * 86_400,
    ...(argon2 && { argon2 }),
    log: (line) => log.warn(line),
  }).catch((error: unknown) => ({
    ok: false as const,
    message: `a fault of ours, see the log (${log.report(error)})`,
  }));
  if (!started.ok) {
    log.warn(`the embedded service could not start: ${started.message}`);
    return { status: { state: 'failed', message: started.message }, close: async () => undefined };
  }
  return { status: { state: 'running', baseUrl: started.service.baseUrl }, close: () => started.service.close() };
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

function withoutUndefined(patch: { [K in keyof Settings]?: Settings[K] | undefined }): Partial<Settings> {
  return {
    ...(patch.language !== undefined && { language: patch.language }),
    ...(patch.theme !== undefined && { theme: patch.theme }),
  };
}
