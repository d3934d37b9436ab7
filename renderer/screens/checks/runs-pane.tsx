import type { ChecksState, StoredRun } from '../../../preload/contract/checks.ts';
import { countsOf, reportRows } from '../../../preload/contract/report-rows.ts';
import { useApp } from '../../api.ts';
import { PinIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { formatDateTime } from '../../format.ts';
import { t } from '../../i18n.ts';
import { serverName } from '../../server-name.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import { acceptedFaults } from './acceptance.tsx';
import { closePane, openRun, type RunRef, useChecks, useReport } from './checks.ts';
import classes from './panes.module.css';

/** A run in the list. The last one of a server has no number, and may not be stored. */
type Line = Omit<StoredRun, 'number' | 'kept'> & { number: number | undefined };

const lineId = ({ serverId, number }: RunRef): string => `${serverId}-${number ?? 'last'}`;

/** The runs of a server, the newest first. The last one may have newer data than its stored entry. */
function linesOf(entry: ChecksState['reports'][number], kept: readonly StoredRun[]): Line[] {
  const { serverId, report, number, acceptances = [] } = entry;
  const { accepted } = countsOf(reportRows(report, acceptedFaults(acceptances)));
  const last: Line = {
    serverId,
    number: undefined,
    startedAt: report.startedAt,
    toolVersion: report.toolVersion,
    pinned: kept.some((each) => each.number === number && each.pinned),
    broken: report.cases.filter(({ outcome }) => outcome === 'failed').length,
    findings: report.findings.length,
    accepted,
  };
  return [last, ...kept.filter((each) => each.serverId === serverId && each.number !== number)];
}

/** The runs with stored reports, by server. */
export function RunsPane() {
  const { servers } = useApp();
  const { runs } = useChecks();
  const { run } = useReport();
  const groups = (runs?.reports ?? []).map((entry) => ({ entry, lines: linesOf(entry, runs?.stored ?? []) }));
  const { list, itemProps } = useRovingFocus(
    groups.flatMap(({ lines }) => lines.map(lineId)),
    lineId(run),
  );
  return (
    <ul className="list grid gap2" aria-label={t('checks.runs')} {...list}>
      {groups.map(({ entry: { serverId, report }, lines }) => {
        const server = servers.find(({ id }) => id === serverId);
        return (
          <li key={serverId}>
            <span id={`run-of-${serverId}`} className={classes.server} data-colour={server?.colour ?? 'gray'}>
              <ServerDot />
              <UntrustedText text={server ? serverName(server) : report.baseUrl} />
            </span>
            <ul className="list grid gap2" aria-labelledby={`run-of-${serverId}`}>
              {lines.map((line) => {
                const id = lineId(line);
                const { startedAt, pinned, broken, findings, accepted, toolVersion } = line;
                const summary = accepted > 0 ? 'checks.runSummaryAccepted' : 'checks.runSummary';
                return (
                  <li key={id} className={classes.runLine}>
                    <button
                      type="button"
                      id={`run-at-${id}`}
                      className={classes.run}
                      {...itemProps(id)}
                      aria-labelledby={`run-of-${serverId} run-at-${id}`}
                      onClick={() => {
                        closePane();
                        void openRun(line);
                      }}
                    >
                      <span className="block capital">{formatDateTime(startedAt)}</span>
                      <span className="hint">{t(summary, { broken, findings, accepted })}</span>
                      <span className="hint">
                        {t('checks.version', { version: toolVersion })}
                        {pinned && (
                          <span className={classes.pinned}>
                            <PinIcon size={14} /> {t('checks.reportActions.pinned')}
                          </span>
                        )}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}
