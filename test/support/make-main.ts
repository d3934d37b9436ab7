import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { CheckProgressEvent } from '../../preload/contract/checks.ts';
import type { AppState, FileNotice, WindowState } from '../../preload/contract/models.ts';
import { ok } from '../../preload/contract/result.ts';
import { createApplication, type Application } from '../../main/application.ts';
import type { Ports } from '../../main/ports.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { Config, createStoredServer } from '../../main/account/config/config.ts';
import { createConfigStore } from '../../main/account/config/config-store.ts';
import { builtInId } from '../../main/account/config/server-ids.ts';
import { validateConfig } from '../../main/account/config/validate-config.ts';
import { createFileNotices } from '../../main/files/file-notices.ts';
import { openPinFile } from '../../main/account/lock/pin.ts';
import { demoUser } from '../../main/service/data/demo-user.ts';
import type { Service } from '../../main/service/server.ts';
import type { Cipher } from '../../main/account/vault/cipher.ts';
import { createFakeCipher } from './fake-cipher.ts';
import { noUpdates } from './no-updates.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export type MainOptions = {
  folder?: string;
  cipher?: Cipher;
  store?: Record<string, unknown>;
  file?: string;
  warn?: (what: string) => void;
  /** The built-in server, with `behaviour` and on SQLite. If it is absent, it counts as one that could not start. */
  service?: Service;
  /** The list that takes what is said about files. */
  notices?: FileNotice[];
  /** It is told how far a check is. */
  onStep?: (step: CheckProgressEvent) => void;
  /** The ports that differ from those of every test. */
  ports?: Partial<Ports>;
};

/** Makes the configuration of a run of the application; with the `store` of an earlier run, of the next one. */
function makeConfig(store: Record<string, unknown>, addresses: Record<string, { baseUrl: string }>) {
  const isFirstRun = Object.keys(store).length === 0;
  const set = (values: Record<string, unknown>): void => {
    Object.assign(store, values);
    // Nothing is ever written that the next start would call damaged.
    expect(validateConfig(JSON.stringify(store))).toBe('whole');
  };
  const failed = (error: unknown): never => {
    throw error;
  };
  // The next run takes the store as it is, also where this one was never closed.
  const config = createConfigStore({ config: Config.parse(store), set }, failed);
  if (isFirstRun) {
    // The person agreed to them when they were added.
    const added = Object.entries(addresses).map(([id, { baseUrl }]) =>
      Object.assign(createStoredServer(id, id, baseUrl), { agreed: [new URL(baseUrl).origin] }),
    );
    config.change({ servers: [...config.get().servers, ...added], activeServerId: added[0]?.id ?? builtInId });
  }
  return config;
}

type Out = Pick<Main, 'told' | 'shown' | 'steps' | 'copied'> & { ended: boolean };

/** Makes what the application is given in a test: no Electron, and a person who agrees to everything that is asked. */
async function makePorts(config: Ports['config'], options: MainOptions, out: Out): Promise<Ports> {
  const { folder = await makeTemporaryFolder(), cipher = createFakeCipher(), file, service, warn } = options;
  const notices = createFileNotices();
  const add = (notice: FileNotice): void => {
    notices.add(notice);
    options.notices?.push(notice);
  };
  const cheapPin = { memoryKiB: 64, passes: 1 };
  return {
    about: { version: '0', electron: { version: '', thirdParty: false } },
    folder,
    config,
    pin: await openPinFile(path.join(folder, 'lock.json'), cheapPin, add),
    notices: { ...notices, add },
    secretRegistry: new SecretRegistry(),
    log: {
      warn(what, error) {
        // Nobody waits any more for a call that is still under way when the test ends.
        if (out.ended) return;
        if (!warn) throw error;
        warn(what);
      },
      report(error) {
        throw error;
      },
    },
    systemLanguage: 'en',
    cipher: { ...cipher, close: () => undefined, forget: async () => undefined },
    resolveProxy: async () => 'DIRECT',
    notify(name, payload) {
      if (name === 'checks.progressed') {
        out.steps.push(payload as CheckProgressEvent);
        options.onStep?.(payload as CheckProgressEvent);
      }
      if (name !== 'app.changed') return;
      const state = payload as WindowState;
      out.told.push(state);
      if (!state.locked) out.shown.push(state);
    },
    dialogs: {
      chooseFile: async () => file,
      confirm: async () => true,
      showEraseFailed: async (names) => expect(names).toEqual([]),
      showBadLink: async () => undefined,
      openExternal: async () => ok(null),
    },
    licenceFiles: [],
    bringToFront: () => undefined,
    notifications: { isFocused: () => true, show: () => undefined },
    clipboard: { readText: () => out.copied.at(-1) ?? '', writeText: (text) => out.copied.push(text) },
    startBuiltIn: async () => (service ? { ok: true, service } : { ok: false, message: 'not started' }),
    demoEmail: demoUser.email,
    updates: noUpdates,
    onSettings: () => undefined,
    exit: () => undefined,
    now: () => new Date('2026-11-21T10:00:00Z'),
    ...options.ports,
  };
}

type Parts = Application['parts'];

/** The application of a test, its parts, and what came out of it. */
export type Main = Omit<Parts, 'calls' | 'checks' | 'session' | 'builtIn'> &
  Pick<Application, 'handlers'> &
  Pick<Ports, 'folder' | 'secretRegistry'> & {
    application: Application;
    session: Parts['session'] & ReturnType<typeof ofShown>;
    calls: Awaited<ReturnType<Parts['calls']['calls']>>;
    replay: Awaited<ReturnType<Parts['calls']['replay']>>;
    checks: Awaited<ReturnType<Parts['checks']['load']>>;
    lazyChecks: Parts['checks'];
    builtIn: Application['handlers']['builtIn'];
    demo: Application['handlers']['demo'];
    store: Record<string, unknown>;
    /** All that the window was told. */
    told: WindowState[];
    /** What the window was told while it was not locked. */
    shown: AppState[];
    /** How far checks were, as the window was told. */
    steps: CheckProgressEvent[];
    /** What was put into the clipboard. */
    copied: string[];
  };

/** Acts on the session on the screen. */
function ofShown({ state, session }: Parts) {
  const id = (): string => {
    const { session: shown } = state.get();
    return shown.step === 'signed-out' ? '' : shown.sessionId;
  };
  return {
    checkShown: () => session.check(id()),
    logOutShown: (tellServer: boolean) => session.logout(id(), tellServer),
    tokenOf: async (sessionId: string) => (await session.credentials.ofSession(sessionId))?.token,
  };
}

/**
 * Makes the whole application without a window. `addresses` are those of servers by id, of which the first is the
 * active one. With the `folder` and `store` of an earlier one it is the next run of the application.
 */
export async function makeMain(
  addresses: Record<string, { baseUrl: string }>,
  options: MainOptions = {},
): Promise<Main> {
  const { store = {} } = options;
  const out: Out = { told: [], shown: [], steps: [], copied: [], ended: false };
  const ports = await makePorts(makeConfig(store, addresses), options, out);
  const application = createApplication(ports);
  const { handlers, parts } = application;
  await parts.builtIn.start();
  const calls = await parts.calls.calls();
  onTestFinished(() => {
    out.ended = true;
    calls.close();
  });
  return {
    ...parts,
    ...out,
    application,
    handlers,
    folder: ports.folder,
    secretRegistry: ports.secretRegistry,
    store,
    calls,
    session: Object.assign(parts.session, ofShown(parts)),
    replay: await parts.calls.replay(),
    checks: await parts.checks.load(),
    lazyChecks: parts.checks,
    builtIn: handlers.builtIn,
    demo: handlers.demo,
  };
}
