import type { ContractRuns, KeptRun } from '../../../preload/contract/contract-runs.ts';
import { serverName } from '../../server-name.ts';
import { PinIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import classes from './panes.module.css';
import { formatDateTime } from '../../format.ts';
import { countsOf, rowsOf } from '../../../preload/contract/report-rows.ts';
import { acceptedFaults } from './acceptance.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import type { RunOf } from './use-run-view.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';

interface RunsPaneProps {
  runs: ContractRuns;
  shown: RunOf;
  onShow: (run: RunOf) => void;
}

/** One run of the list. The last run of a server may be kept by nothing but this application. */
type Line = Omit<KeptRun, 'number' | 'kept'> & { id: string; number: number | undefined };

const lineId = (serverId: string, number: number | undefined): string => `${serverId}-${number ?? 'last'}`;

/** Returns the runs of a server, the newest first. What the last one says may be newer than what is kept of it. */
function linesOf(entry: ContractRuns['reports'][number], kept: readonly KeptRun[]): Line[] {
  const { serverId, report, number, acceptances = [] } = entry;
  const isAccepted = acceptedFaults(acceptances);
  const { accepted } = countsOf(rowsOf(report, isAccepted));
  const broken = report.cases.filter(({ outcome }) => outcome === 'failed').length;
  const { startedAt, toolVersion, findings } = report;
  const pinned = kept.some((each) => each.number === number && each.pinned);
  return [
    {
      id: lineId(serverId, undefined),
      serverId,
      number: undefined,
      startedAt,
      toolVersion,
      pinned,
      broken,
      findings: findings.length,
      accepted,
    },
    ...kept
      .filter((each) => each.serverId === serverId && each.number !== number)
      .map((each): Line => Object.assign({ id: lineId(serverId, each.number) }, each)),
  ];
}

/** Shows the runs whose reports are kept, by their servers. */
export function RunsPane({ runs, shown, onShow }: RunsPaneProps) {
  const state = useApp();
  const groups = runs.reports.map((entry) => ({ entry, lines: linesOf(entry, runs.kept ?? []) }));
  const shownLine = lineId(shown.serverId, shown.number);
  const { list, lineOf } = useRovingFocus(
    groups.flatMap(({ lines }) => lines.map(({ id }) => id)),
    shownLine,
  );
  return (
    <ul className="list grid gap2" aria-label={t('contract.runs')} {...list}>
      {groups.map(({ entry: { serverId, report }, lines }) => {
        const server = state.servers.find(({ id }) => id === serverId);
        return (
          <li key={serverId}>
            <span id={`run-of-${serverId}`} className={classes.of} data-colour={server?.colour ?? 'gray'}>
              <ServerDot />
              <UntrustedText text={server ? serverName(server) : report.baseUrl} />
            </span>
            <ul className="list grid gap2" aria-labelledby={`run-of-${serverId}`}>
              {lines.map((line) => (
                <li key={line.id} className={classes.runLine}>
                  <button
                    type="button"
                    id={`run-at-${line.id}`}
                    className={classes.run}
                    {...lineOf(line.id)}
                    aria-labelledby={`run-of-${serverId} run-at-${line.id}`}
                    onClick={() => onShow(line)}
                  >
                    <OneRun line={line} />
                  </button>
                </li>
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}

function OneRun({ line }: { line: Line }) {
  const { startedAt, pinned, broken, findings, accepted, toolVersion } = line;
  const summary = accepted > 0 ? 'contract.runSummaryAccepted' : 'contract.runSummary';
  return (
    <>
      <span className={classes.when}>{formatDateTime(startedAt)}</span>
      <span className={classes.small}>{t(summary, { broken, findings, accepted })}</span>
      <span className={classes.small}>
        {t('contract.version', { version: toolVersion })}
        {pinned && (
          <span className={classes.pinned}>
            <PinIcon size={14} /> {t('contract.kept.pinned')}
          </span>
        )}
      </span>
    </>
  );
}
