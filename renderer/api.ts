import { useSyncExternalStore } from 'react';
import type { Credentials, EnteredEnvironment, FilePurpose, Registration } from '../preload/contract/contract.ts';
import type { EnteredConnection } from '../preload/contract/connection.ts';
import type { CaseId, RunOptions } from '../preload/contract/conformance.ts';
import type { ReportForm, RunStep, WantedRun } from '../preload/contract/contract-runs.ts';
import type {
  CommandForm,
  ExchangeFilter,
  ExchangeLimits,
  ExportForm,
  ReplayChange,
} from '../preload/contract/exchanges.ts';
import type { AppState, Settings, WindowState } from '../preload/contract/models.ts';
import type { BehaviourChange, Page, SeedName } from '../preload/contract/service.ts';
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
  const { environmentId, host } = result.error;
  const answer = await productionQuestion.ask({ environmentId, host, declinable: decline !== undefined });
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
  environments: {
    chooseAddress: (address: string) => changed(window.api.environments.useAddress({ address })),
    choose: (id: string) => changed(window.api.environments.use({ id })),
    create: (entered: EnteredEnvironment) => changed(window.api.environments.create(entered)),
    edit: (id: string, entered: EnteredEnvironment) => changed(window.api.environments.edit({ id, ...entered })),
    duplicate: (id: string) => changed(window.api.environments.duplicate({ id })),
    trust: (id: string, sha256: string) => changed(window.api.environments.trust({ id, sha256 })),
    distrust: (id: string) => changed(window.api.environments.distrust({ id })),
    move: (id: string, by: -1 | 1) => changed(window.api.environments.move({ id, by })),
    remove: (id: string) => changed(window.api.environments.remove({ id })),
    confirmProduction: (id: string, host: string) => changed(window.api.environments.confirmProduction({ id, host })),
    test: (entered: { id?: string; address: string; enteredConnection?: EnteredConnection }) =>
      answered(window.api.environments.test(entered)),
    cancelTest: () => answered(window.api.environments.cancelTest()),
    openInBrowser: () => answered(window.api.environments.openInBrowser()),
    chooseFile: (purpose: FilePurpose) => answered(window.api.environments.chooseFile({ purpose })),
    importFile: () => changed(window.api.environments.importFile()),
    exportFile: () => changed(window.api.environments.exportFile()),
  },
  exchanges: {
    list: (filter: ExchangeFilter, offset: number) => answered(window.api.exchanges.list({ filter, offset })),
    get: (id: string) => answered(window.api.exchanges.get({ id })),
    pin: (id: string, pinned: boolean) => answered(window.api.exchanges.pin({ id, pinned })),
    copy: (id: string, form: CommandForm, secrets: 'variables' | 'full') =>
      answered(window.api.exchanges.copy({ id, form, secrets })),
    exportFile: (filter: ExchangeFilter, form: ExportForm) =>
      answered(window.api.exchanges.exportFile({ filter, form })),
    limits: () => answered(window.api.exchanges.limits()),
    setLimits: (limits: ExchangeLimits) => answered(window.api.exchanges.setLimits(limits)),
    importHar: () => answered(window.api.exchanges.importHar()),
    replayChanges: (id: string) => answered(window.api.exchanges.replayChanges({ id })),
    /** `secrets` are typed ones by the ids of what was missing. */
    replay: (id: string, change: ReplayChange | undefined, secrets: Readonly<Record<string, string>> = {}) =>
      withHost(() => answered(window.api.exchanges.replay({ id, secrets, ...(change && { change }) }))),
    cancelReplay: () => answered(window.api.exchanges.cancelReplay()),
    clear: (environmentId: string | undefined, pinnedToo: boolean) =>
      answered(window.api.exchanges.clear({ pinnedToo, ...(environmentId !== undefined && { environmentId }) })),
    /** Returns the function that ends the subscription. */
    onRecorded: (listener: () => void) => window.events['exchange.recorded'](listener),
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
  /** The embedded service as a sparring partner, and what it holds. */
  service: {
    choices: () => answered(window.api.service.choices()),
    behave: (change: BehaviourChange) => changed(window.api.service.behave(change)),
    accounts: (page: Page) => answered(window.api.service.accounts(page)),
    sessions: (page: Page) => answered(window.api.service.sessions(page)),
    expire: (id: number) => answered(window.api.service.expire({ id })),
    revoke: (id: number) => answered(window.api.service.revoke({ id })),
    signEveryoneOut: () => answered(window.api.service.signEveryoneOut()),
    requests: () => answered(window.api.service.requests()),
    clearRequests: () => answered(window.api.service.clearRequests()),
    copies: () => answered(window.api.service.copies()),
    reset: (set: SeedName, seed: number) => answered(window.api.service.reset({ set, seed })),
    undo: () => answered(window.api.service.undo()),
    snapshot: () => answered(window.api.service.snapshot()),
    restore: (id: string) => answered(window.api.service.restore({ id })),
    removeSnapshot: (id: string) => answered(window.api.service.removeSnapshot({ id })),
    /** Returns the function that ends the subscription. */
    onRequest: (listener: () => void) => window.events['service.requested'](listener),
  },
  demo: {
    start: () => changed(window.api.demo.start()),
    reset: () => changed(window.api.demo.reset()),
    signInAs: (accountId: number) => changed(window.api.demo.signInAs({ id: accountId })),
  },
  conformance: {
    state: () => answered(window.api.conformance.state()),
    plan: (options: RunOptions) => answered(window.api.conformance.plan(options)),
    start: (wanted: WantedRun) => answered(window.api.conformance.start(wanted)),
    cancel: () => answered(window.api.conformance.cancel()),
    again: (environmentId: string, caseId: CaseId) => answered(window.api.conformance.again({ environmentId, caseId })),
    evidence: (environmentId: string, id: string) => answered(window.api.conformance.evidence({ environmentId, id })),
    copy: (environmentId: string, id: string) => answered(window.api.conformance.copy({ environmentId, id })),
    exportFile: (environmentId: string, form: ReportForm) =>
      answered(window.api.conformance.exportFile({ environmentId, form })),
    compare: (environmentId: string, otherId: string) =>
      answered(window.api.conformance.compare({ environmentId, otherId })),
    compareFile: (environmentId: string) => answered(window.api.conformance.compareFile({ environmentId })),
    /** Returns the function that ends the subscription. */
    onProgressed: (listener: (step: RunStep) => void) => window.events['conformance.progressed'](listener),
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
