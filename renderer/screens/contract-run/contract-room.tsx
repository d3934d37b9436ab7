import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { RunUnderWay, ShownReport } from '../../../preload/contract/contract-runs.ts';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { reportWords, type ReportWords } from '../../../preload/contract/words/say-report.ts';
import { Room } from '../../components/room.tsx';
import { go } from '../../place.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import { serverName } from '../../server-name.ts';
import { ComparisonView } from './comparison-view.tsx';
import classes from './contract-run.module.css';
import { ReportContext } from './report-context.ts';
import { ReportView } from './report-view.tsx';
import { Results } from './results.tsx';
import { Setup } from './setup.tsx';
import { UnderWay } from './under-way.tsx';
import { useRunSentence } from './use-run-sentence.ts';
import { type RunView, useRunView } from './use-run-view.ts';

/** Shows the contract run: what it will do, how far it is, what it found. The run goes on in any other room. */
export function ContractRoom({ state }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const words = useMemo(() => reportWords(i18n.language === 'es' ? 'es' : 'en'), [i18n.language]);
  const run = useRunView(state.activeServerId);
  const { error, said, shownId } = run;
  const announcement = useRunSentence(run, words);
  const nameOf = (id: string): string =>
    serverName(
      state.servers.find((each) => each.id === id),
      t,
    );

  const title = shownId === undefined ? t('run.title') : t('run.underWay', { name: nameOf(shownId) });
  return (
    <Room title={title}>
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
      <Stack gap="md" className={classes.dialog}>
        {error && <Failure key={JSON.stringify(error)} error={error} />}
        <Said outcome={said} />
        <Content
          run={run}
          state={state}
          words={words}
          nameOf={nameOf}
          onShowCall={(call) => go({ room: 'calls', call })}
        />
      </Stack>
    </Room>
  );
}

interface ContentProps {
  run: RunView;
  state: AppState;
  words: ReportWords;
  nameOf: (serverId: string) => string;
  onShowCall: (call: CallSummary) => void;
}

/** Shows a comparison, a report, what goes on, or what a run would do. */
function Content(props: ContentProps) {
  const { run, state, words } = props;
  const { runs, underWay, view, look, start, shownId, report } = run;
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
    return <Report {...props} servers={state.servers} serverId={shownId} report={report} />;
  }
  if (underWay) return <ResultsSoFar {...props} underWay={underWay} />;
  const last = runs.reports[0];
  return (
    <Setup
      state={state}
      serverId={state.activeServerId}
      options={last?.report.options}
      onStart={(wanted) => void start(wanted)}
      onLastReport={last && (() => look({ kind: 'report', serverId: last.serverId }))}
    />
  );
}

const Progress = ({ run, nameOf, words }: Pick<ContentProps, 'run' | 'nameOf' | 'words'>) =>
  run.underWay && <UnderWay underWay={run.underWay} nameOf={nameOf} words={words} onCancel={run.cancel} />;

interface ReportProps extends ContentProps {
  servers: readonly Server[];
  serverId: string;
  report: ShownReport;
}

function Report({ run, words, nameOf, onShowCall, servers, serverId, report }: ReportProps) {
  const { t } = useTranslation();
  const { underWay, look, setSaid, entryOf, reportOf, compareWith, compareFile, exportAs, again } = run;
  const others = servers.filter(({ id }) => id !== serverId);
  const isThere = servers.some(({ id, baseUrl }) => id === serverId && baseUrl === report.baseUrl);
  const runKept = entryOf(serverId)?.runKept ?? false;
  return (
    <ReportContext
      value={{
        serverId,
        words,
        callOf: (id) => report.evidence.find((each) => each.id === id),
        onSaid: setSaid,
        onShowCall,
        busy: underWay !== undefined,
        onAgain: isThere && runKept ? (caseId: CaseId) => void again(serverId, caseId) : undefined,
      }}
    >
      <ReportView
        key={serverId}
        report={report}
        runKept={runKept}
        underWay={underWay && <Progress run={run} nameOf={nameOf} words={words} />}
        onExport={(form) => void exportAs(serverId, form)}
        onNewRun={() => look({ kind: 'setup' })}
        comparisons={[
          { label: t('run.compareFile'), onChoose: () => void compareFile(serverId) },
          ...others
            .filter(({ id }) => reportOf(id) !== undefined)
            .map(({ id }) => ({
              label: t('run.compareReport', { name: nameOf(id) }),
              onChoose: () => void compareWith(serverId, id),
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

function ResultsSoFar({ run, words, nameOf, onShowCall, underWay }: ContentProps & { underWay: RunUnderWay }) {
  return (
    <ReportContext
      value={{
        serverId: underWay.serverId,
        words,
        busy: true,
        callOf: () => undefined,
        onSaid: run.setSaid,
        onShowCall,
      }}
    >
      <Stack gap="md">
        <Progress run={run} nameOf={nameOf} words={words} />
        <Results results={underWay.results} findings={[]} />
      </Stack>
    </ReportContext>
  );
}

/** Shows a failure. It takes the focus, since it came of something that was pressed. */
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
