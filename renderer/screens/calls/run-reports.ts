import type { ChecksState } from '../../../preload/contract/checks.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';

/** Summary of the report of a check, for the list of calls. */
export interface RunReport {
  serverId: string;
  /** Undefined for the last check of a server if it is not stored. */
  number: number | undefined;
  broken: number;
  /** Without notes. */
  findings: number;
  /** Only for the last check of a server. */
  durationMs?: number;
}

/** In milliseconds: a report starts after its check, once the server has responded. */
const mostMsBetween = 60_000;

/**
 * Finds the report of a check by its server and time.
 * @param run start of the check in milliseconds since 1970, as in its calls
 */
function reportOf({ reports, stored = [] }: ChecksState, serverId: string, run: number): RunReport | undefined {
  const last = reports.map(({ number, report, ...entry }) => ({
    serverId: entry.serverId,
    number,
    startedAt: report.startedAt,
    broken: report.cases.filter(({ outcome }) => outcome === 'failed').length,
    findings: report.findings.filter(({ severity }) => severity !== 'info').length,
    durationMs: report.durationMs,
  }));
  const late = ({ startedAt }: { startedAt: string }): number => Date.parse(startedAt) - run;
  return [...last, ...stored]
    .filter((each) => each.serverId === serverId && late(each) >= 0 && late(each) < mostMsBetween)
    .toSorted((one, other) => late(one) - late(other))[0];
}

const noReports: Result<ChecksState> = { ok: true, value: { reports: [] } };

/** Returns a lookup of reports. They are loaded when there are checks, and again when there are more. */
export function useRunReports(runs: number): (serverId: string, run: number) => RunReport | undefined {
  const { data } = useQuery(async () => (runs > 0 ? await api.checks.state() : noReports), String(runs));
  return (serverId, run) => data && reportOf(data, serverId, run);
}
