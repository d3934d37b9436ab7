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
    accept: async (run: RunOf, fault: string, given: { title: string; reason: string; until: string | undefined }) => {
      const { title, reason, until } = given;
      return took(
        await api.contractRun.accept({ ...run, fault, reason, until }),
        t('contract.accepted.done', { title }),
      );
    },
    withdraw: async (serverId: string, fault: string, title: string) =>
      took(await api.contractRun.withdraw({ serverId, fault }), t('contract.accepted.withdrawn', { title })),
    exportAccepted: async (serverId: string) => {
      const result = await api.contractRun.exportAccepted({ serverId });
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.exported) onSaid({ sentence: t('contract.accepted.exported') });
    },
    importAccepted: async (serverId: string) => {
      const result = await api.contractRun.importAccepted({ serverId });
      if (!result.ok) return onSaid({ error: result.error });
      const { imported } = result.value;
      if (imported === undefined) return undefined;
      took(await api.contractRun.state(), t('contract.accepted.imported', { count: imported }));
      return undefined;
    },
  };
}
