import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaseId, ReportComparison } from '../../../preload/contract/conformance.ts';
import type { ContractRuns, ReportForm, WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { ExchangeSummary } from '../../../preload/contract/exchanges.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { api } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { environmentName } from '../../environment-name.ts';
import { sayDuration } from '../../say-error.ts';
import { type ActionOutcome, Said } from '../exchanges/said.tsx';
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
  { kind: 'setup' } | { kind: 'report'; environmentId: string } | { kind: 'comparison'; comparison: ReportComparison };

interface ContractRunDialogProps {
  state: AppState;
  onClose: () => void;
  /** Closes this, and shows the exchange in the drawer. */
  onShowExchange: (exchange: ExchangeSummary) => void;
}

/** The contract run: what it will do, how far it is, what it found. It goes on while this is closed. */
export function ContractRunDialog({ state, onClose, onShowExchange }: ContractRunDialogProps) {
  const { t, i18n } = useTranslation();
  const words = useMemo(() => reportWords(i18n.language === 'es' ? 'es' : 'en'), [i18n.language]);
  const { runs, error, take, fail, dismiss } = useContractRuns();
  const [chosen, setChosen] = useState<View>();
  const [said, setSaid] = useState<ActionOutcome>();
  /** Whose run has ended while this was open. */
  const [endedId, setEndedId] = useState<string>();
  const nameOf = (id: string): string =>
    environmentName(
      state.environments.find((each) => each.id === id),
      t,
    );

  const underWay = runs?.underWay;
  const view = chosen ?? firstView(runs, state.activeEnvironmentId);
  const entryOf = (id: string) => runs?.reports.find(({ environmentId }) => environmentId === id);
  const reportOf = (id: string) => entryOf(id)?.report;
  const shownId = underWay?.environmentId ?? (view.kind === 'report' ? view.environmentId : undefined);
  const report = shownId === undefined ? undefined : reportOf(shownId);

  const look = (next: View) => {
    setSaid(undefined);
    dismiss();
    setChosen(next);
  };

  async function compareWith(id: string, otherId: string) {
    const result = await api.conformance.compare(id, otherId);
    if (result.ok) look({ kind: 'comparison', comparison: result.value });
    else fail(result.error);
  }

  // When a run ends its report is shown, and the comparison it was made for.
  const ran = useRef<string>(undefined);
  useEffect(() => {
    if (!runs || runs.underWay?.environmentId === ran.current) return;
    const last = ran.current;
    ran.current = runs.underWay?.environmentId;
    if (runs.underWay || last === undefined) return;
    setChosen({ kind: 'report', environmentId: last });
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
    if (take(await api.conformance.start(wanted))) setChosen({ kind: 'report', environmentId: wanted.environmentId });
  }

  async function exportAs(environmentId: string, form: ReportForm) {
    const result = await api.conformance.exportFile(environmentId, form);
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.exported) setSaid({ sentence: t('run.exported') });
  }

  async function compareFile(environmentId: string) {
    const result = await api.conformance.compareFile(environmentId);
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.comparison) look({ kind: 'comparison', comparison: result.value.comparison });
  }

  const again = async (environmentId: string, caseId: CaseId) =>
    take(await api.conformance.again(environmentId, caseId));

  const progress = underWay && (
    <UnderWay
      underWay={underWay}
      nameOf={nameOf}
      words={words}
      onCancel={() => void api.conformance.cancel().then(take)}
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
          onBack={() => look(back ? { kind: 'report', environmentId: back.environmentId } : { kind: 'setup' })}
        />
      );
    }
    if (shownId !== undefined && report && (!underWay || underWay.caseId)) {
      const others = state.environments.filter(({ id }) => id !== shownId);
      const isThere = state.environments.some(({ id, baseUrl }) => id === shownId && baseUrl === report.baseUrl);
      const runKept = entryOf(shownId)?.runKept ?? false;
      return (
        <ReportContext
          value={{
            environmentId: shownId,
            words,
            exchangeOf: (id) => report.evidence.find((each) => each.id === id),
            onSaid: setSaid,
            onShowExchange,
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
                onChoose: () => look({ kind: 'report', environmentId: id }),
              }))}
          />
        </ReportContext>
      );
    }
    if (underWay) {
      return (
        <ReportContext
          value={{
            environmentId: underWay.environmentId,
            words,
            busy: true,
            exchangeOf: () => undefined,
            onSaid: setSaid,
            onShowExchange,
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
        environmentId={state.activeEnvironmentId}
        options={last?.report.options}
        onStart={(wanted) => void start(wanted)}
        {...(last && { onLastReport: () => look({ kind: 'report', environmentId: last.environmentId }) })}
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

function firstView(runs: ContractRuns | undefined, activeEnvironmentId: string): View {
  const known = runs?.reports.some(({ environmentId }) => environmentId === activeEnvironmentId);
  return known ? { kind: 'report', environmentId: activeEnvironmentId } : { kind: 'setup' };
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
