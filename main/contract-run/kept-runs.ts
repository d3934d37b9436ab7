import type { AcceptedFault, ShownAcceptance } from '../../preload/contract/accepted-faults.ts';
import type { Report } from '../../preload/contract/contract-report.ts';
import type { KeptRun, RunHistory } from '../../preload/contract/kept-runs.ts';
import { longestReason } from '../../preload/contract/run-limits.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { createSecretNames } from '../secrets/named-secrets.ts';
import { cutText, type SecretReferences } from '../secrets/secret-references.ts';
import { acceptancesOf, judgeFaults } from './accepted-faults.ts';
import { faultsOf } from './faults.ts';
import type { ReportStore } from './report-store.ts';
import { historyOf } from './server-history.ts';

type Options = {
  /** Returns the file of reports; undefined where it cannot be used. */
  kept: () => ReportStore | undefined;
  /** Returns the report of a run, or the last one of the server. */
  reportOf: (serverId: string, number?: number) => Report | undefined;
  references: SecretReferences;
  now: () => Date;
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
};

/** What a person accepts, as the window says it. */
type Accepting = {
  serverId: string;
  fault: string;
  reason: string;
  number?: number | undefined;
};

const notKept = (): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem: 'not-kept' });
const noReport = (): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem: 'no-report' });

/** Makes what a person can do with the runs that are kept, and with what is accepted of a server. */
export function createKeptRuns(options: Options) {
  const { kept, report: log } = options;

  /** Does something with the file. A disk that is full is told. */
  function withFile<T>(work: (store: ReportStore) => T): Result<T> {
    const store = kept();
    if (!store) return notKept();
    try {
      return ok(work(store));
    } catch (error) {
      log(error);
      return notKept();
    }
  }

  const acceptedOf = (serverId: string): AcceptedFault[] => kept()?.accepted(serverId) ?? [];

  return {
    /** Says what is accepted of a report. */
    acceptances: (serverId: string, report: Report): ShownAcceptance[] => acceptancesOf(report, acceptedOf(serverId)),

    judged: (serverId: string, report: Report) => judgeFaults(report, acceptedOf(serverId)),

    /** Lists the runs of these servers, the newest first. */
    list(serverIds: readonly string[]): KeptRun[] {
      const listed = withFile((store) => {
        const accepted = new Map(serverIds.map((id) => [id, new Set(store.accepted(id).map(({ fault }) => fault))]));
        return store.kept().flatMap(({ faults, ...run }) => {
          const holding = accepted.get(run.serverId);
          return holding ? [{ ...run, accepted: faults.filter((id) => holding.has(id)).length }] : [];
        });
      });
      return listed.ok ? listed.value : [];
    },

    history: (serverId: string): Result<RunHistory> =>
      withFile((store) => historyOf(store.history(serverId), store.known(serverId))),

    pin: (serverId: string, number: number, pinned: boolean): Result<void> =>
      withFile((store) => store.pin(serverId, number, pinned)),

    deleteReport: (serverId: string, number: number): Result<void> =>
      withFile((store) => store.deleteReport(serverId, number)),

    withdraw: (serverId: string, fault: string): Result<void> => withFile((store) => store.withdraw(serverId, fault)),

    ...createAccepting(options, withFile),
  };
}

/** Makes what accepts a fault of a report. */
function createAccepting(
  { reportOf, references, now }: Options,
  withFile: <T>(work: (store: ReportStore) => T) => Result<T>,
) {
  /** A person may paste what the server sent. */
  const withoutSecrets = (text: string): string =>
    createSecretNames().text(cutText(text, references)).slice(0, longestReason);

  return {
    accept({ serverId, number, fault: id, reason }: Accepting): Result<void> {
      const report = reportOf(serverId, number);
      const fault = report && faultsOf(report).find((each) => each.id === id);
      if (!fault) return noReport();
      const accepted = now().toISOString().slice(0, 10);
      const row = { fault: id, case: fault.caseId, reason: withoutSecrets(reason), accepted };
      return withFile((store) => store.accept(serverId, row));
    },
  };
}
