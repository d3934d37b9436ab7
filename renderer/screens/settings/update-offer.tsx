import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { AppState } from '../../../preload/contract/models.ts';
import { createCallWords } from '../../answers/say-call.ts';
import { api } from '../../api.ts';
import type { OfferedUpdate } from '../../offered-update.ts';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import classes from './update-offer.module.css';

/** Says what changes with a newer version, and offers the next step towards it. */
export function UpdateOffer({ state, updates }: { state: AppState; updates: OfferedUpdate }) {
  const { t } = useTexts();
  const attempt = useAttempt(state.activeServerId);
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
          <NextStep updates={updates} run={attempt.run} />
        </Group>
      )}
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} />}
    </Stack>
  );
}

function NextStep({ updates, run }: { updates: OfferedUpdate; run: ReturnType<typeof useAttempt>['run'] }) {
  const { t, i18n } = useTexts();
  const { size } = createCallWords(i18n.language);
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
    <Button variant="default" size="xs" onClick={() => void run<unknown>(act)}>
      {label}
    </Button>
  );
}
