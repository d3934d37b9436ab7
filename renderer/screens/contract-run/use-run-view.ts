import { useEffect, useRef, useState } from 'react';
import type { ReportComparison } from '../../../preload/contract/contract-report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { ContractRuns, WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useContractRuns } from './use-contract-runs.ts';
import { useReportFiles } from './use-report-files.ts';

/** The servers that are compared. What a server has changed is compared with runs of its own. */
type Compared = { before?: string; after: string };

/** What the room shows while nothing is under way. A comparison with a file is not one of servers. */
type View =
  | { kind: 'setup' }
  | { kind: 'report'; serverId: string }
  | { kind: 'comparison'; comparison: ReportComparison; servers?: Compared | undefined };

/** Keeps what the room of the contract run shows, and what its buttons do. */
export function useRunView(activeServerId: string) {
  const { runs, error, take, fail, dismiss } = useContractRuns();
  const [chosen, setChosen] = useState<View>();
  const [said, setSaid] = useState<ActionOutcome>();
  /** The server whose run ended while this was open. */
  const [endedId, setEndedId] = useState<string>();
  const underWay = runs?.underWay;
  const view = chosen ?? firstView(runs, activeServerId);
  const entryOf = (id: string) => runs?.reports.find(({ serverId }) => serverId === id);
  const reportOf = (id: string) => entryOf(id)?.report;
  const shownId = underWay?.serverId ?? (view.kind === 'report' ? view.serverId : undefined);
  const report = shownId === undefined ? undefined : reportOf(shownId);

  const hush = () => {
    setSaid(undefined);
    dismiss();
  };
  /** Shows something else; without a view, what the room begins with. */
  const look = (next: View | undefined) => {
    hush();
    setChosen(next);
  };

  const showComparison = (result: Result<ReportComparison>, servers: Compared): void =>
    result.ok ? look({ kind: 'comparison', comparison: result.value, servers }) : fail(result.error);
  const compareWith = async (before: string, after: string) =>
    showComparison(await api.contractRun.compare({ serverId: before, otherId: after }), { before, after });
  const showChanges = async (after: string) =>
    showComparison(await api.contractRun.changes({ serverId: after }), { after });

  // When a run ends, its report is shown, or the comparison that it was made for.
  const ran = useRef<string>(undefined);
  useEffect(() => {
    if (!runs || runs.underWay?.serverId === ran.current) return;
    const last = ran.current;
    ran.current = runs.underWay?.serverId;
    if (runs.underWay || last === undefined) return;
    setChosen({ kind: 'report', serverId: last });
    setEndedId(last);
    if (runs.compared?.after === last) void compareWith(runs.compared.before, last);
    // oxlint-disable-next-line react/exhaustive-deps -- it follows what main says, and nothing else.
  }, [runs]);

  async function start(wanted: WantedRun) {
    setSaid(undefined);
    if (take(await api.contractRun.start(wanted))) setChosen({ kind: 'report', serverId: wanted.serverId });
  }

  const files = useReportFiles({
    onSaid: setSaid,
    onCompared: (comparison) => look({ kind: 'comparison', comparison }),
  });
  const again = async (serverId: string, caseId: CaseId) => take(await api.contractRun.again({ serverId, caseId }));

  return {
    runs,
    error,
    underWay,
    view,
    look,
    said,
    setSaid,
    entryOf,
    reportOf,
    shownId,
    report,
    endedId,
    compareWith,
    showChanges,
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
