import type { ReportComparison } from '../../../preload/contract/contract-report.ts';
import type { FindingId } from '../../../preload/contract/report-findings.ts';
import type { ReportForm } from '../../../preload/contract/report-forms.ts';
import { api } from '../../api.ts';
import { useTexts } from '../../texts.tsx';
import type { RunOf } from './use-opened-report.ts';
import type { ActionOutcome } from '../../components/said.tsx';

interface ReportFilesProps {
  onSaid: (outcome: ActionOutcome) => void;
  onCompared: (comparison: ReportComparison) => void;
}

/** Writes reports into files, and compares them with reports in files. Main asks for the file. */
export function useReportFiles({ onSaid, onCompared }: ReportFilesProps) {
  const { t } = useTexts();
  return {
    exportAs: async (run: RunOf, form: ReportForm) => {
      const result = await api.contractRun.exportFile({ ...run, form });
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.exported) onSaid({ sentence: t('run.exported') });
    },
    share: async (run: RunOf, findingId: FindingId) => {
      const result = await api.doubles.shareFinding({ ...run, findingId });
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.exported) onSaid({ sentence: t(`contract.shared.${result.value.model}`) });
    },
    exportComparison: async () => {
      const result = await api.contractRun.exportComparison();
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.exported) onSaid({ sentence: t('run.comparisonExported') });
    },
    compareFile: async (run: RunOf) => {
      const result = await api.contractRun.compareFile(run);
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.comparison) onCompared(result.value.comparison);
    },
  };
}
