import { reportTexts } from '../../answers/report-texts.ts';
import { Button } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { ContractRuns, ShownReport } from '../../../preload/contract/contract-runs.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import { BackIcon } from '../../components/icons.tsx';
import { useSplit } from '../../components/use-split.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import classes from './document.module.css';
import { MakeMockServer } from '../servers/make-mock-server.tsx';
import { EvidencePane } from './evidence-pane.tsx';
import paneClasses from './panes.module.css';
import { type Chosen, useReport } from './report-context.ts';
import { chosenOf, ReportRows, type Row, useRows } from './report-rows.tsx';
import { RunsPane } from './runs-pane.tsx';
import { Unfolding } from './unfolding.tsx';
import type { RunOf } from './use-run-view.ts';
import type { Panes } from './use-panes.ts';
import { Verdict } from './verdict.tsx';
import { t } from '../../i18n.ts';
import { useServer } from '../../api.ts';

interface ReportViewProps {
  runs: ContractRuns;
  report: ShownReport;
  /** The name of the server that the report is of. */
  name: string;
  /** Whether single cases can be measured again. */
  runKept: boolean;
  changed: ContractRuns['reports'][number]['changed'];
  onShowChanges: () => void;
  panes: Panes;
  onShow: (run: RunOf) => void;
}

/** Shows a report between the runs there are and the evidence of the line that is chosen. */
export function ReportView(props: ReportViewProps) {
  const { runs, report, name, runKept, changed, onShowChanges, panes, onShow } = props;
  const { serverId, number, underWay } = useReport();
  const rows = useRows(report);
  const { open, show, close, runsRef, evidenceRef } = panes;
  const { container, style, handle } = useSplit({ room: 'report', fixed: 'second' });
  const [chosen, setChosen] = useState(() => firstChosen(rows, underWay?.caseId));

  function choose(next: Chosen): void {
    setChosen(next);
    show('evidence');
  }
  function closeByEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || open === undefined) return;
    event.stopPropagation();
    close();
  }
  return (
    // Its children are what one works with; it only hears the Escape that they did not need themselves.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={container} className={paneClasses.panes} style={style} data-open={open} onKeyDown={closeByEscape}>
      <nav ref={runsRef} className={paneClasses.runs} data-there={open === 'runs'} aria-label={t('contract.runs')}>
        <Close onClose={close} />
        <RunsPane
          runs={runs}
          shown={{ serverId, number }}
          onShow={(run) => {
            close();
            onShow(run);
          }}
        />
      </nav>
      <div className={paneClasses.doc} onPointerDown={() => open === 'runs' && close()}>
        <div className={classes.sheet}>
          <Verdict
            report={report}
            name={name}
            runKept={runKept}
            changed={changed}
            isEarlier={number !== undefined}
            onShowChanges={onShowChanges}
          />
          <ReportRows report={report} chosen={chosen} onChoose={choose} />
          <Accounts accounts={report.accounts} />
          {number === undefined && <DoubleOfReport runKept={runKept} />}
        </div>
      </div>
      {handle}
      <aside ref={evidenceRef} className={paneClasses.evidence} aria-label={t('contract.evidence')}>
        <Close onClose={close} />
        <EvidencePane rows={rows} report={report} chosen={chosen} />
      </aside>
    </div>
  );
}

/** Offers the double of the server that the report is of, while that is in the list. */
function DoubleOfReport({ runKept }: Pick<ReportViewProps, 'runKept'>) {
  const { serverId } = useReport();
  const server = useServer(serverId);
  return server ? <MakeMockServer key={server.id} server={server} isMeasured={runKept} /> : null;
}

/** Returns the row whose details are shown at first: the case that is checked again, else the worst. */
function firstChosen([first]: readonly Row[], checking: CaseId | undefined): Chosen | undefined {
  if (checking) return { kind: 'case', id: checking };
  return first && chosenOf(first);
}

/** Leads back to the report, where a pane lies over it. */
function Close({ onClose }: { onClose: () => void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className={paneClasses.close}
      leftSection={<BackIcon />}
      onClick={onClose}
    >
      {t('run.back')}
    </Button>
  );
}

function Accounts({ accounts }: Pick<ShownReport, 'accounts'>) {
  const words = reportTexts();

  const texts = words.texts('report');
  return (
    <Unfolding summary={t('run.accounts', { number: accounts.length })}>
      <p className={classes.plain}>{accounts.length === 0 ? texts('noAccounts') : texts('accountsIntro')}</p>
      <ul className="list grid gap4 text">
        {accounts.map(({ email, madeBy, state }) => (
          <li key={email}>
            <UntrustedText text={email} /> · {words.case(madeBy)}
            {state === 'unsure' && ` · ${texts('accountUnsure')}`}
          </li>
        ))}
      </ul>
    </Unfolding>
  );
}
