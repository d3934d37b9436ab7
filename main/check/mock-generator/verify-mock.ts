import type { Report, ReportComparison, FindingId } from '../../../preload/contract/report.ts';
import type { CaseId, CaseResult } from '../../../preload/contract/report-cases.ts';
import { compareReports } from '../compare-reports.ts';
import { allowedHeaders } from '../../service/mock/allowed-headers.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import { createTransport } from '../../client/transport.ts';
import { createRun, type RunInput } from '../run.ts';

/** The cases that no mock shows: it speaks plain HTTP on loopback, and lets no page of another origin read its answers. */
export const casesNeverMocked: ReadonlySet<CaseId> = new Set(['transport.encryption', 'headers.cors']);
const findingsOfThem: ReadonlySet<FindingId> = new Set([
  'plain-http',
  'old-tls',
  'certificate-ends-soon',
  'any-origin-with-credentials',
]);

const byChance: CaseId = 'token.same-second';

const isMocked = (header: string): boolean => allowedHeaders.some((name) => name === header.toLowerCase());

function withoutHeaders(result: CaseResult): CaseResult {
  if (result.outcome === 'not-measured') return result;
  return {
    ...result,
    answers: result.answers.map((answer) =>
      answer.value.kind === 'headers'
        ? { ...answer, value: { ...answer.value, headers: answer.value.headers.filter(([name]) => isMocked(name)) } }
        : answer,
    ),
  };
}

/** The cases about emails, which a mock does not send: it takes no time for them. */
const findingOfMailCase: Partial<Record<CaseId, FindingId>> = {
  'forgot-password.told-apart': 'unknown-email-by-reset',
  'resend-confirmation.told-apart': 'unknown-email-by-resend',
};

const withoutMailTimes = (result: CaseResult): CaseResult =>
  result.outcome === 'not-measured' || !findingOfMailCase[result.id]
    ? result
    : { ...result, answers: result.answers.filter(({ value }) => value.kind !== 'times') };

/** The findings of those cases that rest on times alone. */
function findingsByMailTimes({ cases }: Report): Set<FindingId> {
  return new Set(
    cases.flatMap((result) => {
      const finding = findingOfMailCase[result.id];
      const isByAnswer =
        result.outcome !== 'not-measured' && result.answers.some(({ value }) => value.kind === 'flag' && value.yes);
      return finding === undefined || isByAnswer ? [] : [finding];
    }),
  );
}

/** A report without what no mock shows, on purpose, and what is chance. */
function comparable(report: Report, leftOut: ReadonlySet<CaseId>): Report {
  const byMailTimes = findingsByMailTimes(report);
  const cases = report.cases.filter(({ id }) => !leftOut.has(id));
  return {
    ...report,
    cases: cases.map((each) => withoutMailTimes(withoutHeaders(each))),
    findings: report.findings.filter(({ id }) => !findingsOfThem.has(id) && !byMailTimes.has(id)),
  };
}

/** Whether a run had no two logins within one second, which is chance. */
const hadNoTwoAtOnce = ({ cases }: Report): boolean =>
  cases.some(
    ({ id, ...result }) =>
      id === byChance &&
      'answers' in result &&
      result.answers.some(({ value }) => value.kind === 'none' && value.why === 'no-two-at-once'),
  );

/** Compares the report of a mock with that of its original by meaning. */
function compareWithOriginal(original: Report, mock: Report): ReportComparison {
  const isChance = hadNoTwoAtOnce(original) || hadNoTwoAtOnce(mock);
  const leftOut = new Set([...casesNeverMocked, ...(isChance ? [byChance] : [])]);
  const [before, after] = [comparable(original, leftOut), comparable(mock, leftOut)];
  const measured = new Set(after.cases.flatMap(({ id, outcome }) => (outcome === 'not-measured' ? [] : [id])));
  const both = before.cases.filter(({ id, outcome }) => outcome !== 'not-measured' && measured.has(id));
  const parts = [...new Set(both.map(({ id }) => id.split('.', 1)[0] ?? ''))];
  return { ...compareReports(before, after), sent: { calls: new Set(both.flatMap(({ calls }) => calls)).size, parts } };
}

/** A mock is on this computer and needs no pause. */
const callsPerSecond = 100;

type MockVerificationResult = { report: Report; comparison: ReportComparison };

/**
 * Checks a mock as its original was checked, and compares the two reports by meaning.
 *
 * @param original the report of the run that the mock was generated from
 * @param baseUrl where the mock answers
 */
export async function verifyMock(
  original: Report,
  baseUrl: string,
  {
    signal,
    account,
    clock,
    paths,
    onProgress,
    interface: description,
  }: Pick<RunInput, 'signal' | 'account' | 'clock' | 'paths' | 'onProgress'> & Pick<MockDefinition, 'interface'> = {},
): Promise<MockVerificationResult> {
  const transport = createTransport({});
  try {
    const { start } = createRun({
      transport,
      baseUrl,
      toolVersion: original.toolVersion,
      options: { ...original.options, callsPerSecond },
      isInterfaceChosen: original.cases.some(({ id, kind }) => id === 'token.form' && kind === 'stated'),
      account,
      paths,
      ...(onProgress && { onProgress }),
      ...(description && { adapter: new ApiAdapter(description, baseUrl) }),
      ...(signal && { signal }),
      ...(clock && { clock }),
    });
    const report = await start();
    return { report, comparison: compareWithOriginal(original, report) };
  } finally {
    transport.close();
  }
}
