import { useTranslation } from 'react-i18next';
import type { ContractRuns } from '../../../preload/contract/contract-runs.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { serverName } from '../../server-name.ts';
import { ServerDot } from '../../components/server-dot.tsx';
import classes from './panes.module.css';
import { sayMoment } from './say-moment.ts';
import { tallyOf } from './tally.ts';
import { useLines } from './use-lines.ts';

interface RunsPaneProps {
  state: AppState;
  reports: ContractRuns['reports'];
  shownId: string;
  onShow: (serverId: string) => void;
}

/** Shows the runs whose reports are kept: the last of each server. */
export function RunsPane({ state, reports, shownId, onShow }: RunsPaneProps) {
  const { t, i18n } = useTranslation();
  const { list, tabIndexOf } = useLines(
    reports.map(({ serverId }) => serverId),
    shownId,
  );
  return (
    <ul className={classes.runList} aria-label={t('contract.runs')} {...list}>
      {reports.map(({ serverId, report }) => {
        const server = state.servers.find(({ id }) => id === serverId);
        const { broken } = tallyOf(report);
        return (
          <li key={serverId}>
            <span id={`run-of-${serverId}`} className={classes.of} data-colour={server?.colour ?? 'gray'}>
              <ServerDot />
              <bdi>{server ? serverName(server, t) : report.baseUrl}</bdi>
            </span>
            <button
              type="button"
              id={`run-at-${serverId}`}
              className={classes.run}
              data-line={serverId}
              tabIndex={tabIndexOf(serverId)}
              aria-current={serverId === shownId || undefined}
              aria-labelledby={`run-of-${serverId} run-at-${serverId}`}
              onClick={() => onShow(serverId)}
            >
              <span className={classes.when}>{sayMoment(report.startedAt, i18n.language)}</span>
              <span className={classes.small}>
                {t('contract.runSummary', { broken, findings: report.findings.length })}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
