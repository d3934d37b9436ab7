import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportComparison } from '../../../preload/contract/contract-report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { ContractRuns, WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { ReportForm } from '../../../preload/contract/report-forms.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useContractRuns } from './use-contract-runs.ts';

/** What the dialog shows while nothing is under way. */
type View =
  { kind: 'setup' } | { kind: 'report'; serverId: string } | { kind: 'comparison'; comparison: ReportComparison };

/** Keeps what the dialog of the contract run shows, and what its buttons do. */
export function useRunView(activeServerId: string) {
  const { t } = useTranslation();
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

  const look = (next: View) => {
    setSaid(undefined);
    dismiss();
    setChosen(next);
  };

  async function compareWith(id: string, otherId: string) {
    const result = await api.contractRun.compare({ serverId: id, otherId });
    if (result.ok) look({ kind: 'comparison', comparison: result.value });
    else fail(result.error);
  }

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

  async function exportAs(serverId: string, form: ReportForm) {
    const result = await api.contractRun.exportFile({ serverId, form });
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.exported) setSaid({ sentence: t('run.exported') });
  }

  async function compareFile(serverId: string) {
    const result = await api.contractRun.compareFile({ serverId });
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.comparison) look({ kind: 'comparison', comparison: result.value.comparison });
  }

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
    compareFile,
    start,
    exportAs,
    again,
    cancel: () => void api.contractRun.cancel().then(take),
  };
}

export type RunView = ReturnType<typeof useRunView>;

function firstView(runs: ContractRuns | undefined, activeServerId: string): View {
  const known = runs?.reports.some(({ serverId }) => serverId === activeServerId);
  return known ? { kind: 'report', serverId: activeServerId } : { kind: 'setup' };
}
