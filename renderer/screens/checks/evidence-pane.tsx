import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding } from '../../../preload/contract/report.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { api, useServer } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { CopyIcon, DownloadIcon, RefreshIcon } from '../../components/icons.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { Acceptance } from './acceptance.tsx';
import { AnswerFields, Answers, OneAnswer } from './answers.tsx';
import { repeatTest, useReport } from './checks.ts';
import { EvidenceCalls } from './evidence-calls.tsx';
import classes from './evidence.module.css';
import { RetryWait, SeverityLabel } from './report-parts.tsx';
import { rowKind, rowTitle, type FindingRow } from './report-rows.tsx';

/** The details of the chosen row of a report. Their order is fixed, so that users find them again. */
export const EvidencePane = ({ row }: { row: FindingRow | undefined }) =>
  row ? <Details key={row.fault} row={row} /> : <p className={classes.text}>{t('run.noneShown')}</p>;

function Details({ row }: { row: FindingRow }) {
  const { report, running } = useReport();
  const words = reportTexts();
  const finding = row.kind === 'finding' ? row.finding : undefined;
  const result = row.kind === 'case' ? row.result : report.cases.find(({ id }) => id === row.finding.caseId);
  const isWrong = finding !== undefined || result?.outcome === 'failed';
  const title = rowTitle(row);
  return (
    <>
      <div>
        <div className="row gap8">
          {isWrong && <SeverityLabel severity={row.severity} />}
          <span className="hint">{isWrong ? rowKind(row) : words.t(`groups.${row.group}`)}</span>
        </div>
        <h2 tabIndex={-1} className={classes.title}>
          {title}
        </h2>
        {finding && <p className={classes.text}>{words.finding(finding).why}</p>}
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{t('checks.expected')}</dt>
          <dd>
            <Expected row={row} result={result} />
          </dd>
        </div>
        <div>
          <dt>{t('checks.seen')}</dt>
          <dd>
            <Seen finding={finding} result={result} />
          </dd>
        </div>
      </dl>
      <Part title={t('checks.calls')}>
        <EvidenceCalls ids={finding?.calls ?? result?.calls ?? []} />
      </Part>
      {finding && finding.script !== '' && <Script finding={finding} />}
      <div className={classes.decisions}>
        {result && <RepeatTest id={result.id} />}
        {finding && !running && <ShareFinding id={finding.id} />}
        {isWrong && finding?.severity !== 'info' && <Acceptance fault={row.fault} title={title} />}
      </div>
    </>
  );
}

/** The expected behaviour, and the section that requires it or leaves it unspecified. */
function Expected({ row, result }: { row: FindingRow; result: CaseResult | undefined }) {
  const words = reportTexts();
  const isUnspecified = row.kind === 'case' && row.result.kind === 'observed';
  const text = row.kind === 'finding' ? words.finding(row.finding).expected : words.requirement(row.result.id);
  return (
    <>
      {isUnspecified ? t('checks.unspecified') : text}
      {result && (row.kind === 'case' || result.kind === 'stated') && (
        <span className={classes.source}>
          {result.lines.length === 0
            ? words.restsOn(result)
            : t('run.rests', { section: result.section, lines: result.lines.join(', '), count: result.lines.length })}
        </span>
      )}
      {row.kind === 'finding' && (
        <span className={classes.source}>{t('run.foundBy', { title: words.case(row.finding.caseId) })}</span>
      )}
    </>
  );
}

/** The answers that prove a finding, or else all answers of its test. */
function Seen({ finding, result }: { finding: Finding | undefined; result: CaseResult | undefined }) {
  const details = finding?.details ?? [];
  if (details.length > 0) {
    return details.map((answer) => (
      <p key={`${answer.question} ${answer.subject}`} className="flush">
        <OneAnswer answer={answer} isLone={false} />
      </p>
    ));
  }
  return (
    result && (
      <>
        <Answers result={result} />
        <AnswerFields result={result} />
      </>
    )
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes.part}>
    <h3>{title}</h3>
    {children}
  </div>
);

/** The reproduction script of a finding, which can be run as it is copied. */
function Script({ finding }: { finding: Finding }) {
  const { run } = useReport();
  const { run: runAction, failure } = useAction();
  const words = reportTexts();
  return (
    <Part title={words.t('report.scriptFold')}>
      <Button
        variant="default"
        size="compact-sm"
        className={classes.start}
        leftSection={<CopyIcon />}
        onClick={() =>
          void runAction(
            () => api.checks.copyScript({ ...run, findingId: finding.id }),
            () => () => t('checks.scriptCopied'),
          )
        }
      >
        {t('checks.copyScript')}
      </Button>
      {failure && <ErrorMessage error={failure.error} during="server" />}
      <p className="flush hint">{words.t('report.repeat')}</p>
      <code className={classes.command}>{words.script(finding)}</code>
    </Part>
  );
}

/** Exports a report of this finding alone, with a mock file that reproduces it where there is one. */
function ShareFinding({ id }: { id: Finding['id'] }) {
  const { run } = useReport();
  const { run: runAction, failure } = useAction();
  return (
    <div className="slim">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<DownloadIcon />}
        onClick={() =>
          void runAction(
            () => api.mocks.shareFinding({ ...run, findingId: id }),
            (value) => (value.exported ? () => t(`checks.shared.${value.model}`) : undefined),
          )
        }
      >
        {t('checks.share')}
      </Button>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </div>
  );
}

/** Repeats one test. Not possible if the server has changed, or once a lock has dropped the run. */
function RepeatTest({ id }: { id: CaseResult['id'] }) {
  const { run, report, last, running } = useReport();
  const { run: runAction, failure } = useAction();
  const server = useServer(run.serverId);
  const words = reportTexts();
  if (!last?.canRerun || server?.baseUrl !== report.baseUrl) return null;
  const isBusy = running !== undefined;
  return (
    <div className="slim">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<RefreshIcon />}
        aria-label={t('run.runAgainOf', { title: words.case(id) })}
        aria-disabled={isBusy}
        onClick={() => !isBusy && void runAction(() => repeatTest(run.serverId, id))}
      >
        {t('run.runAgain')}
      </Button>
      {failure && <ErrorMessage error={failure.error} during="server" />}
      {running && (
        // Announced by a live region of the page.
        <>
          <p className={classes.running}>
            {running.cancelled
              ? t('run.cancelling')
              : running.caseId && t('run.again', { title: words.case(running.caseId) })}
          </p>
          <RetryWait until={running.progress.waitingUntil} />
        </>
      )}
    </div>
  );
}
