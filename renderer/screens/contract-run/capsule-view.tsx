import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { CapsuleRun, ShownCapsule } from '../../../preload/contract/capsules.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { api } from '../../api.ts';
import { arriveAt } from '../../arrive.ts';
import { withoutEmails } from '../../presenting.ts';
import { PlayIcon } from '../../components/icons.tsx';
import { useTexts } from '../../texts.tsx';
import classes from './capsule.module.css';
import { type CapsuleRow, capsuleRows } from './capsule-rows.ts';
import tableClasses from './comparison.module.css';
import { ComparisonCell } from './comparison-cell.tsx';
import documentClasses from './document.module.css';
import { EvidenceCalls } from './evidence-calls.tsx';
import evidenceClasses from './evidence.module.css';
import { Part, Stated } from './evidence-pane.tsx';
import pageClasses from './page.module.css';
import { ReportContext } from './report-context.ts';
import { sayMoment } from './say-moment.ts';

interface CapsuleViewProps {
  capsule: ShownCapsule;
  words: ReportWords;
  /** Whether the person presents, and no email is shown. */
  isPresenting: boolean;
  onFailed: (error: AppError) => void;
}

/** Shows what a capsule holds. Its case is run at the double of its model once that is asked for. */
export function CapsuleView({ capsule: opened, words, isPresenting, onFailed }: CapsuleViewProps) {
  const { t } = useTexts();
  const capsule = isPresenting ? withoutEmails(opened) : opened;
  const { caseId, findingId, report, commands } = capsule;
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { run: ran, isRunning, start } = useCapsuleRun(onFailed);
  const run = ran && isPresenting ? withoutEmails(ran) : ran;
  useEffect(() => arriveAt(headingRef.current), []);
  const [result] = report.cases;
  const calls = report.findings.find(({ id }) => id === findingId)?.calls ?? result?.calls ?? [];
  return (
    <div className={pageClasses.scroll}>
      <div className={pageClasses.page} data-width="table">
        <h2 ref={headingRef} tabIndex={-1} className={pageClasses.heading}>
          {findingId === undefined ? words.case(caseId) : words.finding({ id: findingId }).title}
        </h2>
        <Facts capsule={capsule} />
        <p className={documentClasses.plain}>{t('capsule.intro')}</p>
        <div className={classes.run}>
          <Button leftSection={<PlayIcon />} aria-disabled={isRunning} onClick={() => !isRunning && void start()}>
            {t('capsule.run')}
          </Button>
          <output className={classes.verdict} data-same={run?.isSame}>
            {isRunning ? t('capsule.running') : run && t(run.isSame ? 'capsule.same' : 'capsule.differs')}
          </output>
        </div>
        <RowsTable rows={capsuleRows(capsule, run, words)} words={words} />
        <ReportContext value={contextOf(capsule, words, isPresenting)}>
          <div className={classes.evidence}>
            {result && <Stated result={result} />}
            <Part title={t('contract.calls')}>
              <EvidenceCalls ids={calls} />
            </Part>
            <Part title={words.words.capsule.repeat}>
              <p className={evidenceClasses.small}>{words.words.capsule.repeatIntro}</p>
              {commands.map((command) => (
                <code key={command} className={evidenceClasses.command}>
                  {command}
                </code>
              ))}
            </Part>
          </div>
        </ReportContext>
      </div>
    </div>
  );
}

/** Runs the opened capsule, and forgets it with the page. */
function useCapsuleRun(onFailed: (error: AppError) => void) {
  const [run, setRun] = useState<CapsuleRun>();
  const [isRunning, setIsRunning] = useState(false);
  useEffect(() => () => void api.capsules.close(), []);

  async function start() {
    setIsRunning(true);
    const ran = await api.capsules.run();
    setIsRunning(false);
    if (ran.ok) setRun(ran.value);
    else if (ran.error.kind !== 'cancelled') onFailed(ran.error);
  }
  return { run, isRunning, start };
}

/** What the parts of a report have in common, for the one case of a capsule. */
function contextOf(
  { report }: ShownCapsule,
  words: ReportWords,
  isPresenting: boolean,
): React.ContextType<typeof ReportContext> {
  return {
    serverId: '',
    evidenceOf: async (id) => {
      const call = await api.capsules.evidence({ id });
      return isPresenting ? withoutEmails(call) : call;
    },
    acceptances: [],
    onAccept: () => undefined,
    onWithdraw: () => undefined,
    words,
    callOf: (id) => report.evidence.find((call) => call.id === id),
    numberOf: (id) => report.evidence.findIndex((call) => call.id === id) + 1,
    onSaid: () => undefined,
    onShowCall: () => undefined,
  };
}

function Facts({ capsule: { report, toolVersion, answers } }: { capsule: ShownCapsule }) {
  const { t, i18n } = useTexts();
  const { serverName = report.baseUrl, baseUrl, startedAt } = report;
  const facts = [
    [t('capsule.server'), serverName],
    ...(serverName === baseUrl ? [] : [[t('capsule.address'), baseUrl]]),
    [t('capsule.measured'), sayMoment(startedAt, i18n.language)],
    [t('capsule.madeBy'), `Llavero ${toolVersion}`],
    [t('capsule.model'), t('capsule.answers', { count: answers })],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows the two sides as a table. Its roles are written out, since the layout of a narrow room takes them away. */
function RowsTable({ rows, words }: { rows: readonly CapsuleRow[]; words: ReportWords }) {
  const { t } = useTexts();
  /* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-redundant-roles -- see above. */
  return (
    <div className={tableClasses.card}>
      <table className={tableClasses.table} role="table" aria-label={t('contract.seen')}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {t('contract.question')}
            </th>
            <th scope="col" role="columnheader">
              {t('capsule.atServer')}
            </th>
            <th scope="col" role="columnheader">
              {t('capsule.atDouble')}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, what, server, double, differs }) => (
            <tr key={key} role="row">
              <th role="rowheader" scope="row">
                {what}
              </th>
              <td role="cell">
                <ComparisonCell cell={server} words={words} />
              </td>
              <td role="cell" data-worse={differs}>
                {double ? (
                  <ComparisonCell cell={double} words={words} />
                ) : (
                  <span className={tableClasses.absent}>{t('capsule.notRun')}</span>
                )}
                {differs && <span className={tableClasses.absent}> · {t('capsule.other')}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  /* oxlint-enable jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-redundant-roles */
}
