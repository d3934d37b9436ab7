import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { DrawnReport, EmptyState } from '../../components/empty-state.tsx';
import { PlayIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { navigate, type Route } from '../../route.ts';
import { useServerName } from '../../server-name.ts';
import { titleOfFault } from './acceptance.ts';
import { ComparisonView } from './comparison-view.tsx';
import classes from './checks-page.module.css';
import { Beside, ComparisonActions, EndButton, ReportActions } from './head.tsx';
import type { HeadProps } from './run-menu.tsx';
import { HistoryView } from './history-view.tsx';
import { News } from './news.tsx';
import { ReportContext } from './report-context.ts';
import { ReportView } from './report-view.tsx';
import { Setup } from './setup.tsx';
import { UnderWay } from './under-way.tsx';
import { usePanes } from './use-panes.ts';
import { useRunSentence } from './use-run-sentence.ts';
import { type RunView, useRunView } from './use-run-view.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';
import { reportTexts } from '../../answers/report-texts.ts';

/** Shows the contract run: what it will do, how far it is, what it found. The run goes on in any other room. */
export function ChecksPage({ place }: { place: Extract<Route, { room: 'contract' }> }) {
  const words = reportTexts();
  const run = useRunView();
  const { look } = run;
  useEffect(() => {
    look(place.starting ? { kind: 'setup' } : undefined);
    if (place.run) void run.openRun(place.run.serverId, place.run.number);
    // oxlint-disable-next-line react/exhaustive-deps -- It follows the presses that lead here, and nothing else.
  }, [place]);
  const panes = usePanes();
  const announcement = useRunSentence(run, words);
  const head: HeadProps = { run, panes };
  const page = pageOf(run);
  return (
    <>
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
      <Page
        layout="panes"
        title={t(titles[page])}
        back={backOf(page, run)}
        beside={page === 'empty' || page === 'setup' || page === 'comparison' ? undefined : <Beside {...head} />}
        actions={actionsOf[page](head)}
        isOneLine={page === 'report'}
      >
        <div className={classes.room} aria-busy={page === 'loading'}>
          <Content page={page} tested={place.tested} {...head} />
          <News run={run} />
        </div>
      </Page>
    </>
  );
}

/** What the room shows: a history, a comparison, a report, a run that goes on, what a run would do, or what comes of one. */
type PageName = 'loading' | 'empty' | 'setup' | 'under-way' | 'report' | 'comparison' | 'history';

function pageOf({ runs, underWay, view, report }: RunView): PageName {
  if (!runs) return 'loading';
  if (underWay && !(underWay.caseId && report)) return 'under-way';
  if (underWay) return 'report';
  if (view.kind === 'comparison' || view.kind === 'history' || view.kind === 'empty') return view.kind;
  return report ? 'report' : 'setup';
}

const titles = {
  loading: 'contract.title',
  empty: 'contract.title',
  setup: 'contract.newTitle',
  'under-way': 'contract.title',
  report: 'contract.title',
  comparison: 'contract.compareTitle',
  history: 'contract.history.title',
} as const satisfies Record<PageName, string>;

const actionsOf: Record<PageName, (head: HeadProps) => React.ReactNode> = {
  loading: () => undefined,
  empty: () => undefined,
  setup: () => undefined,
  'under-way': (head) => <EndButton {...head} />,
  report: (head) => <ReportActions {...head} />,
  comparison: (head) => <ComparisonActions {...head} />,
  history: () => undefined,
};

/** Where the room's own way back leads: to the report that one came from, or the newest, if there is one. */
function backOf(page: PageName, { runs, view, look, left, openRun, reportOf }: RunView) {
  const label = t('run.back');
  if (page !== 'setup' && page !== 'comparison' && page !== 'history') return undefined;
  const isLeft = left && page !== 'setup' && reportOf(left.serverId) !== undefined;
  if (isLeft && (view.kind !== 'comparison' || view.servers?.before === undefined)) {
    return { label, onBack: () => void openRun(left.serverId, left.number) };
  }
  const compared = view.kind === 'comparison' ? view.servers?.after : undefined;
  const serverId = compared !== undefined && reportOf(compared) ? compared : runs?.reports[0]?.serverId;
  if (serverId === undefined) return undefined;
  return { label, onBack: () => look({ kind: 'report', serverId }) };
}

interface ContentProps extends HeadProps {
  page: PageName;
  tested: ConnectionReport | undefined;
}

function Content(props: ContentProps) {
  const state = useApp();
  const { page, run } = props;
  const { runs, underWay, view, start } = run;
  if (!runs) return null;
  if (page === 'comparison' && view.kind === 'comparison') {
    const cases = runs.reports.flatMap(({ report }) => report.cases);
    return (
      <ComparisonView
        comparison={view.comparison}
        servers={state.servers}
        sectionOf={(caseId) => cases.find(({ id }) => id === caseId)?.section}
      />
    );
  }
  if (page === 'under-way' && underWay) {
    return (
      <OfReport {...props} serverId={underWay.serverId}>
        <UnderWay underWay={underWay} />
      </OfReport>
    );
  }
  if (page === 'empty') return <NoChecks onNew={() => run.look({ kind: 'setup' })} />;
  if (page === 'report') return <Report {...props} />;
  if (page === 'history' && view.kind === 'history') {
    return (
      <HistoryView
        key={view.serverId}
        serverId={view.serverId}
        onOpen={(number) => void run.openRun(view.serverId, number)}
        onFailed={run.fail}
      />
    );
  }
  return (
    <Setup
      tested={props.tested}
      serverId={state.activeServerId}
      options={runs.reports[0]?.report.options}
      onStart={(wanted) => void start(wanted)}
    />
  );
}

/** Says what a check gives, before there was one. */
function NoChecks({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      drawing={<DrawnReport />}
      title={t('run.emptyTitle')}
      says={t('run.emptySays')}
      action={
        <Button h={40} leftSection={<PlayIcon />} onClick={onNew}>
          {t('run.newRun')}
        </Button>
      }
      note={t('run.emptyNote')}
    />
  );
}

function Report(props: ContentProps) {
  const nameOf = useServerName();
  const state = useApp();
  const { run, panes } = props;
  const { runs, shownId, number, report, entryOf, openRun, showChanges } = run;
  const entry = shownId !== undefined && number === undefined ? entryOf(shownId) : undefined;
  if (!runs || shownId === undefined || !report) return null;
  const isKnown = state.servers.some(({ id }) => id === shownId);
  return (
    <OfReport {...props} serverId={shownId}>
      <ReportView
        key={`${shownId} ${number}`}
        runs={runs}
        report={report}
        name={isKnown ? nameOf(shownId) : report.baseUrl}
        runKept={entry?.runKept ?? false}
        changed={entry?.changed}
        onShowChanges={() => void showChanges(shownId)}
        panes={panes}
        onShow={({ serverId, number: wanted }) => void openRun(serverId, wanted)}
      />
    </OfReport>
  );
}

interface OfReportProps extends ContentProps {
  serverId: string;
  children: React.ReactNode;
}

/** Tells the parts of one report what they have in common. */
function OfReport({ run, serverId, children }: OfReportProps) {
  const words = reportTexts();
  const state = useApp();
  const { underWay, setSaid, entryOf, reportOf, again, number, acceptances, accept, withdraw } = run;
  const report = number === undefined ? reportOf(serverId) : run.report;
  const isThere = state.servers.some(({ id, baseUrl }) => id === serverId && baseUrl === report?.baseUrl);
  const runKept = number === undefined && (entryOf(serverId)?.runKept ?? false);
  const evidence = useMemo(
    () => new Map(report?.evidence.map((call, index) => [call.id, { call, number: index + 1 }])),
    [report],
  );
  return (
    <ReportContext
      value={{
        serverId,
        number,
        acceptances,
        onAccept: (fault, reason) =>
          void accept({ serverId, number }, fault, { title: titleOfFault(fault, words), reason }),
        onWithdraw: (fault) => void withdraw(serverId, fault, titleOfFault(fault, words)),
        callOf: (id) => evidence.get(id)?.call,
        numberOf: (id) => evidence.get(id)?.number,
        onSaid: setSaid,
        onShowCall: (call) => navigate({ room: 'calls', call }),
        underWay,
        onShare: underWay ? undefined : (findingId) => void run.share({ serverId, number }, findingId),
        onAgain: isThere && runKept ? (caseId: CaseId) => void again(serverId, caseId) : undefined,
      }}
    >
      {children}
    </ReportContext>
  );
}
