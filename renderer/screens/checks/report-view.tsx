import { Button } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { reportRows } from '../../../preload/contract/report-rows.ts';
import { createRunVerdict } from '../../../preload/contract/run-verdict.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { useServer } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { BackIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { useSplit } from '../../components/use-split.tsx';
import { formatDateTime, formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import { setMatchingInterfaces } from '../../matching-interfaces.ts';
import { navigate } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { MakeMockServer } from '../servers/make-mock-server.tsx';
import { acceptedFaults } from './acceptance.tsx';
import { closePane, openPane, showChanges, useChecks, useReport } from './checks.ts';
import { EvidencePane } from './evidence-pane.tsx';
import paneClasses from './panes.module.css';
import { LazyDetails, Parts } from './report-parts.tsx';
import { ReportRows } from './report-rows.tsx';
import classes from './report.module.css';
import { RunsPane } from './runs-pane.tsx';

/** A report between the list of all runs and the details of the chosen row. */
export function ReportView() {
  const { pane } = useChecks();
  const { run, report, acceptances, last, running } = useReport();
  const server = useServer(run.serverId);
  const rows = reportRows(report, acceptedFaults(acceptances));
  const { container, style, handle } = useSplit({ pane: 'report', fixed: 'second' });
  // Initially the repeated test, or else the worst row.
  const [chosen, setChosen] = useState(() => (running?.caseId ? `rule:${running.caseId}` : rows[0]?.fault));

  function closeByEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || pane === undefined) return;
    event.stopPropagation();
    closePane();
  }
  return (
    // Its children are interactive; it handles only the Escape that they have not handled.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={container} className={paneClasses.panes} style={style} data-open={pane} onKeyDown={closeByEscape}>
      <nav id="checks-runs" className={paneClasses.runs} aria-label={t('checks.runs')}>
        <ClosePaneButton />
        <RunsPane />
      </nav>
      <div className={paneClasses.report} onPointerDown={() => pane === 'runs' && closePane()}>
        <div className={classes.sheet}>
          <Verdict />
          <ReportRows
            rows={rows}
            chosen={chosen}
            onChoose={(fault) => {
              setChosen(fault);
              openPane('evidence');
            }}
          />
          <Accounts />
          {run.number === undefined && server && (
            <MakeMockServer key={server.id} server={server} isMeasured={last?.canRerun ?? false} />
          )}
        </div>
      </div>
      {handle}
      <aside id="checks-evidence" className={paneClasses.evidence} aria-label={t('checks.evidence')}>
        <ClosePaneButton />
        <EvidencePane row={rows.find(({ fault }) => fault === chosen)} />
      </aside>
    </div>
  );
}

/** Back to the report, from a pane that covers it. */
const ClosePaneButton = () => (
  <Button
    variant="subtle"
    color="gray"
    size="compact-sm"
    className={paneClasses.close}
    leftSection={<BackIcon />}
    onClick={closePane}
  >
    {t('run.back')}
  </Button>
);

const LinkButton = Button.withProps({ variant: 'subtle', size: 'compact-sm', px: 0 });

/** The verdict of a report in one line, the worst first, and the facts of its run. */
function Verdict() {
  const { run, report, acceptances, last } = useReport();
  const { run: runAction, failure } = useAction();
  const server = useServer(run.serverId);
  const words = reportTexts();
  const texts = words.texts('report');
  const { baseUrl, calls, durationMs, ended, extraHeaders, options, otherInterfaces, startedAt, toolVersion } = report;
  const verdict = createRunVerdict(report, { accepted: acceptedFaults(acceptances) });
  const changed = last?.changed;
  const end = <Parts parts={words.end(ended)} />;
  return (
    <section tabIndex={-1} data-home className={classes.verdict} aria-label={texts('summary')}>
      <h2>
        <Parts parts={words.runVerdict(verdict, server ? serverName(server) : baseUrl)} />
      </h2>
      <p className={classes.facts}>
        {t('run.facts', {
          time: formatDateTime(startedAt),
          count: calls,
          duration: formatDuration(durationMs / 1000),
          rate: options.callsPerSecond,
        })}
        {' · '}
        <UntrustedText text={baseUrl} />
        {` · ${t('checks.version', { version: toolVersion })}`}
        {ended.kind === 'complete' && <> · {end}</>}
      </p>
      {extraHeaders && (
        <p className={classes.facts}>
          {texts('extraHeaders')}: <bdi>{extraHeaders.join(', ')}</bdi>
        </p>
      )}
      {ended.kind !== 'complete' && <p>{end}</p>}
      {changed && (
        <p>
          {t(changed.count > 0 ? 'run.changed' : 'run.unchanged', {
            moment: formatDateTime(changed.since),
            count: changed.count,
          })}{' '}
          {changed.count > 0 && (
            <LinkButton onClick={() => void runAction(() => showChanges(run.serverId))}>
              {t('run.showChanges')}
            </LinkButton>
          )}
        </p>
      )}
      {failure && <ErrorMessage error={failure.error} during="server" />}
      {otherInterfaces && (
        <p>
          {t('run.otherInterface')}{' '}
          <LinkButton
            onClick={() => {
              setMatchingInterfaces(baseUrl, otherInterfaces);
              navigate({ page: 'servers', editing: run.serverId });
            }}
          >
            {t('run.chooseInterface')}
          </LinkButton>
        </p>
      )}
      {!last?.canRerun && <p>{t(run.number === undefined ? 'run.runGone' : 'checks.reportActions.earlier')}</p>}
    </section>
  );
}

/** The accounts that the check has created. */
function Accounts() {
  const { accounts } = useReport().report;
  const words = reportTexts();
  const texts = words.texts('report');
  return (
    <LazyDetails summary={t('run.accounts', { number: accounts.length })}>
      <p className={classes.plain}>{accounts.length === 0 ? texts('noAccounts') : texts('accountsIntro')}</p>
      <ul className="list grid gap4 text">
        {accounts.map(({ email, madeBy, state }) => (
          <li key={email}>
            <UntrustedText text={email} /> · {words.case(madeBy)}
            {state === 'unsure' && ` · ${texts('accountUnsure')}`}
          </li>
        ))}
      </ul>
    </LazyDetails>
  );
}
