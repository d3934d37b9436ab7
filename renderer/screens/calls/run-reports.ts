import type { ContractRuns } from '../../../preload/contract/contract-runs.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';

/** What the list of calls shows of the report of a run. */
export interface RunReport {
  serverId: string;
  /** Absent for the last run of a server, where that is stored nowhere. */
  number: number | undefined;
  broken: number;
  /** Those that are notes do not count. */
  findings: number;
  /** Known of the last run of a server. */
  durationMs?: number;
}

/** A report begins once the run that made it has found the server. */
const mostMsBetween = 60_000;

/**
 * Finds the report of a run by its server and its moment.
 * @param run the moment at which the run began, as its calls have it
 */
function reportOf({ reports, kept = [] }: ContractRuns, serverId: string, run: number): RunReport | undefined {
  const last = reports.map(({ number, report, ...entry }) => ({
    serverId: entry.serverId,
    number,
    startedAt: report.startedAt,
    broken: report.cases.filter(({ outcome }) => outcome === 'failed').length,
    findings: report.findings.filter(({ severity }) => severity !== 'info').length,
    durationMs: report.durationMs,
  }));
  const late = ({ startedAt }: { startedAt: string }): number => Date.parse(startedAt) - run;
  return [...last, ...kept]
    .filter((each) => each.serverId === serverId && late(each) >= 0 && late(each) < mostMsBetween)
    .toSorted((one, other) => late(one) - late(other))[0];
}

const noReports: Result<ContractRuns> = { ok: true, value: { reports: [] } };

/** Returns what finds the report of a run. They are loaded when there are runs, and again when there are more. */
export function useRunReports(runs: number): (serverId: string, run: number) => RunReport | undefined {
  const { data } = useQuery(async () => (runs > 0 ? await api.contractRun.state() : noReports), String(runs));
  return (serverId, run) => data && reportOf(data, serverId, run);
}
