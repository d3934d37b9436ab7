import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { RunStep } from '../../preload/contract/contract-runs.ts';
import type { AppState, FileNotice, VaultStatus, WindowState } from '../../preload/contract/models.ts';
import { fail, ok } from '../../preload/contract/result.ts';
import { createDemo } from '../../main/built-in-server/demo.ts';
import { behavesWell, createBuiltInServer } from '../../main/built-in-server/built-in-server.ts';
import { createClient } from '../../main/client/client.ts';
import type { Call } from '../../main/client/transport.ts';
import { builtInId, createConfig, plainServer } from '../../main/config/config.ts';
import { judgeConfig } from '../../main/config/judge-config.ts';
import { createContractRuns } from '../../main/contract-run/runs.ts';
import { createConnectionSecrets } from '../../main/servers/connection-secrets.ts';
import { createServers, firstServerId, listServers } from '../../main/servers/servers.ts';
import { createCalls, type OfRun } from '../../main/calls/calls.ts';
import { createReplay } from '../../main/calls/replay.ts';
import { createSecretReferences } from '../../main/calls/secret-references.ts';
import { createProductionGuard } from '../../main/servers/production-guard.ts';
import { createTransports } from '../../main/servers/transports.ts';
import { createHeldSessions } from '../../main/session/held-sessions.ts';
import { createLock } from '../../main/lock/lock.ts';
import { openPin } from '../../main/lock/pin.ts';
import type { Service } from '../../main/service/server.ts';
import { behaviourChoices } from '../../main/service/behaviour/choices.ts';
import { demoPerson } from '../../main/service/data/demo-person.ts';
import { possibleFault } from '../../main/service/behaviour/faults.ts';
import { createSession, type ClientFor } from '../../main/session/session.ts';
import { createAppState } from '../../main/state/app-state.ts';
import type { Cipher } from '../../main/vault/cipher.ts';
import { createVault } from '../../main/vault/vault.ts';
import { createFakeCipher } from './fake-cipher.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export type MainOptions = {
  folder?: string;
  cipher?: Cipher;
  store?: Record<string, unknown>;
  file?: string;
  callsFile?: string;
  warn?: (what: string) => void;
  /** The embedded service, started with `behaviour` on SQLite; without it, it counts as one that could not start. */
  service?: Service;
  /** Where what is said about files goes. */
  notices?: FileNotice[];
  /** Told how far a contract run is. */
  onStep?: (step: RunStep) => void;
};

/**
 * Everything of main behind the screens, on real parts, without a window. `addresses` are those of servers by id, of which
 * the first is the active one; `file` is what the file dialogs answer. With the `folder` and `store` of an earlier one
 * it is the next run of the application.
 */
export async function makeMain(addresses: Record<string, { baseUrl: string }>, options: MainOptions = {}) {
  const { folder = await makeTemporaryFolder(), cipher = createFakeCipher(), store = {}, file, service } = options;
  const firstRun = Object.keys(store).length === 0;
  const set = (values: Record<string, unknown>): void => {
    Object.assign(store, values);
    // Nothing is ever written that the next start would call damaged.
    expect(judgeConfig(JSON.stringify(store))).toBe('whole');
  };
  const config = createConfig({ store, set }, (error) => {
    throw error;
  });
  if (firstRun) {
    const added = Object.entries(addresses).map(([id, { baseUrl }]) => plainServer(id, id, baseUrl));
    config.change({
      servers: [...config.get().servers, ...added],
      activeServerId: added[0]?.id ?? builtInId,
    });
  }
  const held = createHeldSessions(config, demoPerson.email);
  const pin = await openPin(
    path.join(folder, 'lock.json'),
    { memoryKiB: 64, passes: 1 },
    (notice) => void options.notices?.push(notice),
  );
  const shown: AppState[] = [];
  /** All that the window was told. */
  const told: WindowState[] = [];
  const state = createAppState(
    {
      version: '0',
      electron: { version: '', thirdParty: false },
      settings: config.get().settings,
      language: 'en',
      pin: pin.isSet(),
      servers: listServers(config.get(), service?.baseUrl ?? ''),
      activeServerId: firstServerId(config.get()),
      sessions: held.list(),
      builtIn: service ? { state: 'running', baseUrl: service.baseUrl } : { state: 'starting' },
      behaviour: behavesWell,
      vault: { state: 'asking' },
      files: [],
      session: { step: 'signed-out' },
    },
    (changed) => {
      told.push(changed);
      if (!changed.locked) shown.push(changed);
    },
  );
  const vault = createVault({
    file: path.join(folder, 'vault.json'),
    cipher,
    onStatus(status: VaultStatus) {
      state.change({ vault: status });
      if (status.state === 'protected') setImmediate(() => void session.vaultOpened());
    },
  });
  const secrets = createConnectionSecrets(vault);
  const references = createSecretReferences();
  const calls = createCalls({
    file: options.callsFile ?? path.join(folder, 'exchanges.sqlite'),
    references,
    limits: () => config.get().callLimits,
    pathsOf: (id) => config.get().servers.find((each) => each.id === id)?.dialect.pinned,
    onRecorded: () => undefined,
    onFileNotice: (notice) => void options.notices?.push(notice),
    warn(what, error) {
      if (!options.warn) throw error;
      options.warn(what);
    },
  });
  // A call that is still under way when the test ends is nobody's any more.
  let ended = false;
  onTestFinished(() => {
    ended = true;
    calls.close();
  });
  const record = (id: string | undefined, call: Call, run?: OfRun): void => {
    if (ended || (id !== undefined && config.get().servers.every((each) => each.id !== id))) return;
    calls.record(id ?? '', call, run);
  };
  const transports = createTransports({
    resolveProxy: async () => 'DIRECT',
    secretOf: secrets.read,
    record,
  });
  const clientFor: ClientFor = async (id, ownAddress) => {
    const server = state.get().servers.find((each) => each.id === id);
    const baseUrl = ownAddress ?? server?.baseUrl;
    if (!baseUrl || !server) return fail({ kind: 'not-now' });
    const transport = await transports.for(server);
    return ok({ client: createClient({ transport, baseUrl, paths: server.pinned }), baseUrl });
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
    learn: (id, reading) => servers.learn(id, reading),
    warn: () => undefined,
    now: () => new Date('2026-11-21T10:00:00Z'),
  });
  const servers = createServers({
    config,
    state,
    session,
    held,
    production,
    secrets,
    transports,
    onRemoved: (id) => void calls.clear(id, true),
    chooseFile: async () => file,
  });
  const replay = createReplay({
    calls,
    references,
    held,
    tokenOf: (id) => session.tokenOf(id),
    state,
    production,
    transports,
  });
  const steps: RunStep[] = [];
  /** What the clipboard holds. */
  const copied: string[] = [];
  const contractRuns = createContractRuns({
    servers: () => state.get().servers,
    transportFor: (server) => transports.for(server),
    references,
    record,
    toolVersion: '0',
    language: () => state.get().language,
    onStep: (step) => {
      steps.push(step);
      options.onStep?.(step);
    },
    chooseFile: async () => file,
    clipboard: { writeText: (text) => copied.push(text) },
    report(error) {
      throw error;
    },
  });
  const lock = createLock({
    pin,
    vault,
    session,
    state,
    forgetSecrets() {
      contractRuns.lock();
      transports.closeAll();
      void Promise.all([replay.close(), nextTurn()])
        .then(() => ended || calls.flush())
        .finally(() => references.forget());
    },
  });
  if (pin.isSet()) lock.lock('start');
  const controls = async () =>
    service?.behaviour && service.data
      ? ok({
          choices: behaviourChoices,
          possibleFault,
          demoEmail: demoPerson.email,
          behaviour: service.behaviour,
          data: service.data,
        })
      : fail({ kind: 'built-in-stopped', message: 'not started' });
  const builtInServer = createBuiltInServer({ controls, state, onRequest: () => undefined });
  const started = await controls();
  if (started.ok) builtInServer.follow(started.value);
  const demo = createDemo({ controls, config, state, session, servers });
  return {
    lock,
    told,
    replay,
    builtIn: builtInServer.handlers,
    demo,
    contractRuns,
    steps,
    copied,
    session,
    servers,
    calls,
    references,
    state,
    vault,
    config,
    held,
    shown,
    folder,
    store,
  };
}
