import { Button, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { createRunVerdict } from '../../../preload/contract/run-verdict.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { DrawnReport, EmptyState } from '../../components/empty-state.tsx';
import { Deferred } from '../../components/deferred.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { PlayIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import type { Route } from '../../route.ts';
import { acceptedFaults } from './acceptance.tsx';
import { CheckForm } from './check-form.tsx';
import { type PageContent, enterChecks, openRun, show, showRoute, useChecks } from './checks.ts';
import { ComparisonView } from './comparison-view.tsx';
import { HistoryView } from './history-view.tsx';
import { CancelButton, ComparisonActions, ReportActions, ShownRun } from './page-head.tsx';
import { ReportView } from './report-view.tsx';
import { RunningCheck } from './running-check.tsx';

const titles = {
  loading: 'checks.title',
  empty: 'checks.title',
  form: 'checks.newTitle',
  running: 'checks.title',
  report: 'checks.title',
  comparison: 'checks.compareTitle',
  history: 'checks.history.title',
} as const satisfies Record<PageContent, string>;

/** The form, the progress and the results of checks. A check continues while another page is shown. */
export function ChecksPage({ route }: { route: Extract<Route, { page: 'checks' }> }) {
  const [isEntered, setEntered] = useState(false);
  // The store may have data of an earlier visit, such as emails that are masked now, which must never be rendered.
  useLayoutEffect(() => {
    const leave = enterChecks();
    // oxlint-disable-next-line react/set-state-in-effect -- The page is rendered before anything is painted.
    setEntered(true);
    return leave;
  }, []);
  useLayoutEffect(() => showRoute(route), [route]);
  return isEntered && <Checks tested={route.tested} />;
}

function Checks({ tested }: { tested: ConnectionReport | undefined }) {
  const { content, report, runs, failure } = useChecks();
  const back = useBack();
  const contents: Record<PageContent, ReactNode> = {
    loading: null,
    empty: (
      <EmptyState
        drawing={<DrawnReport />}
        title={t('run.emptyTitle')}
        description={t('run.emptyText')}
        action={
          <Button h={40} leftSection={<PlayIcon />} onClick={() => show({ kind: 'form' })}>
            {t('run.newRun')}
          </Button>
        }
        note={t('run.emptyNote')}
      />
    ),
    form: <CheckForm tested={tested} options={runs?.reports[0]?.report.options} />,
    running: <RunningCheck />,
    report: report && <ReportView key={`${report.run.serverId} ${report.run.number}`} />,
    comparison: <ComparisonView />,
    history: <HistoryView />,
  };
  const actions: Partial<Record<PageContent, ReactNode>> = {
    running: <CancelButton />,
    report: <ReportActions />,
    comparison: <ComparisonActions />,
  };
  return (
    <>
      <RunAnnouncement />
      <Page
        layout="panes"
        title={t(titles[content])}
        back={back}
        beside={content !== 'empty' && content !== 'form' && content !== 'comparison' && <ShownRun />}
        actions={actions[content]}
        isOneLine={content === 'report'}
      >
        <div className="column pane" aria-busy={content === 'loading'}>
          {failure && (
            <div className="padded">
              <ErrorMessage error={failure.error} during="server" takesFocus={failure.isPressed} />
            </div>
          )}
          <div className="flex pane here">
            {/* Only what comes after loading waits: later, the focus moves into what is shown next. */}
            <Deferred key={String(content === 'loading')}>{contents[content]}</Deferred>
          </div>
        </div>
      </Page>
    </>
  );
}

/** Back to the report that a comparison or a history was opened from, or else to the newest. */
function useBack() {
  const { content, view, runs, lastReportOf } = useChecks();
  if (content !== 'form' && content !== 'comparison' && content !== 'history') return undefined;
  const label = t('run.back');
  const from = view.kind === 'comparison' || view.kind === 'history' ? view.from : undefined;
  if (from && lastReportOf(from.serverId)) return { label, onBack: () => void openRun(from) };
  const compared = view.kind === 'comparison' ? view.servers?.after : undefined;
  const serverId = (lastReportOf(compared) ?? runs?.reports[0])?.serverId;
  return serverId === undefined ? undefined : { label, onBack: () => show({ kind: 'report', serverId }) };
}

/** Milliseconds between two announcements of a running check. */
const quietMs = 10_000;

/** Announces the progress of a check every ten seconds, and its end at once. */
function RunAnnouncement() {
  const { running, endedId, lastReportOf } = useChecks();
  const words = reportTexts();

  function sentence(): string {
    if (running?.cancelled) return t('run.cancelling');
    if (running?.caseId) return t('run.again', { title: words.case(running.caseId) });
    if (running) {
      const { casesDone, casesPlanned, callsMade, secondsLeft } = running.progress;
      const cases = t('checks.casesEnding', { done: casesDone, count: casesPlanned });
      const counts = t('run.counts', { cases, count: callsMade });
      return `${counts}, ${t('run.left', { time: formatDuration(secondsLeft) })}`;
    }
    const ended = lastReportOf(endedId);
    if (!ended) return '';
    const { report, acceptances = [] } = ended;
    const verdict = createRunVerdict(report, { accepted: acceptedFaults(acceptances) });
    const summary = words
      .runVerdict(verdict, report.baseUrl)
      .flatMap((part) => (typeof part === 'string' ? part : part.outside.filter((each) => typeof each === 'string')))
      .join('');
    return t('run.ended', { summary });
  }

  const text = sentence();
  const isUrgent = !running || running.cancelled;
  const [announced, setAnnounced] = useState('');
  const lastAt = useRef(-Infinity);
  useEffect(() => {
    const now = performance.now();
    if (text === '' || (!isUrgent && now - lastAt.current < quietMs)) return;
    lastAt.current = now;
    setAnnounced(text);
  }, [text, isUrgent]);
  return <VisuallyHidden component="output">{announced}</VisuallyHidden>;
}
