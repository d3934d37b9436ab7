import { randomBytes } from 'node:crypto';
import type { Report, ReportComparison } from '../../preload/contract/contract-report.ts';
import type { CaseId } from '../../preload/contract/report-cases.ts';
import { casesById } from '../contract-run/plan.ts';
import type { RunInput } from '../contract-run/run.ts';
import { compareWithOriginal } from '../double/compare-double.ts';
import { proveDouble } from '../double/prove-double.ts';
import { ofCase, type Capsule } from './capsule.ts';

type CapsuleRun = {
  /** What the double showed of the case, as a report. */
  report: Report;
  comparison: ReportComparison;
  /** Whether the double showed what was seen at its original. */
  isSame: boolean;
};

type Ran = { ok: true; run: CapsuleRun } | { ok: false; message: string };

/**
 * Says which cases have to be run for one: itself, and all of the run where it looks back at every call. Others that it
 * needs go along by themselves.
 */
const casesFor = (caseId: CaseId, { options }: Report): CaseId[] | undefined =>
  casesById.get(caseId)?.when === 'at-end' ? options.only : [caseId];

/**
 * Starts the double of a capsule's model on loopback, runs its case there, and compares what is seen with what was. The
 * double ends with that, and nothing of it is kept. Nobody else is asked.
 */
export async function runCapsule(capsule: Capsule, how: Pick<RunInput, 'signal' | 'clock'> = {}): Promise<Ran> {
  const { model, report, caseId } = capsule;
  // The service is loaded by whoever wants to see the case.
  const { startDouble } = await import('../service/double/start-double.ts');
  // Limits that were not measured would only make this wait.
  const started = await startDouble(model, { isLimited: model.rules.failedLogins.calls.length > 0, port: 0 });
  if (!started.ok) return started;
  const { service } = started;
  try {
    // The run had an account, whose password is in no capsule.
    const account =
      report.givenAccount === undefined
        ? undefined
        : {
            email: `capsule-${randomBytes(4).toString('hex')}@example.test`,
            password: randomBytes(18).toString('base64url'),
          };
    if (account) await service.addAccount(account);
    const wanted = { ...report, options: { ...report.options, only: casesFor(caseId, report), bail: false } };
    const proof = await proveDouble(wanted, service.baseUrl, { ...how, account });
    const seen = ofCase(proof.report, caseId);
    const comparison = withoutOldNews(compareWithOriginal(report, seen), capsule);
    const isSame = comparison.differences.length === 0 && comparison.unknown.length === 0 && seen.cases.length > 0;
    return { ok: true, run: { report: seen, comparison, isSame } };
  } finally {
    await service.close();
  }
}

/** Leaves out what other cases of the original run had found first. */
const withoutOldNews = (comparison: ReportComparison, { foundElsewhere }: Capsule): ReportComparison => ({
  ...comparison,
  differences: comparison.differences.filter(
    (each) => each.kind !== 'finding' || each.change !== 'new' || !foundElsewhere.includes(each.id),
  ),
});
