import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { RunStep } from '../../preload/contract/contract-runs.ts';
import type { AppState, FileNotice, VaultStatus, WindowState } from '../../preload/contract/models.ts';
import { fail, ok } from '../../preload/contract/result.ts';
import { createDemo } from '../../main/built-in/demo.ts';
import { behavesWell, createPartner } from '../../main/built-in/partner.ts';
import { createClient } from '../../main/client/client.ts';
import type { Exchange } from '../../main/client/transport.ts';
import { builtInId, createConfig, plainEnvironment } from '../../main/config/config.ts';
import { judgeConfig } from '../../main/config/judge-config.ts';
import { createContractRuns } from '../../main/conformance/runs.ts';
import { createConnectionSecrets } from '../../main/environments/connection-secrets.ts';
import { createEnvironments, firstEnvironmentId, listEnvironments } from '../../main/environments/environments.ts';
import { createExchanges, type OfRun } from '../../main/exchanges/exchanges.ts';
import { createReplay } from '../../main/exchanges/replay.ts';
import { createSecretReferences } from '../../main/exchanges/secret-references.ts';
import { createProductionGuard } from '../../main/environments/production-guard.ts';
import { createTransports } from '../../main/environments/transports.ts';
import { createHeldSessions } from '../../main/session/held-sessions.ts';
import { createLock } from '../../main/lock/lock.ts';
import { openPin } from '../../main/lock/pin.ts';
import type { Service } from '../../main/service/server.ts';
import { sparringChoices } from '../../main/service/sparring/choices.ts';
import { demoPerson } from '../../main/service/sparring/demo-person.ts';
import { possibleFault } from '../../main/service/sparring/faults.ts';
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
  exchangesFile?: string;
  warn?: (what: string) => void;
  /** The embedded service, started with `sparring` on SQLite; without it, it counts as one that could not start. */
  service?: Service;
  /** Where what is said about files goes. */
  notices?: FileNotice[];
  /** Told how far a contract run is. */
  onStep?: (step: RunStep) => void;
};

/**
 * Everything of main behind the screens, on real parts, without a window. `servers` are environments by id, of which
 * the first is the active one; `file` is what the file dialogs answer. With the `folder` and `store` of an earlier one
 * it is the next run of the application.
 */
export async function makeMain(servers: Record<string, { baseUrl: string }>, options: MainOptions = {}) {
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
    const added = Object.entries(servers).map(([id, { baseUrl }]) => plainEnvironment(id, id, baseUrl));
    config.change({
      environments: [...config.get().environments, ...added],
      activeEnvironmentId: added[0]?.id ?? builtInId,
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
      environments: listEnvironments(config.get(), service?.baseUrl ?? ''),
      activeEnvironmentId: firstEnvironmentId(config.get()),
      sessions: held.list(),
      service: service ? { state: 'running', baseUrl: service.baseUrl } : { state: 'starting' },
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
  const exchanges = createExchanges({
    file: options.exchangesFile ?? path.join(folder, 'exchanges.sqlite'),
    references,
    limits: () => config.get().exchangeLimits,
    pathsOf: (id) => config.get().environments.find((each) => each.id === id)?.dialect.pinned,
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
    exchanges.close();
  });
  const record = (id: string | undefined, exchange: Exchange, run?: OfRun): void => {
    if (ended || (id !== undefined && config.get().environments.every((each) => each.id !== id))) return;
    exchanges.record(id ?? '', exchange, run);
  };
  const transports = createTransports({
    resolveProxy: async () => 'DIRECT',
    secretOf: secrets.read,
    record,
  });
  const clientFor: ClientFor = async (id, ownAddress) => {
    const environment = state.get().environments.find((each) => each.id === id);
    const baseUrl = ownAddress ?? environment?.baseUrl;
    if (!baseUrl || !environment) return fail({ kind: 'not-now' });
    const transport = await transports.for(environment);
    return ok({ client: createClient({ transport, baseUrl, paths: environment.pinned }), baseUrl });
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
    learn: (id, reading) => environments.learn(id, reading),
    warn: () => undefined,
    now: () => new Date('2026-11-21T10:00:00Z'),
  });
  const environments = createEnvironments({
    config,
    state,
    session,
    held,
    production,
    secrets,
    transports,
    onRemoved: (id) => void exchanges.clear(id, true),
    chooseFile: async () => file,
  });
  const replay = createReplay({
    exchanges,
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
    environments: () => state.get().environments,
    transportFor: (environment) => transports.for(environment),
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
        .then(() => ended || exchanges.flush())
        .finally(() => references.forget());
    },
  });
  if (pin.isSet()) lock.lock('start');
  const controls = async () =>
    service?.sparring && service.data
      ? ok({
          choices: sparringChoices,
          possibleFault,
          demoEmail: demoPerson.email,
          sparring: service.sparring,
          data: service.data,
        })
      : fail({ kind: 'service-stopped', message: 'not started' });
  const partner = createPartner({ controls, state, onRequest: () => undefined });
  const started = await controls();
  if (started.ok) partner.follow(started.value);
  const demo = createDemo({ controls, config, state, session, environments });
  return {
    lock,
    told,
    replay,
    partner: partner.handlers,
    demo,
    contractRuns,
    steps,
    copied,
    session,
    environments,
    exchanges,
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
