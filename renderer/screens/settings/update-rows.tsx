import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { api, useApp } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { offeredUpdate, type OfferedUpdate } from '../../offered-update.ts';
import { useAction } from '../../use-action.ts';
import { useSwitchRow } from './general-rows.tsx';
import { described, type Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { callFormatters } from '../../format.ts';
import { language, t } from '../../i18n.ts';

/** How far updates are, in one sentence, with the button for the next step; and whether Llavero looks by itself. */
export function useUpdateRows(): Row[] {
  const state = useApp();
  const { updates, settings } = state;
  const attempt = useAction();
  const byItself = useSwitchRow('lookForUpdates', settings);
  const offer = offeredUpdate(updates);
  const help = useUpdateSentence();
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
        {offer && <UpdateOffer updates={offer} />}
        {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
      </div>
    ),
  };
  return isOff ? [status] : [byItself, status];
}

/** Says how far updates are. The percentage has a bar of its own, which nobody has to listen to. */
function useUpdateSentence(): string {
  const { updates, settings } = useApp();
  switch (updates.state) {
    case 'off': {
      const file = settings.workbench && updates.file !== undefined && t('updates.off.file', { file: updates.file });
      return [t(`updates.off.${updates.why}`), ...(file ? [file] : [])].join(' ');
    }
    case 'current': {
      const time = new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(new Date(updates.at));
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

/** Says what changes with a newer version, and offers the next step towards it. */
function UpdateOffer({ updates }: { updates: OfferedUpdate }) {
  const attempt = useAction();
  const { update } = updates;
  const problem = 'problem' in updates ? updates.problem : undefined;
  return (
    <Stack gap={8}>
      {update.notes !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keys scroll a long text only where the focus is.
        <section className={classes.notes} aria-label={t('updates.notes')} tabIndex={0}>
          {update.notes}
        </section>
      )}
      {update.by !== 'application' && <Text size="sm">{t(`updates.by.${update.by}`)}</Text>}
      {problem && (
        <Text size="sm" role="alert">
          {t(`updates.problem.${problem}`)}
        </Text>
      )}
      {updates.state === 'downloading' && (
        <Progress
          value={updates.percent}
          size="sm"
          aria-label={t('updates.downloading', { version: update.version })}
        />
      )}
      {update.by === 'application' && (
        <Group gap={8}>
          <NextStep updates={updates} attempt={attempt} />
        </Group>
      )}
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
    </Stack>
  );
}

function NextStep({ updates, attempt }: { updates: OfferedUpdate; attempt: ReturnType<typeof useAction> }) {
  const { size } = callFormatters();
  const { bytes } = updates.update;
  const [label, act] = {
    available: [
      bytes === undefined ? t('updates.downloadAny') : t('updates.download', { size: size(bytes) }),
      api.updates.download,
    ] as const,
    downloading: [t('updates.stop'), api.updates.cancel] as const,
    ready: [t('updates.install'), api.updates.install] as const,
  }[updates.state];
  return (
    <Button variant="default" size="xs" aria-busy={attempt.pending} onClick={() => void attempt.run<unknown>(act)}>
      {label}
    </Button>
  );
}
