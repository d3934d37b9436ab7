import type { ShownCapsule } from '../../../preload/contract/capsules.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { FindingId } from '../../../preload/contract/report-findings.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useTexts } from '../../texts.tsx';

/** What a capsule is made of: a case, or what a case found. */
export interface CapsuleSubject {
  caseId: CaseId;
  findingId?: FindingId | undefined;
}

interface CapsulesProps {
  onSaid: (outcome: ActionOutcome) => void;
  onOpened: (capsule: ShownCapsule) => void;
}

/** Saves capsules, and opens one. Main asks for the file. */
export function useCapsules({ onSaid, onOpened }: CapsulesProps) {
  const { t } = useTexts();
  return {
    saveCapsule: async (report: { serverId: string; number: number | undefined }, subject: CapsuleSubject) => {
      const result = await api.capsules.save({ ...report, ...subject });
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.exported) onSaid({ sentence: t('capsule.saved') });
    },
    openCapsule: async () => {
      const result = await api.capsules.open();
      if (!result.ok) onSaid({ error: result.error });
      else if (result.value.capsule) onOpened(result.value.capsule);
    },
  };
}
