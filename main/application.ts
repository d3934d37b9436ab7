import path from 'node:path';
import type { Handlers } from '../preload/contract/contract.ts';
import { ok, type Result } from '../preload/contract/result.ts';
import { createLazyCalls } from './tools/calls/lazy-calls.ts';
import { builtInId } from './account/config/server-ids.ts';
import { BuiltInServer } from './tools/local-servers/built-in-server.ts';
import { createLazyChecks } from './tools/checks/lazy-checks.ts';
import { createDemo } from './tools/local-servers/demo.ts';
import { MockServers } from './tools/local-servers/mock-servers.ts';
import { createImportHandlers } from './tools/import/import-handlers.ts';
import { TrialRunner } from './tools/trial-runner.ts';
import { createLock, lockHandlers } from './account/lock/lock.ts';
import { createInitialState, type InitialState } from './initial-state.ts';
import type { Ports } from './ports.ts';
import { createSecretClipboard } from './files/secret-clipboard.ts';
import { createUserPrompts } from './window/prompts/user-prompts.ts';
import { interfaceHandlers, serverHandlers } from './account/servers/server-handlers.ts';
import { Servers } from './account/servers/servers.ts';
import { unfinishedImportHandlers } from './account/servers/unfinished-import-handlers.ts';
import { createLastCallTracker } from './account/state/last-calls.ts';
import { ExpiryTimer } from './account/sessions/expiry.ts';
import { profileHandlers } from './account/sessions/profile-handlers.ts';
import { sessionHandlers, Sessions } from './account/sessions/sessions.ts';
import { createNotifications } from './window/notifications.ts';
import { createLinkHandler } from './account/servers/link-handler.ts';
import { settingsHandlers } from './account/settings-handlers.ts';
import { storageHandlers } from './account/storage/storage-handlers.ts';
import { Updates } from './window/updates/updates.ts';
import { Vault } from './account/vault/vault.ts';

export type Application = ReturnType<typeof createApplication>;

/**
 * Creates the application without its window. It knows nothing of Electron, so that tests use it as it is.
 * @param first what the window shows already
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is the list of the handlers.
export function createApplication(ports: Ports, first = createInitialState(ports)) {
  const { config, cipher } = ports;
  const parts = createParts(ports, first);
  const { state, vault, session, servers, builtIn, mockServers, calls, checks, lock, prompts, updates, trial } = parts;

  const close = () => parts.disposables.disposeAsync();

  const { session: sessionMethods, sessions } = sessionHandlers(session);
  const handlers: Handlers = {
    app: {
      state: () => ok(state.shown()),
      painted: () => ok({}),
      showQuestion() {
        ports.bringToFront();
        return ok(null);
      },
      about: async () => ok((await import('./window/read-about.ts')).readAbout()),
      licences: async () => ok(await (await import('./window/read-about.ts')).loadLicences(ports.licenceFiles)),
    },
    session: sessionMethods,
    sessions: { ...sessions, ...tokenHandlers(parts), choose: (id) => servers.chooseSession(id) },
    profile: profileHandlers({
      ...ports,
      ...ports.dialogs,
      ...prompts,
      state,
      rawProfileOf: (id) => session.presenter.rawProfileOf(id),
    }),
    servers: serverHandlers(servers),
    interfaces: {
      ...interfaceHandlers(servers),
      ...createImportHandlers((purpose) => prompts.chooseFile(purpose)),
      ...trial.handlers,
      ...unfinishedImportHandlers(config),
    },
    calls: calls.handlers,
    vault: {
      async retry() {
        await vault.retry();
        return ok(null);
      },
    },
    lock: lockHandlers(lock),
    builtIn,
    demo: createDemo({ ...parts, demoEmail: ports.demoEmail }),
    mocks: mockServers,
    checks: checks.handlers,
    storage: storageHandlers({ ...ports, ...prompts, state, session, close, forgetKey: cipher.forget }),
    updates: updates.handlers,
    settings: settingsHandlers({ config, state, credentials: session.credentials, onChanged: ports.onSettings }),
  };

  const links = createLinkHandler({
    ...ports,
    servers: () => ({ listed: state.get().servers, activeId: state.get().activeServerId }),
    language: () => state.get().language,
    isLocked: state.isLocked,
    ask: (question) => prompts.confirmLink(question),
    async choose(id) {
      await servers.choose({ id });
      ports.notify('app.command', 'page-account');
    },
  });

  return {
    handlers,
    state,
    /** Opens a link `llavero://server/NAME`. */
    openLink: (link: string) => links.open(link),
    lock: lock.lock,
    /** No timer ran while the computer slept. */
    onResume() {
      parts.expiryTimer.wake();
      if (!state.isLocked()) void session.startRetries();
    },
    /** A password in memory does not stay there while the computer sleeps. */
    onSuspend: () => session.logins.pending.end({ kind: 'code-dropped' }),
    close,

    /** Starts what can wait for the first frame: the built-in server, the vault, the stored session. */
    begin: () => begin(parts),

    /** Resolves when the built-in server runs or has failed to start, however long the secret store takes. */
    builtInStarted: () => builtIn.started(),

    prompts,

    /** For tests. */
    parts,
  };
}

type Parts = ReturnType<typeof createParts>;

/** They are loaded when first called: most people never do. */
function tokenHandlers({ sessionStore, session, servers, prompts, secretClipboard }: Parts): TokenHandlers {
  const options = {
    sessionStore,
    secretClipboard,
    ask: prompts.ask,
    credentials: session.credentials,
    clientFor: servers.clients.for.bind(servers.clients),
  };
  const load = () => import('./account/sessions/token-details.ts');
  return {
    token: async ({ id }) => (await load()).readTokenDetails(options, id),
    copyToken: async ({ id, as }) => (await load()).copyToken(options, id, as),
  };
}

type TokenHandlers = Pick<Handlers['sessions'], 'token' | 'copyToken'>;

/** Starts what can wait for the first frame. */
async function begin({ builtIn, mockServers, session, vault, state, updates }: Parts): Promise<void> {
  const starting = builtIn.start();
  void mockServers.ensureRunning(state.get().activeServerId);
  // What a crash left behind goes first, before it could be restored.
  await session.credentials.clearPersistedSessions();
  await session.removeOrphanedSessions();
  await session.credentials.removeOrphanedTokens();
  if (!state.isLocked()) await Promise.all([vault.open(), session.restore()]);
  await starting;
  if (!state.isLocked()) void session.startRetries();
  await updates.begin();
}

// oxlint-disable-next-line eslint/max-lines-per-function -- It is a list of parts, each of which takes some before it.
function createParts(ports: Ports, { sessionStore, state, onChange }: InitialState) {
  const { config, folder, pin, notices, log, notify } = ports;
  const now = ports.now ?? (() => new Date());
  const expiryTimer = new ExpiryTimer({
    sessions: () => sessionStore.all(),
    now,
    onChange: () => sessionStore.notifyTimePassed(),
  });
  onChange((windowState) => {
    notifications.onStateChange(windowState);
    updates.onStateChange();
    expiryTimer.schedule();
    session.logins.pending.onStateChange();
  });
  const language = () => state.get().language;
  const notifications = createNotifications({
    ...ports.notifications,
    settings: () => config.get().settings,
  });
  /** These events name accounts and servers, which a locked window may not know. */
  const notifyUnlocked: Ports['notify'] = (name, payload) => (state.isLocked() ? undefined : notify(name, payload));
  const prompts = createUserPrompts({
    ...ports,
    language,
    isPresenting: () => config.get().settings.presenting,
    isLocked: state.isLocked,
    onQuestion: (asking) => state.set({ asking }),
  });
  const vault = new Vault({
    file: path.join(folder, 'vault.json'),
    cipher: ports.cipher,
    onStatus(status) {
      state.set({ vault: status });
      // This must not happen before there is a session, and never within what the vault is doing.
      if (status.state === 'protected') setImmediate(() => void session.vaultOpened().catch(log.report));
    },
    onFileNotice: notices.add,
  });
  const secretClipboard = createSecretClipboard(ports.clipboard);
  const shared = { ...ports, ...prompts, secretClipboard, sessionStore, state, vault, version: ports.about.version };
  const calls = createLazyCalls({
    ...shared,
    file: path.join(folder, 'calls.sqlite'),
    session: () => session,
    servers: () => servers,
    onRecorded: (summary) => notifyUnlocked('call.recorded', summary),
    onCounted: (count) => notifyUnlocked('calls.counted', count),
    onFileNotice: notices.add,
    warn: log.warn,
  });
  const builtIn = new BuiltInServer({
    start: ports.startBuiltIn,
    state,
    async describe(hasAccountCalls) {
      const { storeAccountCalls } = await import('./account/servers/account-calls-of-built-in.ts');
      await storeAccountCalls(config, hasAccountCalls);
    },
    onRequest: () => notify('builtIn.requested', null),
  });
  /** Fails if a server on this computer cannot be started. */
  const ensureStarted = (serverId: string): Promise<Result<null>> =>
    serverId === builtInId ? builtIn.started() : mockServers.ensureRunning(serverId);
  const mockServers = new MockServers({ ...shared, checks: () => checks.load() });
  const servers = new Servers({
    ...shared,
    sessions: () => session,
    ensureStarted,
    openExternal: ports.dialogs.openExternal,
    onCall: createLastCallTracker(now, (lastCalls) => state.set({ lastCalls })),
    record: (serverId, call) => calls.record(serverId, call),
    async onRemoved(serverId) {
      calls.forgetServer(serverId);
      checks.forgetServer(serverId);
      await mockServers.remove(serverId);
    },
  });
  const session = new Sessions({
    ...shared,
    production: servers.production,
    clientFor: (...of) => servers.clients.for(...of),
    learnFrom: (...responses) => servers.store.learnFrom(...responses),
    now,
    warn: log.warn,
  });
  const checks = createLazyChecks({
    ...shared,
    file: path.join(folder, 'reports.sqlite'),
    onFileNotice: notices.add,
    warn: log.warn,
    servers,
    calls,
    onStep(step) {
      notifyUnlocked('checks.progressed', step);
      notifications.onRunStep(step);
      updates.onRunStep(step);
      builtIn.onRunStep(step);
      mockServers.onRunStep(step);
    },
    report: log.report,
    now,
  });
  const trial = new TrialRunner({ ...shared, servers });
  const lock = createLock({
    pin,
    vault,
    session,
    state,
    forgetSecrets() {
      void secretClipboard.clear();
      session[Symbol.dispose]();
      checks.lock();
      trial.cancel();
      servers.lock();
      calls.lock();
    },
  });
  const updates = new Updates({
    ...shared,
    source: ports.updates,
    settings: () => config.get().settings,
    report: log.report,
    now,
  });
  // It is disposed of from the last to the first: settings are written when all else has ended, also if something fails,
  // and a clean-up request of a check may need a secret from the vault.
  const disposables = new AsyncDisposableStack();
  disposables.defer(() => config.flushWithBackup());
  disposables.defer(() => calls.close());
  disposables.defer(() => secretClipboard.clear());
  disposables.use(mockServers);
  disposables.use(builtIn);
  disposables.use(vault);
  disposables.defer(() => vault.settled());
  disposables.use(servers);
  disposables.defer(() => checks.close());
  disposables.defer(() => session.credentials.clearPersistedSessions());
  disposables.use(expiryTimer);
  disposables.use(session);
  disposables.defer(() => updates.close());
  return {
    config,
    disposables,
    sessionStore,
    state,
    vault,
    session,
    servers,
    builtIn,
    mockServers,
    calls,
    checks,
    lock,
    prompts,
    secretClipboard,
    updates,
    expiryTimer,
    trial,
  };
}
