import { createContext, useContext } from 'react';
import type { ShownAcceptance, FindingId } from '../../../preload/contract/report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { RunUnderWay } from '../../../preload/contract/contract-runs.ts';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { ActionOutcome } from '../../components/said.tsx';

/** The line of a report whose evidence is shown. */
export type Chosen = { kind: 'case'; id: CaseId } | { kind: 'finding'; id: FindingId };

interface ReportContextValue {
  serverId: string;
  /** The run, if it is not the last one of the server. */
  number?: number | undefined;
  /** What is accepted of the server, as far as it is about this report. */
  acceptances: readonly ShownAcceptance[];
  onAccept: (fault: string, reason: string) => void;
  onWithdraw: (fault: string) => void;
  /** It answers undefined for a call that is not in the report. */
  callOf: (id: string) => CallSummary | undefined;
  /** Where a call stands in the report, counted from 1. Its files call the first E1 as well. */
  numberOf: (id: string) => number | undefined;
  onSaid: (outcome: ActionOutcome) => void;
  onShowCall: (call: CallSummary) => void;
  /** The run that goes on, if one does. Its `caseId` is the case that is measured again. */
  underWay?: RunUnderWay | undefined;
  /** It is absent where the server has changed, and once a lock has dropped the run. */
  onAgain?: ((caseId: CaseId) => void) | undefined;
  /** Writes a report of this finding alone into a file. */
  onShare?: ((findingId: FindingId) => void) | undefined;
}

export const ReportContext = createContext<ReportContextValue>({
  serverId: '',
  acceptances: [],
  onAccept: () => undefined,
  onWithdraw: () => undefined,
  callOf: () => undefined,
  numberOf: () => undefined,
  onSaid: () => undefined,
  onShowCall: () => undefined,
});

export const useReport = (): ReportContextValue => useContext(ReportContext);
