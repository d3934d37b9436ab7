import { Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, RecordedCall } from '../../../preload/contract/calls.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Request, Response } from '../../answers/request-response.tsx';
import { Outcome } from '../../answers/outcome.tsx';
import { createCallWords } from '../../answers/say-call.ts';
import classes from './contract-run.module.css';
import { useReport } from './report-context.ts';

/** This many calls are shown at once. A comparison of times rests on forty. */
const shownAtFirst = 6;

/** Shows the calls that something rests on. Each can be read, copied as a command, and found in the drawer. */
export function Evidence({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const { callOf } = useReport();
  const [all, setAll] = useState(false);
  const known = ids.flatMap((id) => callOf(id) ?? []);
  if (ids.length === 0) return <Text size="sm">{t('run.noEvidence')}</Text>;
  if (known.length === 0) return <Text size="sm">{t('run.evidenceLater')}</Text>;
  const shown = all ? known : known.slice(0, shownAtFirst);
  return (
    <>
      <ul className={classes.evidence} aria-label={t('run.evidence')}>
        {shown.map((call) => (
          <li key={call.id}>
            <OneCall call={call} />
          </li>
        ))}
      </ul>
      {shown.length < known.length && (
        <Button variant="default" size="compact-xs" className={classes.start} onClick={() => setAll(true)}>
          {t('run.moreEvidence', { number: known.length - shown.length })}
        </Button>
      )}
    </>
  );
}

function OneCall({ call }: { call: CallSummary }) {
  const { t } = useTranslation();
  const { serverId, onSaid, onShowCall } = useReport();
  const [opened, setOpened] = useState<Result<RecordedCall>>();
  const { id, method, path } = call;
  const what = `${method} ${path}`;

  async function toggle() {
    setOpened(opened ? undefined : await api.contractRun.evidence({ serverId, id }));
  }

  async function copy() {
    const result = await api.contractRun.copy({ serverId, id });
    onSaid(result.ok ? { sentence: t('run.copied') } : { error: result.error });
  }

  return (
    <>
      <div className={classes.call}>
        <span className={classes.call}>
          <bdi>{what}</bdi> <Outcome call={call} />
        </span>
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-xs"
            aria-expanded={opened !== undefined}
            aria-label={t('run.showCall', { what })}
            onClick={() => void toggle()}
          >
            {t('run.show')}
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={t('run.copyCommandOf', { what })}
            onClick={() => void copy()}
          >
            {t('run.copyCommand')}
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={t('run.inCallsOf', { what })}
            onClick={() => onShowCall(call)}
          >
            {t('run.inCalls')}
          </Button>
        </Group>
      </div>
      {opened && <Opened opened={opened} />}
    </>
  );
}

function Opened({ opened }: { opened: Result<RecordedCall> }) {
  const { i18n } = useTranslation();
  const words = useMemo(() => createCallWords(i18n.language), [i18n.language]);
  if (!opened.ok) {
    return (
      <Message tone="info">
        <ErrorText error={opened.error} during="server" />
      </Message>
    );
  }
  const call = opened.value;
  return (
    <div className={classes.opened}>
      <Request call={call} words={words} />
      <Response call={call} words={words} />
      {call.failure && (
        <Message tone="error" announce="status">
          <ErrorText error={call.failure} during="server" />
        </Message>
      )}
    </div>
  );
}
