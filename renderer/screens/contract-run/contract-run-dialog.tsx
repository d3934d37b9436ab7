import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaseId, ReportComparison } from '../../../preload/contract/contract-report.ts';
import type { ContractRuns, WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { ReportForm } from '../../../preload/contract/report-forms.ts';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { api } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { serverName } from '../../server-name.ts';
import { sayDuration } from '../../say-error.ts';
import { type ActionOutcome, Said } from '../calls/said.tsx';
import { ComparisonView } from './comparison-view.tsx';
import classes from './contract-run.module.css';
import { ReportContext } from './report-context.ts';
import { ReportView } from './report-view.tsx';
import { Results } from './results.tsx';
import { Setup } from './setup.tsx';
import { summaryOf } from './summary.ts';
import { UnderWay } from './under-way.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useContractRuns } from './use-contract-runs.ts';

/** What is looked at while nothing is under way. */
type View =
  { kind: 'setup' } | { kind: 'report'; serverId: string } | { kind: 'comparison'; comparison: ReportComparison };

interface ContractRunDialogProps {
  state: AppState;
  onClose: () => void;
  /** Closes this, and shows the call in the drawer. */
  onShowCall: (call: CallSummary) => void;
}

/** The contract run: what it will do, how far it is, what it found. It goes on while this is closed. */
export function ContractRunDialog({ state, onClose, onShowCall }: ContractRunDialogProps) {
  const { t, i18n } = useTranslation();
  const words = useMemo(() => reportWords(i18n.language === 'es' ? 'es' : 'en'), [i18n.language]);
  const { runs, error, take, fail, dismiss } = useContractRuns();
  const [chosen, setChosen] = useState<View>();
  const [said, setSaid] = useState<ActionOutcome>();
  /** Whose run has ended while this was open. */
  const [endedId, setEndedId] = useState<string>();
  const nameOf = (id: string): string =>
    serverName(
      state.servers.find((each) => each.id === id),
      t,
    );

  const underWay = runs?.underWay;
  const view = chosen ?? firstView(runs, state.activeServerId);
  const entryOf = (id: string) => runs?.reports.find(({ serverId }) => serverId === id);
  const reportOf = (id: string) => entryOf(id)?.report;
  const shownId = underWay?.serverId ?? (view.kind === 'report' ? view.serverId : undefined);
  const report = shownId === undefined ? undefined : reportOf(shownId);

  const look = (next: View) => {
    setSaid(undefined);
    dismiss();
    setChosen(next);
  };

  async function compareWith(id: string, otherId: string) {
    const result = await api.contractRun.compare({ serverId: id, otherId });
    if (result.ok) look({ kind: 'comparison', comparison: result.value });
    else fail(result.error);
  }

  // When a run ends its report is shown, and the comparison it was made for.
  const ran = useRef<string>(undefined);
  useEffect(() => {
    if (!runs || runs.underWay?.serverId === ran.current) return;
    const last = ran.current;
    ran.current = runs.underWay?.serverId;
    if (runs.underWay || last === undefined) return;
    setChosen({ kind: 'report', serverId: last });
    setEndedId(last);
    if (runs.compared?.after === last) void compareWith(runs.compared.before, last);
    // oxlint-disable-next-line react/exhaustive-deps -- it follows what main says, and nothing else.
  }, [runs]);

  const announcement = useAnnouncement(sentence(), !underWay || underWay.cancelled);
  function sentence(): string {
    if (underWay?.cancelled) return t('run.cancelling');
    if (underWay?.caseId) return t('run.again', { title: words.case(underWay.caseId) });
    if (underWay) {
      const { casesDone, casesPlanned, callsMade, secondsLeft } = underWay.progress;
      const counts = t('run.counts', { done: casesDone, planned: casesPlanned, calls: callsMade });
      return `${counts}, ${t('run.left', { time: sayDuration(secondsLeft, i18n.language) })}`;
    }
    const ended = endedId === undefined ? undefined : reportOf(endedId);
    if (!ended) return '';
    const summary = summaryOf(ended, words).map(({ label, text }) => `${label}: ${text}.`);
    return t('run.ended', { summary: summary.join(' ') });
  }

  async function start(wanted: WantedRun) {
    setSaid(undefined);
    if (take(await api.contractRun.start(wanted))) setChosen({ kind: 'report', serverId: wanted.serverId });
  }

  async function exportAs(serverId: string, form: ReportForm) {
    const result = await api.contractRun.exportFile({ serverId, form });
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.exported) setSaid({ sentence: t('run.exported') });
  }

  async function compareFile(serverId: string) {
    const result = await api.contractRun.compareFile({ serverId });
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.comparison) look({ kind: 'comparison', comparison: result.value.comparison });
  }

  const again = async (serverId: string, caseId: CaseId) => take(await api.contractRun.again({ serverId, caseId }));

  const progress = underWay && (
    <UnderWay
      underWay={underWay}
      nameOf={nameOf}
      words={words}
      onCancel={() => void api.contractRun.cancel().then(take)}
    />
  );

  function content() {
    if (!runs) return null;
    if (view.kind === 'comparison' && !underWay) {
      const back = runs.reports[0];
      return (
        <ComparisonView
          comparison={view.comparison}
          words={words}
          onBack={() => look(back ? { kind: 'report', serverId: back.serverId } : { kind: 'setup' })}
        />
      );
    }
    if (shownId !== undefined && report && (!underWay || underWay.caseId)) {
      const others = state.servers.filter(({ id }) => id !== shownId);
      const isThere = state.servers.some(({ id, baseUrl }) => id === shownId && baseUrl === report.baseUrl);
      const runKept = entryOf(shownId)?.runKept ?? false;
      return (
        <ReportContext
          value={{
            serverId: shownId,
            words,
            callOf: (id) => report.evidence.find((each) => each.id === id),
            onSaid: setSaid,
            onShowCall,
            busy: underWay !== undefined,
            ...(isThere && runKept && { onAgain: (caseId: CaseId) => void again(shownId, caseId) }),
          }}
        >
          <ReportView
            key={shownId}
            report={report}
            runKept={runKept}
            underWay={progress}
            onExport={(form) => void exportAs(shownId, form)}
            onNewRun={() => look({ kind: 'setup' })}
            comparisons={[
              { label: t('run.compareFile'), onChoose: () => void compareFile(shownId) },
              ...others
                .filter(({ id }) => reportOf(id) !== undefined)
                .map(({ id }) => ({
                  label: t('run.compareReport', { name: nameOf(id) }),
                  onChoose: () => void compareWith(shownId, id),
                })),
            ]}
            others={others
              .filter(({ id }) => reportOf(id) !== undefined)
              .map(({ id }) => ({
                label: t('run.reportOf', { name: nameOf(id) }),
                onChoose: () => look({ kind: 'report', serverId: id }),
              }))}
          />
        </ReportContext>
      );
    }
    if (underWay) {
      return (
        <ReportContext
          value={{
            serverId: underWay.serverId,
            words,
            busy: true,
            callOf: () => undefined,
            onSaid: setSaid,
            onShowCall,
          }}
        >
          <Stack gap="md">
            {progress}
            <Results results={underWay.results} findings={[]} />
          </Stack>
        </ReportContext>
      );
    }
    const last = runs.reports[0];
    return (
      <Setup
        state={state}
        serverId={state.activeServerId}
        options={last?.report.options}
        onStart={(wanted) => void start(wanted)}
        {...(last && { onLastReport: () => look({ kind: 'report', serverId: last.serverId }) })}
      />
    );
  }

  // The focus goes to its content, which must be there.
  if (!runs && !error) return null;
  const title = shownId === undefined ? t('run.title') : t('run.underWay', { name: nameOf(shownId) });
  return (
    <Dialog title={title} size="xl" onClose={onClose}>
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
      <Stack gap="md" className={classes.dialog}>
        {error && <Failure key={JSON.stringify(error)} error={error} />}
        <Said outcome={said} />
        {content()}
      </Stack>
    </Dialog>
  );
}

function firstView(runs: ContractRuns | undefined, activeServerId: string): View {
  const known = runs?.reports.some(({ serverId }) => serverId === activeServerId);
  return known ? { kind: 'report', serverId: activeServerId } : { kind: 'setup' };
}

/** Takes the focus: it came of something that was pressed. */
function Failure({ error }: { error: AppError }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Message tone="error" ref={ref}>
      <Text component="div">
        <ErrorText error={error} during="server" />
      </Text>
    </Message>
  );
}
