import type { AcceptedFault, ShownAcceptance } from '../../preload/contract/accepted-faults.ts';
import type { Report } from '../../preload/contract/contract-report.ts';
import type { KeptRun, RunHistory } from '../../preload/contract/kept-runs.ts';
import { longestReason } from '../../preload/contract/run-limits.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { readLimited } from '../files/read-limited.ts';
import { createSecretNames } from '../secrets/named-secrets.ts';
import { redactText } from '../secrets/redact.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import { acceptancesOf, hasEnded, judgeFaults, readAcceptedFaults, writeAcceptedFaults } from './accepted-faults.ts';
import { faultsOf } from './faults.ts';
import { type ReportActionOptions, writeChosen } from './report-actions.ts';
import type { ReportStore } from './report-store.ts';
import { historyOf } from './server-history.ts';

const largestBaselineBytes = 5 * 1024 * 1024;

type Options = Pick<ReportActionOptions, 'chooseFile'> & {
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
  until?: string | undefined;
  number?: number | undefined;
};

const notKept = (): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem: 'not-kept' });
const noReport = (): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem: 'no-report' });

/** Makes what a person can do with the runs that are kept, and with what is accepted of a server. */
export function createKeptRuns(options: Options) {
  const { kept, now, report: log } = options;
  const today = (): string => now().toISOString().slice(0, 10);

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
    /** Says what is accepted of a report, today. */
    acceptances: (serverId: string, report: Report): ShownAcceptance[] =>
      acceptancesOf(report, acceptedOf(serverId), today()),

    judged: (serverId: string, report: Report) => judgeFaults(report, acceptedOf(serverId), today()),

    /** Lists the runs of these servers, the newest first. */
    list(serverIds: readonly string[]): KeptRun[] {
      const listed = withFile((store) => {
        const accepted = new Map(serverIds.map((id) => [id, holdingToday(store.accepted(id), today())]));
        return store.kept().flatMap(({ faults, ...run }) => {
          const holding = accepted.get(run.serverId);
          return holding ? [{ ...run, accepted: faults.filter((id) => holding.has(id)).length }] : [];
        });
      });
      return listed.ok ? listed.value : [];
    },

    history: (serverId: string): Result<RunHistory> =>
      withFile((store) =>
        historyOf({
          runs: store.history(serverId),
          known: store.known(serverId),
          acceptances: store.acceptances(serverId),
          today: today(),
        }),
      ),

    pin: (serverId: string, number: number, pinned: boolean): Result<void> =>
      withFile((store) => store.pin(serverId, number, pinned)),

    deleteReport: (serverId: string, number: number): Result<void> =>
      withFile((store) => store.deleteReport(serverId, number)),

    withdraw: (serverId: string, fault: string): Result<void> =>
      withFile((store) => store.withdraw(serverId, fault, now().toISOString())),

    ...createAccepting(options, withFile),
  };
}

const wordingOf = ({ fault, reason, accepted, until }: AcceptedFault): string =>
  JSON.stringify([fault, reason, accepted, until]);

const holdingToday = (accepted: readonly AcceptedFault[], today: string): ReadonlySet<string> =>
  new Set(accepted.flatMap((each) => (hasEnded(each, today) ? [] : [each.fault])));

/** Makes what accepts faults: one of a report, or those of a file as the command writes it. */
function createAccepting(
  { kept, reportOf, chooseFile, references, now }: Options,
  withFile: <T>(work: (store: ReportStore) => T) => Result<T>,
) {
  /** A person may paste what the server sent. */
  const withoutSecrets = (text: string): string =>
    createSecretNames().text(redactText(text, references)).slice(0, longestReason);

  return {
    accept({ serverId, number, fault: id, reason, until }: Accepting): Result<void> {
      const report = reportOf(serverId, number);
      const fault = report && faultsOf(report).find((each) => each.id === id);
      if (!fault) return noReport();
      const at = now().toISOString();
      const row = { fault: id, case: fault.caseId, reason: withoutSecrets(reason), until, acceptedAt: at };
      return withFile((store) => store.accept(serverId, [row], at));
    },

    /** Writes what is accepted of a server as `check --baseline` reads it. */
    async exportAccepted(serverId: string): Promise<Result<{ exported: boolean }>> {
      // Nobody is asked for a file for a server without a report.
      if (!reportOf(serverId)) return noReport();
      return writeChosen(chooseFile, 'export-accepted', () => writeAcceptedFaults(kept()?.accepted(serverId) ?? []));
    },

    /** Accepts what a file accepts that `check --accept` wrote. What is accepted already in the same way stays. */
    async importAccepted(serverId: string): Promise<Result<{ imported?: number }>> {
      if (!reportOf(serverId)) return noReport();
      const file = await chooseFile('import-accepted');
      if (file === undefined) return ok({});
      const content = await readLimited(file, largestBaselineBytes);
      if (!content.ok) return fail({ kind: 'import-refused', reason: content.reason, detail: content.code });
      const read = readAcceptedFaults(content.content.toString('utf8'));
      if (!read.ok) return fail({ kind: 'import-refused', reason: 'not-accepted', detail: read.sentence });
      return withFile((store) => {
        const known = new Set(store.accepted(serverId).map(wordingOf));
        const rows = read.accepted
          .map(({ fault, case: caseId, reason, accepted, until }) => ({
            fault,
            case: caseId,
            reason: withoutSecrets(reason),
            accepted,
            acceptedAt: `${accepted}T00:00:00.000Z`,
            until,
          }))
          .filter((each) => !known.has(wordingOf(each)));
        store.accept(serverId, rows, now().toISOString());
        return { imported: rows.length };
      });
    },
  };
}
