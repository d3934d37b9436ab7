import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { api, useApp } from '../../api.ts';
import { Alert } from '../../components/alert.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { callFormatters, formatTime } from '../../format.ts';
import { t } from '../../i18n.ts';
import { offeredUpdate, type OfferedUpdate } from '../../offered-update.ts';
import { useAction } from '../../use-action.ts';
import { type Row, RowButton } from './setting-row.tsx';
import classes from './settings.module.css';

/** The state of updates in one sentence, with the button for the next step. */
export function useUpdatesRow(): Row {
  const { updates } = useApp();
  const { run, failure } = useAction();
  const offer = offeredUpdate(updates);
  return {
    help: useUpdateText(),
    live: true,
    control:
      updates.state === 'off' || offer
        ? undefined
        : (named) => (
            <RowButton
              named={named}
              aria-busy={updates.state === 'checking'}
              onClick={() => void run(api.updates.check)}
            >
              {t('updates.look')}
            </RowButton>
          ),
    below: (offer ?? failure) && (
      <div className={classes.below}>
        {offer && <UpdateOffer updates={offer} />}
        {failure && <ErrorMessage error={failure.error} during="server" />}
      </div>
    ),
  };
}

/** Without the percentage, which has a progress bar and must not be announced. */
function useUpdateText(): string {
  const { updates, settings } = useApp();
  switch (updates.state) {
    case 'off': {
      const file = settings.workbench && updates.file !== undefined && t('updates.off.file', { file: updates.file });
      return [t(`updates.off.${updates.why}`), ...(file ? [file] : [])].join(' ');
    }
    case 'current':
      return t('updates.current', { time: formatTime(updates.at) });
    case 'failed':
      return t(`updates.problem.${updates.problem}`);
    case 'available':
      return t('updates.announced', { version: updates.update.version });
    case 'downloading':
    case 'ready':
      return t(`updates.${updates.state}`, { version: updates.update.version });
    case 'not-checked':
    case 'checking':
      return t(`updates.${updates.state}`);
    default:
      return updates satisfies never;
  }
}

/** The release notes of a newer version, and the next step towards it. */
function UpdateOffer({ updates }: { updates: OfferedUpdate }) {
  const { run, pending, failure } = useAction();
  const { update } = updates;
  const problem = 'problem' in updates ? updates.problem : undefined;
  const size = update.bytes === undefined ? undefined : callFormatters().size(update.bytes);
  const steps = {
    available: {
      label: size === undefined ? t('updates.downloadAny') : t('updates.download', { size }),
      call: api.updates.download,
    },
    downloading: { label: t('updates.stop'), call: api.updates.cancel },
    ready: { label: t('updates.install'), call: api.updates.install },
  };
  const { label, call } = steps[updates.state];
  return (
    <Stack gap={8}>
      {update.notes !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keys scroll a long text only where the focus is.
        <section className={classes.notes} aria-label={t('updates.notes')} tabIndex={0}>
          {update.notes}
        </section>
      )}
      {update.by !== 'application' && <Text size="sm">{t(`updates.by.${update.by}`)}</Text>}
      {problem && <Alert tone="error" title={t(`updates.problem.${problem}`)} />}
      {updates.state === 'downloading' && (
        <Progress
          value={updates.percent}
          size="sm"
          aria-label={t('updates.downloading', { version: update.version })}
        />
      )}
      {update.by === 'application' && (
        <Group gap={8}>
          <Button variant="default" size="xs" aria-busy={pending} onClick={() => void run<unknown>(call)}>
            {label}
          </Button>
        </Group>
      )}
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </Stack>
  );
}
