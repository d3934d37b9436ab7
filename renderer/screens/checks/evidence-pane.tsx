import { reportTexts } from '../../answers/report-texts.ts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunUnderWay, ShownReport } from '../../../preload/contract/contract-runs.ts';
import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding, FindingId } from '../../../preload/contract/report.ts';
import { CopyIcon, DownloadIcon, RefreshIcon } from '../../components/icons.tsx';
import { api } from '../../api.ts';
import { Accepting } from './accepting.tsx';
import { AnswerFields, Answers, OneAnswer } from './answers.tsx';
import classes from './evidence.module.css';
import { EvidenceCalls } from './evidence-calls.tsx';
import { type Chosen, useReport } from './report-context.ts';
import { chosenOf, RowKind, type Row, useRowTitle } from './report-rows.tsx';
import { SeverityLabel } from './severity-label.tsx';
import { Wait } from './wait.tsx';
import { t } from '../../i18n.ts';

interface EvidencePaneProps {
  report: Pick<ShownReport, 'cases'>;
  rows: readonly Row[];
  chosen: Chosen | undefined;
}

/** Shows the details of the chosen row of a report, always in one order, so that people find them again. */
export function EvidencePane({ report: { cases }, rows, chosen }: EvidencePaneProps) {
  const row = rows.find((each) => {
    const { kind, id } = chosenOf(each);
    return kind === chosen?.kind && id === chosen.id;
  });
  if (!row) return <p className={classes.text}>{t('run.noneShown')}</p>;
  const result = row.kind === 'case' ? row.result : cases.find(({ id }) => id === row.finding.caseId);
  return <Details key={row.fault} row={row} result={result} />;
}

function Details({ row, result }: { row: Row; result: CaseResult | undefined }) {
  const words = reportTexts();

  const title = useRowTitle()(row);
  const finding = row.kind === 'finding' ? row.finding : undefined;
  const isWrong = finding !== undefined || result?.outcome === 'failed';
  const mayBeAccepted = isWrong && finding?.severity !== 'info';
  return (
    <>
      <div>
        <div className={classes.about}>
          {isWrong && <SeverityLabel severity={row.severity} />}
          <span className="hint">{isWrong ? <RowKind row={row} /> : words.t(`groups.${row.group}`)}</span>
        </div>
        <h2 tabIndex={-1} className={classes.title}>
          {title}
        </h2>
        {finding && <p className={classes.text}>{words.finding(finding).why}</p>}
      </div>
      <dl className={classes.seen}>
        <Expected row={row} result={result} />
        <div>
          <dt>{t('contract.seen')}</dt>
          <dd>
            <Seen details={finding?.details ?? []} result={result} />
          </dd>
        </div>
      </dl>
      <Part title={t('contract.calls')}>
        <EvidenceCalls ids={finding?.calls ?? result?.calls ?? []} />
      </Part>
      {finding && finding.script !== '' && <Script finding={finding} />}
      <div className={classes.decisions}>
        {result && <Again result={result} />}
        {finding && <Share findingId={finding.id} />}
        {mayBeAccepted && <Accepting fault={row.fault} title={title} />}
      </div>
    </>
  );
}

/** Says what a right server would do, and where the requirements say so or say nothing. */
function Expected({ row, result }: { row: Row; result: CaseResult | undefined }) {
  const words = reportTexts();

  const isOpen = row.kind === 'case' && row.result.kind === 'observed';
  const text = row.kind === 'finding' ? words.finding(row.finding).expected : words.requirement(row.result.id);
  return (
    <div>
      <dt>{t('contract.expected')}</dt>
      <dd>
        {isOpen ? t('contract.unspecified') : text}
        {result && (row.kind === 'case' || result.kind === 'stated') && (
          <span className={classes.rests}>
            {t('run.rests', { section: result.section, lines: result.lines.join(', '), count: result.lines.length })}
          </span>
        )}
        {row.kind === 'finding' && (
          <span className={classes.rests}>{t('run.foundBy', { title: words.case(row.finding.caseId) })}</span>
        )}
      </dd>
    </div>
  );
}

/** Says what was seen: the answers that show a finding, else all of its case. */
function Seen({ details, result }: { details: readonly CaseAnswer[]; result: CaseResult | undefined }) {
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
        <AnswerFields result={result} isOpen />
      </>
    )
  );
}

/** Shows the script of a finding, which runs as it is copied. */
function Script({ finding }: { finding: Finding }) {
  const words = reportTexts();
  const { serverId, number, onSaid } = useReport();
  async function copy() {
    const result = await api.contractRun.copyScript({ serverId, number, findingId: finding.id });
    onSaid(result.ok ? { sentence: () => t('contract.scriptCopied') } : { error: result.error });
  }
  return (
    <Part title={words.t('report.scriptFold')}>
      <Button
        variant="default"
        size="compact-sm"
        className={classes.more}
        leftSection={<CopyIcon />}
        onClick={() => void copy()}
      >
        {t('contract.copyScript')}
      </Button>
      <p className="flush hint">{words.t('report.repeat')}</p>
      <code className={classes.command}>{words.script(finding)}</code>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** Offers a report of this finding alone, with the model that shows it again. */
function Share({ findingId }: { findingId: FindingId }) {
  const { onShare } = useReport();
  if (!onShare) return null;
  return (
    <Button variant="default" size="compact-sm" leftSection={<DownloadIcon />} onClick={() => onShare(findingId)}>
      {t('contract.share')}
    </Button>
  );
}

function Again({ result: { id } }: { result: CaseResult }) {
  const words = reportTexts();
  const { onAgain, underWay } = useReport();
  if (!onAgain) return null;
  const busy = underWay !== undefined;
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<RefreshIcon />}
        aria-label={t('run.runAgainOf', { title: words.case(id) })}
        aria-disabled={busy}
        onClick={() => !busy && onAgain(id)}
      >
        {t('run.runAgain')}
      </Button>
      {underWay && <Measuring underWay={underWay} />}
    </div>
  );
}

/** Says what is measured again and what it waits for. A live region of the room announces it. */
function Measuring({ underWay: { caseId, cancelled, progress } }: { underWay: RunUnderWay }) {
  const words = reportTexts();

  return (
    <>
      <p className={classes.measuring}>
        {cancelled ? t('run.cancelling') : caseId && t('run.again', { title: words.case(caseId) })}
      </p>
      <Wait until={progress.waitingUntil} />
    </>
  );
}
