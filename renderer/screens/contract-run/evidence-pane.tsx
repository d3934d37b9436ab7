import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunUnderWay, ShownReport } from '../../../preload/contract/contract-runs.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding, FindingId } from '../../../preload/contract/report.ts';
import { CopyIcon, DownloadIcon, RefreshIcon } from '../../components/icons.tsx';
import { api } from '../../api.ts';
import { faultOfFinding, faultOfRule } from './acceptance.ts';
import { Accepting } from './accepting.tsx';
import { AnswerFields, Answers, OneAnswer } from './answers.tsx';
import classes from './evidence.module.css';
import { EvidenceCalls } from './evidence-calls.tsx';
import { type Chosen, useReport } from './report-context.ts';
import { SeverityLabel } from './severity-label.tsx';
import { Wait } from './wait.tsx';

/** Shows what the chosen line of a report rests on. */
export function EvidencePane({ report, chosen }: { report: ShownReport; chosen: Chosen | undefined }) {
  const { t } = useTranslation();
  const result = chosen?.kind === 'case' ? report.cases.find(({ id }) => id === chosen.id) : undefined;
  const finding = chosen?.kind === 'finding' ? report.findings.find(({ id }) => id === chosen.id) : undefined;
  if (result) return <CaseEvidence key={result.id} result={result} />;
  if (finding) {
    const found = report.cases.find(({ id }) => id === finding.caseId);
    return <FindingEvidence key={finding.id} finding={finding} result={found} />;
  }
  return <p className={classes.text}>{t('run.noneShown')}</p>;
}

function CaseEvidence({ result }: { result: CaseResult }) {
  const { t } = useTranslation();
  const { words } = useReport();
  return (
    <>
      <h2 tabIndex={-1} className={classes.title}>
        {words.case(result.id)}
      </h2>
      <Part title={t('contract.seen')}>
        <div className={classes.text}>
          <Answers result={result} words={words} />
        </div>
        <AnswerFields result={result} words={words} isOpen />
      </Part>
      <Stated result={result} />
      <Part title={t('contract.calls')}>
        <EvidenceCalls ids={result.calls} />
      </Part>
      {result.outcome === 'failed' && <Accepting fault={faultOfRule(result.id)} title={words.case(result.id)} />}
      <Again result={result} />
    </>
  );
}

function FindingEvidence({ finding, result }: { finding: Finding; result: CaseResult | undefined }) {
  const { t } = useTranslation();
  const { words } = useReport();
  const { title, why } = words.finding(finding);
  const { caseId, script, details, calls, severity } = finding;
  return (
    <>
      <div>
        <SeverityLabel severity={severity} words={words} />
        <h2 tabIndex={-1} className={classes.title}>
          {title}
        </h2>
      </div>
      <Part title={t('contract.why')}>
        <p className={classes.text}>{why}</p>
      </Part>
      <Part title={t('contract.seen')}>
        <div className={classes.text}>
          {details.map((answer) => (
            <p key={`${answer.question} ${answer.subject}`} className={classes.text}>
              <OneAnswer answer={answer} words={words} isLone={false} />
            </p>
          ))}
          {details.length === 0 && result && <Answers result={result} words={words} />}
          {details.length === 0 && result && <AnswerFields result={result} words={words} isOpen />}
          <p className="flush hint">{t('run.foundBy', { title: words.case(caseId) })}</p>
        </div>
      </Part>
      {result && <Stated result={result} />}
      {script !== '' && <Script finding={finding} />}
      <Part title={t('contract.calls')}>
        <EvidenceCalls ids={calls} />
      </Part>
      {severity !== 'info' && <Accepting fault={faultOfFinding(finding.id)} title={title} />}
      <Share findingId={finding.id} />
      {result && <Again result={result} />}
    </>
  );
}

/** Shows the script of a finding, which runs as it is copied. */
function Script({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const { serverId, number, words, onSaid } = useReport();
  async function copy() {
    const result = await api.contractRun.copyScript({ serverId, number, findingId: finding.id });
    onSaid(result.ok ? { sentence: t('contract.scriptCopied') } : { error: result.error });
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
      <code className={classes.command}>{words.script(finding)}</code>
      <p className="flush hint">{words.t('report.repeat')}</p>
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

/** Says what the interface says of the case, and where. */
function Stated({ result: { id, kind, section, lines } }: { result: CaseResult }) {
  const { t } = useTranslation();
  const { words } = useReport();
  const points = lines.flatMap((line) => words.openPoint(line) ?? []);
  return (
    <Part title={t('contract.says')}>
      {kind === 'stated' && <p className={classes.text}>{words.case(id)}</p>}
      {kind === 'observed' &&
        points.map((text) => (
          <p key={text} className={classes.text}>
            {t('contract.notShown', { text })}
          </p>
        ))}
      {kind === 'observed' && points.length === 0 && <p className={classes.text}>{t('contract.silent')}</p>}
      <p className="flush hint">{t('run.rests', { section, lines: lines.join(', '), count: lines.length })}</p>
    </Part>
  );
}

/** Offers a report of this finding alone, with the model that shows it again. */
function Share({ findingId }: { findingId: FindingId }) {
  const { t } = useTranslation();
  const { onShare } = useReport();
  if (!onShare) return null;
  return (
    <div>
      <Button variant="default" size="compact-sm" leftSection={<DownloadIcon />} onClick={() => onShare(findingId)}>
        {t('contract.share')}
      </Button>
    </div>
  );
}

function Again({ result: { id } }: { result: CaseResult }) {
  const { t } = useTranslation();
  const { words, onAgain, underWay } = useReport();
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
  const { t } = useTranslation();
  const { words } = useReport();
  return (
    <>
      <p className={classes.measuring}>
        {cancelled ? t('run.cancelling') : caseId && t('run.again', { title: words.case(caseId) })}
      </p>
      <Wait until={progress.waitingUntil} />
    </>
  );
}
