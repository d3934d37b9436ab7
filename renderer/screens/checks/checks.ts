import type {
  ChecksState,
  StoredRun,
  OpenedReport,
  CheckInProgress,
  CheckRequest,
} from '../../../preload/contract/checks.ts';
import type { ReportForm } from '../../../preload/contract/names.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { ReportComparison } from '../../../preload/contract/report.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { api, onEvent, useApp } from '../../api.ts';
import { t } from '../../i18n.ts';
import type { Route } from '../../route.ts';
import { createStore, useStore } from '../../store.ts';
import { showToast } from '../../toasts.ts';

/** A run of a server. Without a number, it is the last one. */
export interface RunRef {
  serverId: string;
  number?: number | undefined;
}

/** `from` is the report that a comparison or a history was opened from, and that the back button leads to. */
type View =
  | { kind: 'empty' }
  | { kind: 'form' }
  | ({ kind: 'report' } & RunRef)
  | { kind: 'history'; serverId: string; from: RunRef }
  | { kind: 'comparison'; comparison: ReportComparison; servers?: ComparedServers | undefined; from?: RunRef };

/** Servers of a comparison: `after` alone for the changes and the runs of one server, and neither with a file. */
interface ComparedServers {
  before?: string;
  after: string;
}

export type Pane = 'runs' | 'evidence';

interface State {
  /** The last response of main, updated by the events of the running check. */
  runs?: ChecksState | undefined;
  /** The view that the user chose; without it, the report of the active server. */
  chosen?: View | undefined;
  /** The report of an earlier run, if one is opened. */
  opened?: (OpenedReport & { serverId: string; number: number }) | undefined;
  /** The server whose check ended while the page was open. */
  endedId?: string;
  /** The error of an action of the header or, without `isPressed`, of loading the checks. */
  failure?: { error: AppError; isPressed: boolean } | undefined;
  /** The pane that covers the report in a narrow window. */
  pane?: Pane | undefined;
}

const store = createStore<State>({});
const patch = (change: State): void => store.set({ ...store.current(), ...change });

/** Incremented for each visit of the page: a response to an earlier visit is dropped. */
let visit = 0;

/** Starts a visit of the page, and returns a function to end it. */
export function enterChecks(): () => void {
  visit += 1;
  const unsubscribe = onEvent('checks.progressed', ({ running }) => {
    const { runs } = store.current();
    if (!running) void load();
    else if (runs) patch({ runs: withStep(runs, running) });
  });
  void load();
  return () => {
    visit += 1;
    unsubscribe();
    store.set({});
  };
}

async function load(): Promise<void> {
  const own = visit;
  const result = await ifStayed(api.checks.state(), setRuns);
  if (!result.ok && own === visit) patch({ failure: { error: result.error, isPressed: false } });
}

/** Adds the results of an event. A repeated result replaces the earlier one. */
function withStep(runs: ChecksState, step: CheckInProgress): ChecksState {
  const known = runs.running;
  const isSame = known?.serverId === step.serverId && known.caseId === step.caseId;
  const results = new Map([...(isSame ? known.results : []), ...step.results].map((each) => [each.id, each]));
  return { ...runs, running: { ...step, results: [...results.values()] } };
}

/** Shows the report of a check that has ended, or the comparison that it was started for. */
function setRuns(runs: ChecksState): void {
  const ended = runs.running ? undefined : store.current().runs?.running?.serverId;
  patch({ runs, ...(ended !== undefined && { chosen: { kind: 'report', serverId: ended }, endedId: ended }) });
  if (ended !== undefined && runs.compared?.after === ended) void compareServers(runs.compared.before, ended);
  void reloadOpened();
}

let reloads = 0;

/** The acceptances of the opened report may have changed, or it may have been deleted. */
async function reloadOpened(): Promise<void> {
  const { opened } = store.current();
  if (!opened) return;
  const { serverId, number } = opened;
  const own = ++reloads;
  const result = await api.checks.open({ serverId, number });
  const now = store.current().opened;
  if (own !== reloads || now?.serverId !== serverId || now.number !== number) return;
  patch({ opened: result.ok ? { ...result.value, serverId, number } : undefined });
}

/** Passes the value of a response on, unless the page was left meanwhile. */
async function ifStayed<T>(call: Promise<Result<T>>, then: (value: T) => void): Promise<Result<T>> {
  const own = visit;
  const result = await call;
  if (result.ok && own === visit) then(result.value);
  return result;
}

/** An action of the header of the page. Its error is shown below the header. */
async function headAction<T>(call: Promise<Result<T>>, succeeded: (value: T) => void): Promise<void> {
  const own = visit;
  patch({ failure: undefined });
  const result = await ifStayed(call, succeeded);
  if (!result.ok && own === visit) patch({ failure: { error: result.error, isPressed: true } });
}

/** Without a view, shows the default one. */
export const show = (chosen: View | undefined): void => patch({ chosen, failure: undefined, pane: undefined });

export function showRoute({ starting, run }: Extract<Route, { page: 'checks' }>): void {
  show(starting ? { kind: 'form' } : undefined);
  if (run) void openRun(run);
}

let openings = 0;

/** Shows the report of a run once main has returned it. */
export async function openRun({ serverId, number }: RunRef): Promise<void> {
  const last = store.current().runs?.reports.find((each) => each.serverId === serverId);
  if (number === undefined || last?.number === number) {
    show({ kind: 'report', serverId });
    return;
  }
  const own = ++openings;
  await headAction(api.checks.open({ serverId, number }), (opened) => {
    // Another run may have been opened since, and responses may arrive in another order.
    if (own !== openings) return;
    patch({ opened: { ...opened, serverId, number } });
    show({ kind: 'report', serverId, number });
  });
}

export const startCheck = (wanted: CheckRequest): Promise<Result<ChecksState>> =>
  ifStayed(api.checks.start(wanted), (runs) => {
    setRuns(runs);
    show({ kind: 'report', serverId: wanted.serverId });
  });

export const repeatTest = (serverId: string, caseId: CaseId): Promise<Result<ChecksState>> =>
  ifStayed(api.checks.rerunCase({ serverId, caseId }), setRuns);

export const acceptFault = (run: RunRef, fault: string, reason: string): Promise<Result<ChecksState>> =>
  ifStayed(api.checks.accept({ ...run, fault, reason }), setRuns);

export const withdrawAcceptance = (serverId: string, fault: string): Promise<Result<ChecksState>> =>
  ifStayed(api.checks.withdrawAcceptance({ serverId, fault }), setRuns);

export const showChanges = (serverId: string): Promise<Result<ReportComparison>> =>
  ifStayed(api.checks.changes({ serverId }), (comparison) =>
    show({ kind: 'comparison', comparison, servers: { after: serverId }, from: { serverId } }),
  );

// Actions of the header.

export const cancelCheck = (): Promise<void> => headAction(api.checks.cancel(), setRuns);

export const startBothAgain = (wanted: CheckRequest): Promise<void> => headAction(startCheck(wanted), () => undefined);

export const pinRun = ({ serverId, number }: Pick<StoredRun, 'serverId' | 'number'>, pinned: boolean): Promise<void> =>
  headAction(api.checks.pin({ serverId, number, pinned }), (runs) => {
    setRuns(runs);
    showToast({ text: () => t(pinned ? 'checks.reportActions.pinnedNow' : 'checks.reportActions.unpinnedNow') });
  });

export const deleteReport = (run: RunRef): Promise<void> =>
  headAction(api.checks.deleteReport(run), (runs) => {
    setRuns(runs);
    showToast({ text: () => t('checks.reportActions.deleted') });
  });

/** Main opens the dialog for the file, as for the two below. */
export const exportReport = (run: RunRef, form: ReportForm): Promise<void> =>
  headAction(api.checks.exportFile({ ...run, form }), ({ exported }) => {
    if (exported) showToast({ text: () => t('run.exported') });
  });

export const exportComparison = (): Promise<void> =>
  headAction(api.checks.exportComparison(), ({ exported }) => {
    if (exported) showToast({ text: () => t('run.comparisonExported') });
  });

export const compareFile = (from: RunRef): Promise<void> =>
  headAction(api.checks.compareFile(from), ({ comparison }) => {
    if (comparison) show({ kind: 'comparison', comparison, from });
  });

/** Compares the last runs of two servers. */
export const compareServers = (before: string, after: string): Promise<void> =>
  headAction(api.checks.compare({ serverId: before, otherId: after }), (comparison) =>
    show({ kind: 'comparison', comparison, servers: { before, after } }),
  );

/** Compares two runs. Runs of one server cannot be repeated side by side. */
export const compareRuns = (before: RunRef, after: RunRef, from: RunRef): Promise<void> =>
  headAction(
    api.checks.compare({
      serverId: before.serverId,
      number: before.number,
      otherId: after.serverId,
      otherNumber: after.number,
    }),
    (comparison) => show({ kind: 'comparison', comparison, servers: { after: after.serverId }, from }),
  );

// Panes beside the report. In a wide window both are shown, and nothing is opened or closed.

const paneElement = (pane: Pane): HTMLElement | null => document.getElementById(`checks-${pane}`);
let paneOpener: Element | null = null;

/** Opens a pane over the report, and focuses it. */
export function openPane(pane: Pane): void {
  const element = paneElement(pane);
  if (!element || getComputedStyle(element).position !== 'absolute') return;
  paneOpener = document.activeElement;
  patch({ pane });
  requestAnimationFrame(() => element.querySelector<HTMLElement>('h2, [tabindex="0"]')?.focus());
}

/** Closes the pane over the report, and restores the focus. */
export function closePane(): void {
  if (store.current().pane === undefined) return;
  patch({ pane: undefined });
  const opener = paneOpener;
  requestAnimationFrame(() => {
    const isThere = opener instanceof HTMLElement && opener.isConnected && !opener.closest('[role=menu]');
    (isThere ? opener : document.querySelector<HTMLElement>('main h1'))?.focus();
  });
}

type LastReport = ChecksState['reports'][number];

export type PageContent = 'loading' | 'empty' | 'form' | 'running' | 'report' | 'comparison' | 'history';

function contentOf(runs: ChecksState | undefined, view: View, hasReport: boolean): PageContent {
  if (!runs) return 'loading';
  if (runs.running) return runs.running.caseId && hasReport ? 'report' : 'running';
  if (view.kind === 'report') return hasReport ? 'report' : 'form';
  return view.kind;
}

function firstView(runs: ChecksState | undefined, activeServerId: string): View {
  const isKnown = runs?.reports.some(({ serverId }) => serverId === activeServerId);
  if (isKnown) return { kind: 'report', serverId: activeServerId };
  return { kind: runs?.reports.length === 0 ? 'empty' : 'form' };
}

/** The content of the page, and the state of checks in main. */
export function useChecks() {
  const { activeServerId } = useApp();
  const { runs, chosen, opened, ...rest } = useStore(store);
  const view = chosen ?? firstView(runs, activeServerId);
  const running = runs?.running;
  const serverId = running?.serverId ?? (view.kind === 'report' || view.kind === 'history' ? view.serverId : undefined);
  const report = serverId === undefined ? undefined : shownReport({ runs, opened }, view, serverId);
  return {
    ...rest,
    runs,
    running,
    view,
    content: contentOf(runs, view, report !== undefined),
    serverId,
    report,
    lastReportOf: (id: string | undefined): LastReport | undefined =>
      runs?.reports.find((each) => each.serverId === id),
  };
}

/** Returns the report of a server to show: an earlier run that was opened, or else the last one. */
function shownReport({ runs, opened }: State, view: View, serverId: string) {
  const last = runs?.reports.find((each) => each.serverId === serverId);
  // A deleted earlier run is replaced by the last one.
  const isEarlier =
    !runs?.running && view.kind === 'report' && opened?.serverId === serverId && opened.number === view.number;
  const shown = isEarlier ? opened : last;
  if (!shown) return undefined;
  return {
    run: { serverId, number: isEarlier ? opened.number : undefined },
    report: shown.report,
    acceptances: shown.acceptances ?? [],
    /** Only for the last run. */
    last: isEarlier ? undefined : last,
    keptNumber: shown.number,
    /** Undefined if the run is not stored. */
    keptRun: runs?.stored?.find((each) => each.serverId === serverId && each.number === shown.number),
  };
}

/** The shown report. Throws if there is none, which is a bug. */
export function useReport() {
  const { report, running } = useChecks();
  if (!report) throw new Error('No report is shown.');
  return { ...report, running };
}
