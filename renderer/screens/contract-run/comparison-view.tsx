import { Button, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportComparison, ReportDifference } from '../../../preload/contract/contract-report.ts';
import type { ObservedValue } from '../../../preload/contract/report-cases.ts';
import { fill, type ReportWords } from '../../../preload/contract/words/say-report.ts';
import classes from './contract-run.module.css';
import { Parts } from './parts.tsx';

interface ComparisonViewProps {
  comparison: ReportComparison;
  words: ReportWords;
  onBack: () => void;
}

/** Shows what differs between two reports, and nothing else. */
export function ComparisonView({ comparison, words, onBack }: ComparisonViewProps) {
  const { t, i18n } = useTranslation();
  const { before, after, compared, differences, unknown } = comparison;
  const texts = words.words.comparison;
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  const moment = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const whose = ({ environmentName, baseUrl, startedAt }: typeof before) => (
    <>
      {environmentName !== undefined && (
        <>
          <bdi>{environmentName}</bdi> ·{' '}
        </>
      )}
      <bdi>{baseUrl}</bdi> · {moment.format(new Date(startedAt))}
    </>
  );
  const isSame = differences.length === 0;
  return (
    <Stack gap="md">
      <Title order={3} size="h5" ref={headingRef} tabIndex={-1} className={classes.heading}>
        {texts.title}
      </Title>
      <dl className={classes.counts}>
        <div>
          <dt>{texts.before}</dt>
          <dd>{whose(before)}</dd>
        </div>
        <div>
          <dt>{texts.after}</dt>
          <dd>{whose(after)}</dd>
        </div>
      </dl>
      <Text size="sm">{texts.intro}</Text>
      <Text size="sm" fw={600}>
        {fill(isSame ? texts.same : texts.compared, { count: compared })}
      </Text>
      <Differences title={texts.findings} rows={differences.flatMap((each) => findingRow(each, words))} />
      <Differences title={texts.outcomes} rows={differences.flatMap((each) => outcomeRow(each, words))} />
      <Differences title={texts.answers} rows={differences.flatMap((each) => answerRow(each, words))} />
      {unknown.length > 0 && (
        <section className={classes.part} aria-label={texts.unknown}>
          <Title order={4} size="h6">
            {texts.unknown}
          </Title>
          <ul className={classes.accounts}>
            {unknown.map(({ caseId, side, reason }) => (
              <li key={`${caseId} ${side}`}>
                {words.case(caseId)} · {side === 'before' ? texts.notBefore : texts.notAfter}{' '}
                {reason ? <Parts parts={words.notMeasured(reason)} /> : texts.notInReport}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Button variant="default" className={classes.start} onClick={onBack}>
        {t('run.back')}
      </Button>
    </Stack>
  );
}

interface Row {
  key: string;
  what: ReactNode;
  before: ReactNode;
  after: ReactNode;
}

function findingRow(each: ReportDifference, words: ReportWords): Row[] {
  if (each.kind !== 'finding') return [];
  const said = words.severity(each.severity);
  const isNew = each.change === 'new';
  return [
    {
      key: each.id,
      what: words.finding(each).title,
      before: isNew ? '–' : said,
      after: isNew ? `${said} (${words.words.comparison.new})` : words.words.comparison.gone,
    },
  ];
}

function outcomeRow(each: ReportDifference, words: ReportWords): Row[] {
  if (each.kind !== 'outcome') return [];
  const { outcomes } = words.words;
  return [
    { key: each.caseId, what: words.case(each.caseId), before: outcomes[each.before], after: outcomes[each.after] },
  ];
}

function answerRow(each: ReportDifference, words: ReportWords): Row[] {
  if (each.kind !== 'answer') return [];
  const said = (value: ObservedValue | undefined): ReactNode =>
    value ? <Parts parts={words.value(value)} /> : words.words.comparison.unsaid;
  return [
    {
      key: `${each.caseId} ${each.question} ${each.subject}`,
      what: `${words.case(each.caseId)}: ${words.question(each)}`,
      before: said(each.before),
      after: said(each.after),
    },
  ];
}

function Differences({ title, rows }: { title: string; rows: readonly Row[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  return (
    <table className={classes.differences}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t('run.what')}</th>
          <th scope="col">{t('run.before')}</th>
          <th scope="col">{t('run.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, what, before, after }) => (
          <tr key={key}>
            <th scope="row">{what}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
