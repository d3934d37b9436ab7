import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownReport } from '../../../preload/contract/contract-runs.ts';
import { reportForms, type ReportForm } from '../../../preload/contract/report-forms.ts';
import { sayDuration } from '../../say-error.ts';
import classes from './contract-run.module.css';
import { Parts } from './parts.tsx';
import { useReport } from './report-context.ts';
import { Findings, Results, Unfolding } from './results.tsx';
import { summaryOf } from './summary.ts';
import { useLostFocus } from './use-lost-focus.ts';

interface ReportViewProps {
  report: ShownReport;
  /** Whether single cases can be measured again. If they cannot, the report says why. */
  runKept: boolean;
  /** The entries of the menu, and what each of them does. */
  comparisons: readonly { label: string; onChoose: () => void }[];
  others: readonly { label: string; onChoose: () => void }[];
  onExport: (form: ReportForm) => void;
  onNewRun: () => void;
  /** What is shown while one case is measured anew. */
  underWay: ReactNode;
}

/** Shows a whole report: how it ended, what is unsafe, every case, the accounts it made. */
export function ReportView({ report, runKept, comparisons, others, onExport, onNewRun, underWay }: ReportViewProps) {
  const { t, i18n } = useTranslation();
  const { words } = useReport();
  const { accounts, calls, durationMs, ended, findings, options, startedAt } = report;
  const texts = words.words.report;
  const summaryRef = useLostFocus<HTMLElement>();
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button variant="default" size="compact-md" onClick={onNewRun}>
          {t('run.newRun')}
        </Button>
        <Choices label={t('run.export')}>
          {reportForms.map((form) => (
            <Menu.Item key={form} onClick={() => onExport(form)}>
              {t(`run.forms.${form}`)}
            </Menu.Item>
          ))}
        </Choices>
        <Choices label={t('run.compare')}>
          {comparisons.map(({ label, onChoose }) => (
            <Menu.Item key={label} onClick={onChoose}>
              {label}
            </Menu.Item>
          ))}
        </Choices>
        {others.length > 0 && (
          <Choices label={t('run.otherReports')}>
            {others.map(({ label, onChoose }) => (
              <Menu.Item key={label} onClick={onChoose}>
                {label}
              </Menu.Item>
            ))}
          </Choices>
        )}
      </Group>
      {underWay}
      <section ref={summaryRef} tabIndex={-1} className={classes.summaryOfAll} aria-label={texts.summary}>
        <Text size="sm" fw={600}>
          <Parts parts={words.end(ended)} />
        </Text>
        <dl className={classes.counts}>
          {summaryOf(report, words).map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Text size="xs" c="dimmed">
          <bdi>{report.baseUrl}</bdi> ·{' '}
          {t('run.facts', {
            time: new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(
              new Date(startedAt),
            ),
            calls,
            duration: sayDuration(durationMs / 1000, i18n.language),
            rate: options.callsPerSecond,
          })}
        </Text>
        {!runKept && <Text size="sm">{t('run.runGone')}</Text>}
      </section>
      <Findings findings={findings} />
      <Results results={report.cases} findings={findings} />
      <Unfolding summary={<span className={classes.title}>{t('run.accounts', { number: accounts.length })}</span>}>
        <Text size="sm">{accounts.length === 0 ? texts.noAccounts : texts.accountsIntro}</Text>
        <ul className={classes.accounts}>
          {accounts.map(({ email, madeBy, state }) => (
            <li key={email}>
              <bdi>{email}</bdi> · {words.case(madeBy)}
              {state === 'unsure' && ` · ${texts.accountUnsure}`}
            </li>
          ))}
        </ul>
      </Unfolding>
    </Stack>
  );
}

function Choices({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <Button variant="default" size="compact-md">
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}
