import { Button } from '@mantine/core';
import type { DoubleProof, ShownDouble } from '../../../preload/contract/local-servers.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { AllowedOrigins } from '../../components/allowed-origins.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import {
  ActivityIcon,
  DoneIcon,
  InfoIcon,
  PlayIcon,
  RefreshIcon,
  StopIcon,
  WarningIcon,
} from '../../components/icons.tsx';
import { UntrustedText, BreakableText } from '../../components/untrusted-text.tsx';
import { useAction } from '../../use-action.ts';
import { ClockStrip } from '../built-in-server/strip.tsx';
import stripClasses from '../built-in-server/strip.module.css';
import { formatDateTime } from '../../format.ts';
import { DoubleFolds } from './double-folds.tsx';
import classes from './double-parts.module.css';
import { t } from '../../i18n.ts';

interface DoublePartsProps {
  server: Server;
  double: ShownDouble;
}

/** Shows what is special about a double: of whom it is, whether it runs, how it compares, and what was learned. */
export function DoubleParts({ server, double }: DoublePartsProps) {
  const state = useApp();
  const attempt = useAction();
  const isWorkbench = state.settings.workbench;
  const isRunning = double.run.state === 'running';
  return (
    <>
      <p className="flush text soft">
        {t('doubles.of', { name: double.of, moment: formatDateTime(double.measuredAt) })}
      </p>
      <RunStrip server={server} double={double} attempt={attempt} />
      <ProofStrip server={server} double={double} attempt={attempt} />
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
      {isWorkbench && isRunning && (
        <ClockStrip
          aheadMs={double.clockAheadMs}
          sending={attempt.pending}
          onMove={(to) => void attempt.run(() => api.doubles.moveClock({ id: server.id, to }))}
        />
      )}
      {isWorkbench && <DoubleFolds key={double.measuredAt} server={server} double={double} />}
      {isWorkbench && <AllowedOrigins key={server.id} server={server} />}
    </>
  );
}

interface StripProps extends Omit<DoublePartsProps, 'state'> {
  attempt: ReturnType<typeof useAction>;
}

const runIcons = { running: DoneIcon, starting: ActivityIcon, stopped: InfoIcon, failed: WarningIcon } as const;

/** Says whether the double runs, and starts or stops it. The button keeps its place and the focus. */
function RunStrip({ server, double: { run }, attempt }: StripProps) {
  const isRunning = run.state === 'running';
  const failure = run.state === 'failed' ? run.message : '';
  const Icon = runIcons[run.state];
  return (
    <section
      className={stripClasses.strip}
      data-tone={run.state === 'failed' ? 'bad' : isRunning ? 'good' : 'quiet'}
      aria-label={t('doubles.runTitle')}
    >
      <Icon size={20} />
      <div className={stripClasses.texts}>
        <output className={stripClasses.text}>
          <strong>{t(`doubles.run.${run.state}`)}</strong>
          <span>
            {isRunning ? (
              <UntrustedText text={server.baseUrl} />
            ) : (
              t(run.state === 'failed' ? 'doubles.failedHelp' : 'doubles.stoppedHelp', { failure })
            )}
          </span>
        </output>
        <div className={stripClasses.text} data-holds aria-hidden>
          <strong>{t('doubles.run.stopped')}</strong>
          <span>{t('doubles.stoppedHelp')}</span>
        </div>
      </div>
      <Button
        variant="default"
        size="xs"
        miw={96}
        leftSection={isRunning ? <StopIcon /> : <PlayIcon />}
        aria-busy={attempt.pending || run.state === 'starting'}
        onClick={() =>
          void attempt.run(() =>
            isRunning ? api.doubles.stop({ id: server.id }) : api.doubles.start({ id: server.id }),
          )
        }
      >
        {t(isRunning ? 'doubles.stop' : 'doubles.start')}
      </Button>
    </section>
  );
}

const tones: Record<DoubleProof['state'], 'good' | 'plain'> = {
  compared: 'good',
  'from-file': 'plain',
  'not-compared': 'plain',
  'under-way': 'plain',
};

/** Says how the double compares with its original. Its place is as high as its longest text. */
function ProofStrip({ server, double: { proof, of, originId }, attempt }: StripProps) {
  const differs = proof.state === 'compared' && proof.differences > 0;
  const isGood = tones[proof.state] === 'good' && !differs;
  const Icon = isGood ? DoneIcon : differs ? WarningIcon : proof.state === 'under-way' ? ActivityIcon : InfoIcon;
  const isPossible = originId !== undefined && proof.state !== 'under-way';
  const [done, planned] = proof.state === 'under-way' ? [proof.casesDone, proof.casesPlanned] : [0, 0];
  return (
    <section
      className={stripClasses.strip}
      data-tone={differs ? 'warn' : isGood ? 'good' : 'quiet'}
      aria-label={t('doubles.proofTitle')}
    >
      <Icon size={20} />
      <div className={stripClasses.texts}>
        <output className={stripClasses.text}>
          <strong>
            <BreakableText text={sayProof(proof, of)} />
          </strong>
          <span>{t(`doubles.proofHelp.${differs ? 'differs' : proof.state}`)}</span>
        </output>
        <div className={stripClasses.text} data-holds aria-hidden>
          <strong>{t('doubles.proof.differs', { name: of, count: 99, cases: 99 })}</strong>
          <span>{t('doubles.proofHelp.from-file')}</span>
        </div>
        <progress
          className={classes.progress}
          hidden={proof.state !== 'under-way'}
          max={Math.max(1, planned)}
          value={done}
          aria-label={t('doubles.proof.under-way')}
        />
      </div>
      <Button
        variant="default"
        size="xs"
        leftSection={<RefreshIcon />}
        aria-disabled={!isPossible}
        aria-busy={attempt.pending}
        onClick={() => isPossible && void attempt.run(() => api.doubles.compare({ id: server.id }))}
      >
        {t('doubles.compareAgain')}
      </Button>
    </section>
  );
}

function sayProof(proof: DoubleProof, name: string): string {
  if (proof.state !== 'compared') return t(`doubles.proof.${proof.state}`);
  const { differences: count, cases } = proof;
  return count === 0 ? t('doubles.proof.same', { name, cases }) : t('doubles.proof.differs', { name, count, cases });
}
