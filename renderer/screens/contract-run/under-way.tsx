import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunUnderWay } from '../../../preload/contract/contract-runs.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { sayDuration } from '../../say-error.ts';
import classes from './contract-run.module.css';
import { useLostFocus } from './use-lost-focus.ts';

interface UnderWayProps {
  underWay: RunUnderWay;
  nameOf: (serverId: string) => string;
  words: ReportWords;
  onCancel: () => void;
}

/** Shows how far a run is. It is not announced: a live region elsewhere says it now and then. */
export function UnderWay({ underWay, nameOf, words, onCancel }: UnderWayProps) {
  const { t, i18n } = useTranslation();
  const focusRef = useLostFocus<HTMLDivElement>();
  const { caseId, next, cancelled, progress } = underWay;
  const { current, casesDone, casesPlanned, callsMade, secondsLeft, waitingUntil } = progress;
  const counts = t('run.counts', { done: casesDone, planned: casesPlanned, calls: callsMade });
  const left = t('run.left', { time: sayDuration(secondsLeft, i18n.language) });
  return (
    <Stack
      component="section"
      gap="xs"
      ref={focusRef}
      tabIndex={-1}
      aria-label={t('run.progress')}
      className={classes.heading}
    >
      {caseId ? (
        <>
          <Text size="sm">{t('run.again', { title: words.case(caseId) })}</Text>
          <progress className={classes.progress} aria-label={t('run.progress')} />
        </>
      ) : (
        <>
          <Text size="sm">
            {counts}
            {!cancelled && `, ${left}`}
          </Text>
          <progress
            className={classes.progress}
            max={casesPlanned}
            value={casesDone}
            aria-label={t('run.progress')}
            aria-valuetext={`${counts}, ${left}`}
          />
          <Text size="sm" c="dimmed">
            {current ? t('run.now', { title: words.case(current) }) : '\u00a0'}
          </Text>
        </>
      )}
      {waitingUntil !== undefined && (
        <Text size="sm" fw={600}>
          {t('run.waiting', {
            time: new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' }).format(new Date(waitingUntil)),
          })}
        </Text>
      )}
      {next !== undefined && <Text size="sm">{t('run.lastOf', { name: nameOf(next) })}</Text>}
      <Group>
        <Button variant="default" aria-disabled={cancelled} onClick={() => !cancelled && onCancel()}>
          {t('run.cancel')}
        </Button>
        <Text size="xs" c="dimmed">
          {t(cancelled ? 'run.cancelling' : 'run.goesOn')}
        </Text>
      </Group>
    </Stack>
  );
}
