import { useSyncExternalStore } from 'react';
import type { Credentials, EnteredServer, FilePurpose, Registration } from '../preload/contract/contract.ts';
import type { EnteredConnection } from '../preload/contract/connection.ts';
import type { CaseId, RunOptions } from '../preload/contract/contract-report.ts';
import type { RunStep, WantedRun } from '../preload/contract/contract-runs.ts';
import type { ReportForm } from '../preload/contract/report-forms.ts';
import type { CommandForm, CallFilter, CallLimits, ExportForm, ReplayChange } from '../preload/contract/calls.ts';
import type { AppState, Settings, WindowState } from '../preload/contract/models.ts';
import type { BehaviourChange, Page, SeedName } from '../preload/contract/built-in-server.ts';
import type { Result } from '../preload/contract/result.ts';
import { createAppStateStore } from './app-state.ts';
import { productionQuestion } from './production-question.ts';

const appState = createAppStateStore();
window.events['app.changed']((state) => {
  appState.take(state);
  // Its dialog is gone with everything else.
  if (state.locked) productionQuestion.answer('cancelled');
});

/** A call that main does not serve at all must not leave a screen busy for ever. */
async function answered<T>(call: Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await call;
  } catch (cause) {
    return { ok: false, error: { kind: 'bug', id: cause instanceof Error ? cause.message : String(cause) } };
  }
}

/** Takes the state out of an answer. */
async function changed<S extends WindowState>(call: Promise<Result<S>>): Promise<Result<S>> {
  const result = await answered(call);
  if (result.ok) appState.take(result.value);
  return result;
}

/**
 * Makes a call that main refuses on a production server until its host was typed, and asks for the host then.
 * @param decline what is done instead when the person would rather not
 */
async function withHost<T>(call: () => Promise<Result<T>>, decline?: () => Promise<Result<T>>): Promise<Result<T>> {
  const result = await call();
  if (result.ok || result.error.kind !== 'production-not-confirmed') return result;
  const { serverId, host } = result.error;
  const answer = await productionQuestion.ask({ serverId, host, declinable: decline !== undefined });
  if (answer === 'confirmed') return withHost(call, decline);
  if (answer === 'declined' && decline) return decline();
  return { ok: false, error: { kind: 'cancelled' } };
}

/** Everything main can be asked. Each answer has already updated `useAppState` when it arrives. */
export const api = {
  app: {
    state: () => changed(window.api.app.state()),
    painted: () => answered(window.api.app.painted()),
  },
  session: {
    login: (credentials: Credentials) => changed(window.api.session.login(credentials)),
    register: (registration: Registration) => withHost(() => changed(window.api.session.register(registration))),
    check: () => changed(window.api.session.check()),
    logout: () =>
      withHost(
        () => changed(window.api.session.logout({ tellServer: true })),
        () => changed(window.api.session.logout({ tellServer: false })),
      ),
    addAccount: () => changed(window.api.session.addAccount()),
    cancel: () => changed(window.api.session.cancel()),
  },
  sessions: {
    choose: (id: string) => changed(window.api.sessions.use({ id })),
    check: (id: string) => changed(window.api.sessions.check({ id })),
    logout: (id: string) =>
      withHost(
        () => changed(window.api.sessions.logout({ id, tellServer: true })),
        () => changed(window.api.sessions.logout({ id, tellServer: false })),
      ),
    forget: (id: string) => changed(window.api.sessions.forget({ id })),
    revoke: (id: string) => withHost(() => changed(window.api.sessions.revoke({ id }))),
  },
  servers: {
    chooseAddress: (address: string) => changed(window.api.servers.useAddress({ address })),
    choose: (id: string) => changed(window.api.servers.use({ id })),
    create: (entered: EnteredServer) => changed(window.api.servers.create(entered)),
    edit: (id: string, entered: EnteredServer) => changed(window.api.servers.edit({ id, ...entered })),
    duplicate: (id: string) => changed(window.api.servers.duplicate({ id })),
    trust: (id: string, sha256: string) => changed(window.api.servers.trust({ id, sha256 })),
    distrust: (id: string) => changed(window.api.servers.distrust({ id })),
    move: (id: string, by: -1 | 1) => changed(window.api.servers.move({ id, by })),
    remove: (id: string) => changed(window.api.servers.remove({ id })),
    confirmProduction: (id: string, host: string) => changed(window.api.servers.confirmProduction({ id, host })),
    test: (entered: { id?: string; address: string; enteredConnection?: EnteredConnection }) =>
      answered(window.api.servers.test(entered)),
    cancelTest: () => answered(window.api.servers.cancelTest()),
    openInBrowser: () => answered(window.api.servers.openInBrowser()),
    chooseFile: (purpose: FilePurpose) => answered(window.api.servers.chooseFile({ purpose })),
    importFile: () => changed(window.api.servers.importFile()),
    exportFile: () => changed(window.api.servers.exportFile()),
  },
  calls: {
    list: (filter: CallFilter, offset: number) => answered(window.api.calls.list({ filter, offset })),
    get: (id: string) => answered(window.api.calls.get({ id })),
    pin: (id: string, pinned: boolean) => answered(window.api.calls.pin({ id, pinned })),
    copy: (id: string, form: CommandForm, secrets: 'variables' | 'full') =>
      answered(window.api.calls.copy({ id, form, secrets })),
    exportFile: (filter: CallFilter, form: ExportForm) => answered(window.api.calls.exportFile({ filter, form })),
    limits: () => answered(window.api.calls.limits()),
    setLimits: (limits: CallLimits) => answered(window.api.calls.setLimits(limits)),
    importHar: () => answered(window.api.calls.importHar()),
    replayChanges: (id: string) => answered(window.api.calls.replayChanges({ id })),
    /** `secrets` are typed ones by the ids of what was missing. */
    replay: (id: string, change: ReplayChange | undefined, secrets: Readonly<Record<string, string>> = {}) =>
      withHost(() => answered(window.api.calls.replay({ id, secrets, ...(change && { change }) }))),
    cancelReplay: () => answered(window.api.calls.cancelReplay()),
    clear: (serverId: string | undefined, pinnedToo: boolean) =>
      answered(window.api.calls.clear({ pinnedToo, ...(serverId !== undefined && { serverId }) })),
    /** Returns the function that ends the subscription. */
    onRecorded: (listener: () => void) => window.events['call.recorded'](listener),
  },
  vault: {
    retry: () => changed(window.api.vault.retry()),
  },
  lock: {
    now: () => changed(window.api.lock.now()),
    unlock: (pin: string | undefined) => changed(window.api.lock.unlock(pin === undefined ? {} : { pin })),
    setPin: (pin: string, current: string | undefined) =>
      changed(window.api.lock.setPin({ pin, ...(current !== undefined && { current }) })),
    removePin: (current: string) => changed(window.api.lock.removePin({ current })),
  },
  /** The embedded service as a service that misbehaves, and what it holds. */
  builtIn: {
    choices: () => answered(window.api.builtIn.choices()),
    behave: (change: BehaviourChange) => changed(window.api.builtIn.behave(change)),
    accounts: (page: Page) => answered(window.api.builtIn.accounts(page)),
    sessions: (page: Page) => answered(window.api.builtIn.sessions(page)),
    expire: (id: number) => answered(window.api.builtIn.expire({ id })),
    revoke: (id: number) => answered(window.api.builtIn.revoke({ id })),
    signEveryoneOut: () => answered(window.api.builtIn.signEveryoneOut()),
    requests: () => answered(window.api.builtIn.requests()),
    clearRequests: () => answered(window.api.builtIn.clearRequests()),
    copies: () => answered(window.api.builtIn.copies()),
    reset: (set: SeedName, seed: number) => answered(window.api.builtIn.reset({ set, seed })),
    undo: () => answered(window.api.builtIn.undo()),
    snapshot: () => answered(window.api.builtIn.snapshot()),
    restore: (id: string) => answered(window.api.builtIn.restore({ id })),
    removeSnapshot: (id: string) => answered(window.api.builtIn.removeSnapshot({ id })),
    /** Returns the function that ends the subscription. */
    onRequest: (listener: () => void) => window.events['builtIn.requested'](listener),
  },
  demo: {
    start: () => changed(window.api.demo.start()),
    reset: () => changed(window.api.demo.reset()),
    signInAs: (accountId: number) => changed(window.api.demo.signInAs({ id: accountId })),
  },
  contractRun: {
    state: () => answered(window.api.contractRun.state()),
    plan: (options: RunOptions) => answered(window.api.contractRun.plan(options)),
    start: (wanted: WantedRun) => answered(window.api.contractRun.start(wanted)),
    cancel: () => answered(window.api.contractRun.cancel()),
    again: (serverId: string, caseId: CaseId) => answered(window.api.contractRun.again({ serverId, caseId })),
    evidence: (serverId: string, id: string) => answered(window.api.contractRun.evidence({ serverId, id })),
    copy: (serverId: string, id: string) => answered(window.api.contractRun.copy({ serverId, id })),
    exportFile: (serverId: string, form: ReportForm) => answered(window.api.contractRun.exportFile({ serverId, form })),
    compare: (serverId: string, otherId: string) => answered(window.api.contractRun.compare({ serverId, otherId })),
    compareFile: (serverId: string) => answered(window.api.contractRun.compareFile({ serverId })),
    /** Returns the function that ends the subscription. */
    onProgressed: (listener: (step: RunStep) => void) => window.events['contractRun.progressed'](listener),
  },
  storage: {
    overview: () => answered(window.api.storage.overview()),
    diagnostics: () => answered(window.api.storage.diagnostics()),
    copyDiagnostics: () => answered(window.api.storage.copyDiagnostics()),
    eraseEverything: () => answered(window.api.storage.eraseEverything()),
  },
  settings: {
    change: (change: Partial<Settings>) => changed(window.api.settings.change(change)),
  },
};

/** The newest state of main; undefined until the first answer or event. */
export function useWindowState(): WindowState | undefined {
  return useSyncExternalStore(appState.subscribe, appState.current);
}

const unlocked = (state: WindowState | undefined): AppState | undefined =>
  state?.locked === false ? state : undefined;

/** The same while the application is not locked. */
export const useAppState = (): AppState | undefined => unlocked(useWindowState());

/** The newest state outside of rendering. */
export const currentAppState = (): AppState | undefined => unlocked(appState.current());
