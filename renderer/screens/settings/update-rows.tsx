import { Button } from '@mantine/core';
import type { AppState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { useTexts } from '../../texts.tsx';
import { UpdateOffer } from './update-offer.tsx';
import { offeredUpdate } from '../../offered-update.ts';
import { useAttempt } from '../../use-attempt.ts';
import { useSwitchRow } from './general-rows.tsx';
import { described, type Row } from './setting-row.tsx';
import classes from './settings.module.css';

/** How far updates are, in one sentence, with the button for the next step; and whether Llavero looks by itself. */
export function useUpdateRows(state: AppState): Row[] {
  const { t } = useTexts();
  const { updates, settings, activeServerId } = state;
  const attempt = useAttempt(activeServerId);
  const byItself = useSwitchRow('lookForUpdates', settings);
  const offer = offeredUpdate(updates);
  const help = useUpdateSentence(state);
  const isOff = updates.state === 'off';
  const status: Row = {
    id: 'updates',
    label: t('updates.label'),
    help,
    live: true,
    control:
      isOff || offer
        ? undefined
        : (named) => (
            <Button
              {...described(named)}
              variant="default"
              size="compact-sm"
              aria-busy={updates.state === 'looking'}
              onClick={() => void attempt.run(api.updates.look)}
            >
              {t('updates.look')}
            </Button>
          ),
    below: (offer ?? attempt.failure) && (
      <div className={classes.below}>
        {offer && <UpdateOffer state={state} updates={offer} />}
        {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} />}
      </div>
    ),
  };
  return isOff ? [status] : [byItself, status];
}

/** Says how far updates are. The percentage has a bar of its own, which nobody has to listen to. */
function useUpdateSentence({ updates, settings }: AppState): string {
  const { t, i18n } = useTexts();
  switch (updates.state) {
    case 'off': {
      const file = settings.workbench && updates.file !== undefined && t('updates.off.file', { file: updates.file });
      return [t(`updates.off.${updates.why}`), ...(file ? [file] : [])].join(' ');
    }
    case 'current': {
      const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' }).format(new Date(updates.at));
      return t('updates.current', { time });
    }
    case 'failed':
      return t(`updates.problem.${updates.problem}`);
    case 'available':
      return t('updates.announced', { version: updates.update.version });
    case 'downloading':
    case 'ready':
      return t(`updates.${updates.state}`, { version: updates.update.version });
    case 'not-looked':
    case 'looking':
      return t(`updates.${updates.state}`);
    default:
      return updates satisfies never;
  }
}
