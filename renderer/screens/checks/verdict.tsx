import { reportTexts } from '../../answers/report-texts.ts';
import { Button } from '@mantine/core';
import type { ContractRuns, ShownReport } from '../../../preload/contract/contract-runs.ts';
import { runVerdictOf } from '../../../preload/contract/run-verdict.ts';
import { setMatchingInterfaces } from '../../matching-interfaces.ts';
import { navigate } from '../../route.ts';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { formatDuration, formatDateTime } from '../../format.ts';
import { acceptedFaults } from './acceptance.ts';
import classes from './document.module.css';
import { Parts } from './parts.tsx';
import { useReport } from './report-context.ts';
import { useLostFocus } from './use-lost-focus.ts';
import { t } from '../../i18n.ts';

interface VerdictProps {
  report: ShownReport;
  /** The name of the server. */
  name: string;
  /** Whether single cases can be measured again. If they cannot, the report says why. */
  runKept: boolean;
  /** What differs from the runs before, if there was one. */
  changed: ContractRuns['reports'][number]['changed'];
  /** Whether there is a later run of the server. */
  isEarlier: boolean;
  onShowChanges: () => void;
}

/** Says in one line what the report says, the worst first, and then how it came to be. */
export function Verdict({ report, name, runKept, changed, isEarlier, onShowChanges }: VerdictProps) {
  const words = reportTexts();
  const { acceptances } = useReport();
  const texts = words.texts('report');
  const { baseUrl, calls, durationMs, ended, extraHeaders, options, startedAt, toolVersion } = report;
  const ref = useLostFocus<HTMLElement>();
  const verdict = runVerdictOf(report, { accepted: acceptedFaults(acceptances) });
  return (
    <section ref={ref} tabIndex={-1} className={classes.verdict} aria-label={texts('summary')}>
      <h2>
        <Parts parts={words.runVerdict(verdict, name)} />
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
        {` · ${t('contract.version', { version: toolVersion })}`}
        {ended.kind === 'complete' && (
          <>
            {' · '}
            <Parts parts={words.end(ended)} />
          </>
        )}
      </p>
      {extraHeaders && (
        <p className={classes.facts}>
          {texts('extraHeaders')}: <bdi>{extraHeaders.join(', ')}</bdi>
        </p>
      )}
      {ended.kind !== 'complete' && (
        <p>
          <Parts parts={words.end(ended)} />
        </p>
      )}
      {changed && (
        <p>
          {t(changed.count > 0 ? 'run.changed' : 'run.unchanged', {
            moment: formatDateTime(changed.since),
            count: changed.count,
          })}{' '}
          {changed.count > 0 && (
            <Button variant="subtle" size="compact-sm" px={0} onClick={onShowChanges}>
              {t('run.showChanges')}
            </Button>
          )}
        </p>
      )}
      {report.otherInterfaces && <OtherInterface baseUrl={baseUrl} fits={report.otherInterfaces} />}
      {!runKept && <p>{t(isEarlier ? 'contract.kept.earlier' : 'run.runGone')}</p>}
    </section>
  );
}

/** Leads to where a description of the server is chosen, which the run did not have. */
function OtherInterface({ baseUrl, fits }: { baseUrl: string; fits: readonly string[] }) {
  const { serverId } = useReport();
  return (
    <p>
      {t('run.otherInterface')}{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        px={0}
        onClick={() => {
          setMatchingInterfaces(baseUrl, fits);
          navigate({ room: 'servers', editing: serverId });
        }}
      >
        {t('run.chooseInterface')}
      </Button>
    </p>
  );
}
