import { api } from '../../api.ts';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { useAction } from '../../use-action.ts';
import { t } from '../../i18n.ts';

/** Asks before a lock is left without its PIN. */
export function LeaveQuestion({ onKeep }: { onKeep: () => void }) {
  const attempt = useAction();
  return (
    <ConfirmDialog
      title={t('lock.forgot.title')}
      help={t('lock.forgot.help')}
      keep={t('lock.forgot.no')}
      goOn={t('lock.forgot.yes')}
      sending={attempt.pending}
      onKeep={onKeep}
      onGoOn={() => void attempt.run(api.lock.leave).then(onKeep)}
    />
  );
}
