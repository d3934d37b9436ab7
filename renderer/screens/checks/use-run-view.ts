import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReportComparison, FindingId } from '../../../preload/contract/report.ts';
import type {
  ContractRuns,
  OpenedReport,
  RunUnderWay,
  WantedRun,
  KeptRun,
} from '../../../preload/contract/contract-runs.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { ReportForm } from '../../../preload/contract/names.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { api, onEvent, useApp } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { t } from '../../i18n.ts';

/** One run of a server. Without a number, it is the last. */
export interface RunOf {
  serverId: string;
  number?: number | undefined;
}

/** What the room shows while nothing is under way. A comparison with a file is not one of servers. */
type View =
  | { kind: 'empty' }
  | { kind: 'setup' }
  | ({ kind: 'report' } & RunOf)
  | { kind: 'history'; serverId: string }
  | { kind: 'comparison'; comparison: ReportComparison; servers?: Compared | undefined };

/** The servers that are compared. What a server has changed is compared with runs of its own. */
interface Compared {
  before?: string;
  after: string;
}

/** Keeps what the room of the contract run shows, and what its buttons do. */
export function useRunView() {
  const { activeServerId } = useApp();
  const { runs, error, take, fail, dismiss } = useContractRuns();
  const [chosen, setChosen] = useState<View>();
  const [said, setSaid] = useState<ActionOutcome>();
  const [left, setLeft] = useState<RunOf>();
  /** The server whose run ended while this was open. */
  const [endedId, setEndedId] = useState<string>();
  const view = chosen ?? firstView(runs, activeServerId);
  const entryOf = (id: string) => runs?.reports.find(({ serverId }) => serverId === id);
  const opened = useOpenedReport(runs, fail);

  /** Takes away what was said of the last action. */
  const hush = () => {
    setSaid(undefined);
    dismiss();
  };
  /** Shows something else; without a view, what the room begins with. */
  const look = (next: View | undefined) => {
    hush();
    // The way back from a comparison or a history leads to the report that it was opened from.
    if (view.kind === 'report') setLeft(view);
    setChosen(next);
  };
  const acts = actsOf({ take, fail, onSaid: setSaid, look });

  // When a run ends, its report is shown, or the comparison that it was made for.
  useRunEnd(runs, (last, compared) => {
    setChosen({ kind: 'report', serverId: last });
    setEndedId(last);
    if (compared?.after === last) void acts.compareWith(compared.before, last);
  });

  return {
    runs,
    error,
    fail,
    underWay: runs?.underWay,
    view,
    look,
    said,
    setSaid,
    entryOf,
    reportOf: (id: string) => entryOf(id)?.report,
    ...shownRun(runs, view, opened.openedOf),
    left,
    /** Shows the report of a run once main has answered it. */
    openRun: async (serverId: string, wanted: number | undefined) => {
      if (wanted === undefined || entryOf(serverId)?.number === wanted) look({ kind: 'report', serverId });
      else if (await opened.open({ serverId, number: wanted })) look({ kind: 'report', serverId, number: wanted });
    },
    endedId,
    start: async (wanted: WantedRun) => {
      setSaid(undefined);
      if (take(await api.contractRun.start(wanted))) setChosen({ kind: 'report', serverId: wanted.serverId });
    },
    ...acts,
    hush,
  };
}

export type RunView = ReturnType<typeof useRunView>;

interface ActsOptions {
  take: (result: Result<ContractRuns>) => boolean;
  fail: (error: AppError) => void;
  onSaid: (outcome: ActionOutcome | undefined) => void;
  look: (view: View) => void;
}

/** What the buttons of reports and comparisons ask of main, and what is said or shown once it is done. */
function actsOf({ take, fail, onSaid, look }: ActsOptions) {
  const { contractRun, doubles } = api;
  async function change(call: Promise<Result<ContractRuns>>, sentence: () => string): Promise<void> {
    const result = await call;
    onSaid(result.ok ? { sentence } : undefined);
    take(result);
  }
  /** Main asks for the file. */
  async function file<T>(call: Promise<Result<T>>, then: (value: T) => void): Promise<void> {
    const result = await call;
    if (result.ok) then(result.value);
    else onSaid({ error: result.error });
  }
  const onExported =
    (sentence: () => string) =>
    ({ exported }: { exported: boolean }) =>
      exported && onSaid({ sentence });
  async function compare(call: Promise<Result<ReportComparison>>, servers: Compared): Promise<void> {
    const result = await call;
    if (result.ok) look({ kind: 'comparison', comparison: result.value, servers });
    else fail(result.error);
  }
  return {
    pin: ({ serverId, number }: Pick<KeptRun, 'serverId' | 'number'>, pinned: boolean) =>
      change(contractRun.pin({ serverId, number, pinned }), () =>
        t(pinned ? 'contract.kept.pinnedNow' : 'contract.kept.unpinnedNow'),
      ),
    deleteReport: (run: RunOf) => change(contractRun.deleteReport(run), () => t('contract.kept.deleted')),
    accept: (run: RunOf, fault: string, { title, reason }: { title: string; reason: string }) =>
      change(contractRun.accept({ ...run, fault, reason }), () => t('contract.accepted.done', { title })),
    withdraw: (serverId: string, fault: string, title: string) =>
      change(contractRun.withdraw({ serverId, fault }), () => t('contract.accepted.withdrawn', { title })),
    again: async (serverId: string, caseId: CaseId) => take(await contractRun.again({ serverId, caseId })),
    cancel: () => void contractRun.cancel().then(take),
    exportAs: (run: RunOf, form: ReportForm) =>
      file(
        contractRun.exportFile({ ...run, form }),
        onExported(() => t('run.exported')),
      ),
    exportComparison: () =>
      file(
        contractRun.exportComparison(),
        onExported(() => t('run.comparisonExported')),
      ),
    share: (run: RunOf, findingId: FindingId) =>
      file(doubles.shareFinding({ ...run, findingId }), (value) => {
        if (value.exported) onSaid({ sentence: () => t(`contract.shared.${value.model}`) });
      }),
    compareFile: (run: RunOf) =>
      file(contractRun.compareFile(run), ({ comparison }) => comparison && look({ kind: 'comparison', comparison })),
    compareWith: (before: string, after: string) =>
      compare(contractRun.compare({ serverId: before, otherId: after }), { before, after }),
    /** Compares two runs. Those of one server cannot be run again side by side. */
    compareRuns: ({ serverId, number }: RunOf, after: RunOf) =>
      compare(contractRun.compare({ serverId, number, otherId: after.serverId, otherNumber: after.number }), {
        after: after.serverId,
      }),
    showChanges: (after: string) => compare(contractRun.changes({ serverId: after }), { after }),
  };
}

function firstView(runs: ContractRuns | undefined, activeServerId: string): View {
  const known = runs?.reports.some(({ serverId }) => serverId === activeServerId);
  if (known) return { kind: 'report', serverId: activeServerId };
  return { kind: runs?.reports.length === 0 ? 'empty' : 'setup' };
}

/** Tells once of each run that ends, with the server that was measured. */
function useRunEnd(
  runs: ContractRuns | undefined,
  onEnded: (last: string, compared: ContractRuns['compared']) => void,
): void {
  const ran = useRef<string>(undefined);
  useEffect(() => {
    if (!runs || runs.underWay?.serverId === ran.current) return;
    const last = ran.current;
    ran.current = runs.underWay?.serverId;
    if (!runs.underWay && last !== undefined) onEnded(last, runs.compared);
    // oxlint-disable-next-line react/exhaustive-deps -- it follows what main says, and nothing else.
  }, [runs]);
}

/** Says whose report is shown. An earlier run has a number, and the last one of its server has none. */
function shownRun(
  runs: ContractRuns | undefined,
  view: View,
  openedOf: ReturnType<typeof useOpenedReport>['openedOf'],
) {
  const underWay = runs?.underWay;
  const ofView = view.kind === 'report' || view.kind === 'history' ? view.serverId : undefined;
  const shownId = underWay?.serverId ?? ofView;
  const last = runs?.reports.find(({ serverId }) => serverId === shownId);
  // Once it is deleted, the last one takes its place.
  const earlier = !underWay && view.kind === 'report' ? openedOf(view) : undefined;
  const number = earlier?.number;
  const keptNumber = number ?? last?.number;
  return {
    shownId,
    number,
    report: (earlier ?? last)?.report,
    acceptances: (earlier ?? last)?.acceptances ?? [],
    keptNumber,
    /** It is absent where the shown run is not kept. */
    keptRun: runs?.kept?.find((each) => each.serverId === shownId && each.number === keptNumber),
  };
}

/** Adds to a run what an event brings. A result that came again takes the place of the one before. */
function withStep(runs: ContractRuns, step: RunUnderWay): ContractRuns {
  const known = runs.underWay;
  const isSame = known?.serverId === step.serverId && known.caseId === step.caseId;
  const results = new Map([...(isSame ? known.results : []), ...step.results].map((each) => [each.id, each]));
  return { ...runs, underWay: { ...step, results: [...results.values()] } };
}

/** Keeps the contract runs as main knows them, and why the last call failed, if it did. */
function useContractRuns() {
  const [runs, setRuns] = useState<ContractRuns>();
  const [error, setError] = useState<AppError>();

  const take = useCallback((result: Result<ContractRuns>): boolean => {
    if (result.ok) setRuns(result.value);
    setError(result.ok ? undefined : result.error);
    return result.ok;
  }, []);

  useEffect(() => {
    let left = false;
    const read = async () => {
      const result = await api.contractRun.state();
      if (!left) take(result);
    };
    const unsubscribe = onEvent('contractRun.progressed', ({ underWay }) => {
      if (underWay) setRuns((known) => known && withStep(known, underWay));
      else void read();
    });
    void read();
    return () => {
      left = true;
      unsubscribe();
    };
  }, [take]);

  return { runs, error, take, fail: setError, dismiss: () => setError(undefined) };
}

type Opened = OpenedReport & { serverId: string; number: number };

/** Keeps the report of an earlier run that was opened. What is accepted of it is asked for again when `runs` change. */
function useOpenedReport(runs: ContractRuns | undefined, onFailed: (error: AppError) => void) {
  const [opened, setOpened] = useState<Opened>();
  /** Counts what the person asked for, since answers may cross. */
  const asked = useRef(0);

  async function open(run: { serverId: string; number: number }): Promise<boolean> {
    asked.current += 1;
    const own = asked.current;
    const result = await api.contractRun.open(run);
    if (asked.current !== own) return false;
    if (result.ok) setOpened({ ...result.value, ...run });
    else onFailed(result.error);
    return result.ok;
  }

  useEffect(() => {
    if (!opened) return undefined;
    const { serverId, number } = opened;
    let isOld = false;
    void api.contractRun.open({ serverId, number }).then((result) => {
      if (isOld) return;
      // The person may have opened another one meanwhile. This one may have been deleted.
      setOpened((shown) =>
        shown?.serverId !== serverId || shown.number !== number
          ? shown
          : result.ok
            ? { ...result.value, serverId, number }
            : undefined,
      );
    });
    return () => {
      isOld = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- It follows what main says, and nothing else.
  }, [runs]);

  return {
    open,
    openedOf: ({ serverId, number }: RunOf): Opened | undefined =>
      opened?.serverId === serverId && opened.number === number ? opened : undefined,
  };
}
