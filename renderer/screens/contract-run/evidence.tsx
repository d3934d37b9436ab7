import { Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeSummary, RecordedExchange } from '../../../preload/contract/exchanges.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Request, Response } from '../exchanges/details.tsx';
import { Outcome } from '../exchanges/rows.tsx';
import { createExchangeWords } from '../exchanges/say-exchange.ts';
import classes from './contract-run.module.css';
import { useReport } from './report-context.ts';

/** What is shown at once of an evidence; a comparison of times rests on forty calls. */
const shownAtFirst = 6;

/** The exchanges that something rests on: each can be read, copied as a command, and found in the drawer. */
export function Evidence({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const { exchangeOf } = useReport();
  const [all, setAll] = useState(false);
  const known = ids.flatMap((id) => exchangeOf(id) ?? []);
  if (ids.length === 0) return <Text size="sm">{t('run.noEvidence')}</Text>;
  if (known.length === 0) return <Text size="sm">{t('run.evidenceLater')}</Text>;
  const shown = all ? known : known.slice(0, shownAtFirst);
  return (
    <>
      <ul className={classes.evidence} aria-label={t('run.evidence')}>
        {shown.map((exchange) => (
          <li key={exchange.id}>
            <OneExchange exchange={exchange} />
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

function OneExchange({ exchange }: { exchange: ExchangeSummary }) {
  const { t } = useTranslation();
  const { environmentId, onSaid, onShowExchange } = useReport();
  const [opened, setOpened] = useState<Result<RecordedExchange>>();
  const { id, method, path } = exchange;
  const what = `${method} ${path}`;

  async function toggle() {
    setOpened(opened ? undefined : await api.conformance.evidence(environmentId, id));
  }

  async function copy() {
    const result = await api.conformance.copy(environmentId, id);
    onSaid(result.ok ? { sentence: t('run.copied') } : { error: result.error });
  }

  return (
    <>
      <div className={classes.exchange}>
        <span className={classes.call}>
          <bdi>{what}</bdi> <Outcome exchange={exchange} />
        </span>
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-xs"
            aria-expanded={opened !== undefined}
            aria-label={t('run.showExchange', { what })}
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
            aria-label={t('run.inExchangesOf', { what })}
            onClick={() => onShowExchange(exchange)}
          >
            {t('run.inExchanges')}
          </Button>
        </Group>
      </div>
      {opened && <Opened opened={opened} />}
    </>
  );
}

function Opened({ opened }: { opened: Result<RecordedExchange> }) {
  const { i18n } = useTranslation();
  const words = useMemo(() => createExchangeWords(i18n.language), [i18n.language]);
  if (!opened.ok) {
    return (
      <Message tone="info">
        <ErrorText error={opened.error} during="server" />
      </Message>
    );
  }
  const exchange = opened.value;
  return (
    <div className={classes.opened}>
      <Request exchange={exchange} words={words} />
      <Response exchange={exchange} words={words} />
      {exchange.failure && (
        <Message tone="error" announce="status">
          <ErrorText error={exchange.failure} during="server" />
        </Message>
      )}
    </div>
  );
}
