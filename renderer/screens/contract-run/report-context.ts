import { createContext, useContext } from 'react';
import type { CaseId } from '../../../preload/contract/conformance.ts';
import type { ExchangeSummary } from '../../../preload/contract/exchanges.ts';
import { reportWords, type ReportWords } from '../../../preload/contract/words/say-report.ts';
import type { ActionOutcome } from '../exchanges/said.tsx';

interface ReportContextValue {
  environmentId: string;
  words: ReportWords;
  /** Undefined while the run is under way. */
  exchangeOf: (id: string) => ExchangeSummary | undefined;
  onSaid: (outcome: ActionOutcome) => void;
  onShowExchange: (exchange: ExchangeSummary) => void;
  /** A run is under way. It stays focusable meanwhile. */
  busy: boolean;
  /**
   * Absent where the server is another one by now, once the run was dropped by a lock, and while the cases are measured
   * for the first time.
   */
  onAgain?: ((caseId: CaseId) => void) | undefined;
}

/** What the parts of one report have in common. */
export const ReportContext = createContext<ReportContextValue>({
  environmentId: '',
  words: reportWords('en'),
  exchangeOf: () => undefined,
  busy: false,
  onSaid: () => undefined,
  onShowExchange: () => undefined,
});

export const useReport = (): ReportContextValue => useContext(ReportContext);
