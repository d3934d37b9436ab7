import path from 'node:path';
import type { z } from 'zod';
import type { events, EventName } from '../preload/contract/events.ts';
import type { AppState, Language } from '../preload/contract/models.ts';
import { fail, ok, type Result } from '../preload/contract/result.ts';
import { createBuiltInServer } from './built-in-server/built-in-server.ts';
import type { StartedBuiltIn } from './built-in-server/controls.ts';
import { createDemo } from './built-in-server/demo.ts';
import { createDoublesRoom } from './doubles/doubles-room.ts';
import { createCallsRoom } from './calls/calls-room.ts';
import type { SecretReferences } from './secrets/secret-references.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import { builtInId, isRunHere, type ConfigStore } from './config/config.ts';
import { beginParts, closeParts, wokeUp } from './application-life.ts';
import { createContractRoom } from './contract-run/contract-room.ts';
import type { Dialogs } from './dialogs.ts';
import type { FileNotices } from './files/file-notices.ts';
import type { Handlers } from './ipc/answer.ts';
import { createLock, lockHandlers } from './lock/lock.ts';
import type { Pin } from './lock/pin.ts';
import type { Log } from './log.ts';
import { createPerson } from './questions/person.ts';
import { createAgreedPlaces } from './servers/agreed-places.ts';
import { createClientFor } from './servers/client-for.ts';
import { createConnectionSecrets } from './servers/connection-secrets.ts';
import { createExtraHeaders } from './servers/extra-headers.ts';
import { createProductionGuard } from './servers/production-guard.ts';
import { createServers, serverHandlers } from './servers/servers.ts';
import { createLastCalls } from './state/last-calls.ts';
import { createTransports } from './servers/transports.ts';
import { createEndTimer } from './session/session-ends.ts';
import { createHeldSessions } from './session/held-sessions.ts';
import { profileHandlers } from './session/profile-handlers.ts';
import { createSession, sessionHandlers } from './session/session.ts';
import { createNotifications } from './notifications.ts';
import { createLinks } from './servers/server-link.ts';
import { settingsHandlers } from './settings.ts';
import { createAppState } from './state/app-state.ts';
import { storageHandlers } from './storage/storage-handlers.ts';
import type { Cipher } from './vault/cipher.ts';
import { UpdatesRoom, type UpdatePorts } from './updates/updates-room.ts';
import { createVault } from './vault/vault.ts';

/** What the application is given: its files as they were opened, and everything that is Electron's. */
export type Ports = {
  about: Pick<AppState, 'version' | 'electron'>;
  /** The user-data folder. */
  folder: string;
  config: ConfigStore;
  pin: Pin;
  /** What was said of files so far, and what is said of them from now on. */
  notices: FileNotices;
  /** The references that stand for secrets in everything that is recorded. */
  references: SecretReferences;
  log: Log;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  cipher: Cipher & { close: () => void; forget: () => Promise<void> };
  resolveProxy: ResolveProxy;
  /** Tells the window an event, if there is a window. */
  notify: <N extends EventName>(name: N, payload: z.output<(typeof events)[N]>) => void;
  dialogs: Dialogs;
  /** Electron's clipboard. From version 45 on it answers promises. */
  clipboard: { readText: () => string | Promise<string>; writeText: (text: string) => unknown };
  startBuiltIn: () => Promise<StartedBuiltIn>;
  /** The email of the made-up person of the demo. */
  demoEmail: string;
  /** Called once settings changed, for what is not made of the state. */
  onSettings: () => void;
  /** The lists of packages and their licences, which the build writes. */
  licenceFiles: readonly string[];
  /** The system's notifications, and whether the person looks at the window, when there is no need of them. */
  notifications: { isFocused: () => boolean; show: (text: string) => void };
  updates: UpdatePorts;
  /** Ends the application at once, without writing anything. */
  exit: (code: number) => void;
  now?: (() => Date) | undefined;
};

export type Application = ReturnType<typeof createApplication>;

/**
 * Makes the application without its window: everything that the window can ask for, put together once. It knows nothing
 * of Electron, so that tests use it as it is.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is the list of what the window may ask.
export function createApplication(ports: Ports) {
  const { config, cipher } = ports;
  const parts = createParts(ports);
  const { state, vault, session, servers, builtIn, doubles, calls, contract, lock, person, updates } = parts;
  const firstFrame = Promise.withResolvers<void>();

  const close = () => closeParts(parts, cipher);

  const { session: sessionMethods, sessions } = sessionHandlers(session, state.get);
  const { handlers: serverMethods, chooseSession } = serverHandlers(servers, state.get, {
    ...ports.dialogs,
    ...person,
  });
  const handlers: Handlers = {
    app: {
      state: () => ok(state.shown()),
      painted() {
        firstFrame.resolve();
        return ok({});
      },
      about: async () => ok((await import('./about.ts')).about()),
      licences: async () => ok(await (await import('./about.ts')).licencesIn(ports.licenceFiles)),
    },
    session: sessionMethods,
    sessions: { ...sessions, choose: chooseSession },
    profile: profileHandlers({ ...ports, ...person, state, sentTo: session.sentTo }),
    servers: serverMethods,
    calls: calls.handlers,
    vault: {
      async retry() {
        await vault.retry();
        return ok(state.get());
      },
    },
    lock: lockHandlers(lock),
    builtIn: builtIn.handlers,
    demo: createDemo({ ...parts, config, controls: builtIn.controls }),
    doubles: doubles.handlers,
    contractRun: contract.handlers,
    storage: storageHandlers({ ...ports, ...person, state, session, close, forgetKey: cipher.forget }),
    updates: updates.handlers,
    settings: settingsHandlers({ ...person, config, state, session, onChanged: ports.onSettings }),
  };

  const links = createLinks({
    ...ports,
    servers: () => ({ listed: state.get().servers, activeId: state.get().activeServerId }),
    language: () => state.get().language,
    isLocked: state.isLocked,
    ask: (question) => person.askOfLink(question),
    async choose(id) {
      await servers.choose(id);
      ports.notify('app.command', 'room-account');
    },
  });

  return {
    handlers,
    state,
    /** Follows a link `llavero://server/NAME` that came from outside. */
    openLink: (link: string) => links.open(link),
    lock: lock.lock,
    wokeUp: () => wokeUp(parts),
    close,
    /** Resolves when the window has painted its first frame. */
    firstFrame: firstFrame.promise,

    /** Starts what can wait for the first frame: the built-in server, the vault, the stored session. */
    begin: () => beginParts(parts),

    /** Resolves when the built-in server runs or could not be started, however long the secret store takes. */
    builtInStarted: builtIn.started,

    /** What main sees a person do, which no page can. */
    person,

    /** What tests look into. */
    parts,
  };
}

export type Parts = ReturnType<typeof createParts>;

/** Makes the parts, in the order in which each stands on those before it. */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is a list of parts, of which each takes some before it.
function createParts(ports: Ports) {
  const { config, folder, pin, notices, log, notify } = ports;
  const now = ports.now ?? (() => new Date());
  const held = createHeldSessions(config, ports.demoEmail, now);
  const ends = createEndTimer({ sessions: held.all, now, onChange: held.timePassed });
  const state = createAppState({ ...ports, held, files: notices, pin: pin.isSet() }, (shown) => {
    notify('app.changed', shown);
    notifications.stateChanged(shown);
    updates.stateChanged();
    ends.look();
  });
  const language = () => state.get().language;
  const notifications = createNotifications({
    ...ports.notifications,
    settings: () => config.get().settings,
    language,
  });
  /** Accounts and servers are told here, and no locked window may learn of them. */
  const notifyUnlocked: Ports['notify'] = (name, payload) => (state.isLocked() ? undefined : notify(name, payload));
  const person = createPerson({
    ...ports,
    language,
    isLocked: state.isLocked,
    onQuestion: (asking) => state.set({ asking }),
  });
  const vault = createVault({
    file: path.join(folder, 'vault.json'),
    cipher: ports.cipher,
    onStatus(status) {
      state.set({ vault: status });
      // This must not happen before there is a session, and never within what the vault is doing.
      if (status.state === 'protected') setImmediate(() => void session.vaultOpened().catch(log.report));
    },
    onFileNotice: notices.tell,
  });
  const secrets = createConnectionSecrets(vault);
  const storedServer = (serverId: string) => config.get().servers.find(({ id }) => id === serverId);
  const headers = createExtraHeaders({ vault, stored: storedServer, references: ports.references });
  const production = createProductionGuard(config);
  const places = createAgreedPlaces({ config, state, ask: person.askOfPlaces });
  const shared = { ...ports, ...person, held, state, production, places, version: ports.about.version };
  const calls = createCallsRoom({
    ...shared,
    file: path.join(folder, 'calls.sqlite'),
    session: () => session,
    transports: () => transports,
    onRecorded: (summary) => notifyUnlocked('call.recorded', summary),
    onCounted: (count) => notifyUnlocked('calls.counted', count),
    onFileNotice: notices.tell,
    warn: log.warn,
  });
  const transports = createTransports({
    resolveProxy: ports.resolveProxy,
    secretOf: secrets.read,
    headersOf: (...call) => headers.of(...call),
    connectionOf: (serverId) => storedServer(serverId)?.connection,
    allows: places.allows,
    onCall: createLastCalls(now, (lastCalls) => state.set({ lastCalls })),
    record: (serverId, call) => calls.record(serverId, call),
  });
  const builtIn = createBuiltInServer({
    start: ports.startBuiltIn,
    state,
    onRequest: () => notify('builtIn.requested', null),
  });
  /** Fails where a server that runs here could not be started. */
  async function ready(serverId: string): Promise<Result<null>> {
    if (serverId !== builtInId) return doubles.ready(serverId);
    const { status } = await builtIn.started();
    return status.state === 'failed' ? fail({ kind: 'built-in-stopped', message: status.message }) : ok(null);
  }
  /** Fails where nothing may be sent to a server, too. */
  async function reachable(serverId: string): Promise<Result<null>> {
    const isReady = await ready(serverId);
    const server = state.get().servers.find(({ id }) => id === serverId);
    if (!isReady.ok || !server || isRunHere(serverId)) return isReady;
    return places.agree(serverId, { url: server.baseUrl, proxy: server.connection.proxy });
  }
  const doubles = createDoublesRoom({
    ...shared,
    folder: path.join(folder, 'doubles'),
    language,
    ready: reachable,
    runs: () => contract.runs(),
  });
  const session = createSession({
    ...shared,
    vault,
    clientFor: createClientFor({ state, transports, ready, places }),
    // The screen comes first.
    learn: (...learned) => void setImmediate(() => servers.learn(...learned)),
    warn: log.warn,
  });
  session.showStored();
  const onRemoved = async (serverId: string): Promise<void> => {
    calls.forgetServer(serverId);
    contract.forgetServer(serverId);
    await doubles.removed(serverId);
  };
  const servers = createServers({ ...shared, ready, session, secrets, headers, transports, onRemoved });
  const contract = createContractRoom({
    ...shared,
    file: path.join(folder, 'reports.sqlite'),
    onFileNotice: notices.tell,
    warn: log.warn,
    transports,
    ready: reachable,
    record: (serverId, call, run) => calls.record(serverId, call, run),
    onStep(step) {
      notifyUnlocked('contractRun.progressed', step);
      notifications.runStepped(step);
      updates.runStepped(step);
      builtIn.runStepped(step);
      doubles.runStepped(step);
    },
    report: log.report,
    now,
  });
  const lock = createLock({
    pin,
    vault,
    session,
    state,
    forgetSecrets() {
      session.stopTelling();
      contract.lock();
      transports.closeAll();
      calls.lock();
      places.forget();
      servers.chosenFiles.forget();
    },
  });
  const updates = new UpdatesRoom({
    ...shared,
    ports: ports.updates,
    settings: () => config.get().settings,
    report: log.report,
    now,
  });
  if (pin.isSet()) lock.lock('start');
  return {
    config,
    held,
    state,
    vault,
    session,
    servers,
    builtIn,
    doubles,
    calls,
    contract,
    lock,
    transports,
    person,
    updates,
    ends,
  };
}
