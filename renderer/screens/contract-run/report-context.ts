import { createContext, useContext } from 'react';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import { reportWords, type ReportWords } from '../../../preload/contract/words/say-report.ts';
import type { ActionOutcome } from '../../components/said.tsx';

interface ReportContextValue {
  serverId: string;
  words: ReportWords;
  /** It answers undefined while the run is under way. */
  callOf: (id: string) => CallSummary | undefined;
  onSaid: (outcome: ActionOutcome) => void;
  onShowCall: (call: CallSummary) => void;
  /** Whether a run is under way. The button stays focusable meanwhile. */
  busy: boolean;
  /** It is absent in the first run, where the server has changed, and once a lock has dropped the run. */
  onAgain?: ((caseId: CaseId) => void) | undefined;
}

/** What the parts of one report have in common. */
export const ReportContext = createContext<ReportContextValue>({
  serverId: '',
  words: reportWords('en'),
  callOf: () => undefined,
  busy: false,
  onSaid: () => undefined,
  onShowCall: () => undefined,
});

export const useReport = (): ReportContextValue => useContext(ReportContext);
