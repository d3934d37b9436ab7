import { useEffect, useRef, useState } from 'react';
import type { ReportComparison } from '../../../preload/contract/contract-report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { ContractRuns, WantedRun } from '../../../preload/contract/contract-runs.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { type Compared, useComparisons } from './use-comparisons.ts';
import { useContractRuns } from './use-contract-runs.ts';
import { useKeptRuns } from './use-kept-runs.ts';
import { type RunOf, useOpenedReport } from './use-opened-report.ts';
import { useReportFiles } from './use-report-files.ts';

/** The report of a run. Without a number, it is that of the last one of the server. */
export type ReportPlace = { kind: 'report' } & RunOf;

/** What the room shows while nothing is under way. A comparison with a file is not one of servers. */
type View =
  | { kind: 'setup' }
  | ReportPlace
  | { kind: 'history'; serverId: string }
  | { kind: 'comparison'; comparison: ReportComparison; servers?: Compared | undefined };

/** Keeps what the room of the contract run shows, and what its buttons do. */
export function useRunView(activeServerId: string) {
  const { runs, error, take, fail, dismiss } = useContractRuns();
  const [chosen, setChosen] = useState<View>();
  const [said, setSaid] = useState<ActionOutcome>();
  const [left, setLeft] = useState<ReportPlace>();
  /** The server whose run ended while this was open. */
  const [endedId, setEndedId] = useState<string>();
  const underWay = runs?.underWay;
  const view = chosen ?? firstView(runs, activeServerId);
  const entryOf = (id: string) => runs?.reports.find(({ serverId }) => serverId === id);
  const reportOf = (id: string) => entryOf(id)?.report;
  const opened = useOpenedReport(runs, fail);
  const shown = shownRun(runs, view, opened.openedOf);

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
  /** Shows the report of a run once main has answered it. */
  const openRun = async (serverId: string, wanted: number | undefined) => {
    if (wanted === undefined || entryOf(serverId)?.number === wanted) look({ kind: 'report', serverId });
    else if (await opened.open({ serverId, number: wanted })) look({ kind: 'report', serverId, number: wanted });
  };

  const onCompared = (comparison: ReportComparison, servers?: Compared) =>
    look({ kind: 'comparison', comparison, servers });
  const comparisons = useComparisons({ onCompared, onFailed: fail });

  // When a run ends, its report is shown, or the comparison that it was made for.
  useRunEnd(runs, (last, compared) => {
    setChosen({ kind: 'report', serverId: last });
    setEndedId(last);
    if (compared?.after === last) void comparisons.compareWith(compared.before, last);
  });

  async function start(wanted: WantedRun) {
    setSaid(undefined);
    if (take(await api.contractRun.start(wanted))) setChosen({ kind: 'report', serverId: wanted.serverId });
  }

  const files = useReportFiles({ onSaid: setSaid, onCompared });
  const kept = useKeptRuns({ take, onSaid: setSaid });
  const again = async (serverId: string, caseId: CaseId) => take(await api.contractRun.again({ serverId, caseId }));

  return {
    runs,
    error,
    fail,
    underWay,
    view,
    look,
    said,
    setSaid,
    entryOf,
    reportOf,
    ...shown,
    left,
    openRun,
    ...kept,
    ...comparisons,
    endedId,
    start,
    ...files,
    again,
    /** Takes away what was said of the last action. */
    hush,
    cancel: () => void api.contractRun.cancel().then(take),
  };
}

export type RunView = ReturnType<typeof useRunView>;

function firstView(runs: ContractRuns | undefined, activeServerId: string): View {
  const known = runs?.reports.some(({ serverId }) => serverId === activeServerId);
  return known ? { kind: 'report', serverId: activeServerId } : { kind: 'setup' };
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
