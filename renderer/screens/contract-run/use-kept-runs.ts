import type { ContractRuns } from '../../../preload/contract/contract-runs.ts';
import type { KeptRun } from '../../../preload/contract/kept-runs.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useTexts } from '../../texts.tsx';
import type { RunOf } from './use-opened-report.ts';

interface KeptRunsProps {
  take: (result: Result<ContractRuns>) => boolean;
  onSaid: (outcome: ActionOutcome | undefined) => void;
}

/** Pins and deletes kept reports, and accepts what they found. Each is said once it is done. */
export function useKeptRuns({ take, onSaid }: KeptRunsProps) {
  const { t } = useTexts();

  function took(result: Result<ContractRuns>, sentence: string): boolean {
    onSaid(result.ok ? { sentence } : undefined);
    return take(result);
  }
  return {
    pin: async ({ serverId, number }: Pick<KeptRun, 'serverId' | 'number'>, pinned: boolean) =>
      took(
        await api.contractRun.pin({ serverId, number, pinned }),
        t(pinned ? 'contract.kept.pinnedNow' : 'contract.kept.unpinnedNow'),
      ),
    deleteReport: async (run: RunOf) => took(await api.contractRun.deleteReport(run), t('contract.kept.deleted')),
    accept: async (run: RunOf, fault: string, { title, reason }: { title: string; reason: string }) => {
      return took(await api.contractRun.accept({ ...run, fault, reason }), t('contract.accepted.done', { title }));
    },
    withdraw: async (serverId: string, fault: string, title: string) =>
      took(await api.contractRun.withdraw({ serverId, fault }), t('contract.accepted.withdrawn', { title })),
  };
}
