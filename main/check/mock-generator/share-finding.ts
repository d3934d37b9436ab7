import type { CompletedRun } from './mock-inference.ts';
import type { Report, FindingId } from '../../../preload/contract/report.ts';
import type { SharedMockStatus } from '../../../preload/contract/local-servers.ts';
import { renderJsonReport } from '../reports/json-report.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import { parseMockFile } from '../../service/mock/load-mock-file.ts';
import { casesNeverMocked } from './verify-mock.ts';
import { generateMock } from './generate-mock.ts';

type Shared = {
  /** A report of the finding as JSON. */
  text: string;
  model: SharedMockStatus;
};

/**
 * Writes a report of one finding, with the model of its server in it, by which `serve --mock` plays the server. A
 * report without a model is written too; `model` says why it has no model.
 * @param report the report of the run that found it
 * @param measured all that this run saw, while it is in memory
 * @returns undefined where the report has no such finding
 */
export async function shareFinding(
  report: Report,
  findingId: FindingId,
  measured: CompletedRun | undefined,
): Promise<Shared | undefined> {
  const finding = report.findings.find(({ id }) => id === findingId);
  if (!finding) return undefined;
  const its = ofFinding(report, finding);
  const without = (model: Exclude<SharedMockStatus, 'included'>): Shared => ({ text: renderJsonReport(its), model });
  if (casesNeverMocked.has(finding.caseId)) return without('not-imitated');
  // A report alone has no tokens and no passwords, so nothing can be learned of it.
  if (!measured) return without('not-in-memory');
  const learned = await generateMock(measured);
  if (!learned.ok) return without('not-learned');
  const text = textWith(its, learned.model);
  // What is too large to be read again is not promised.
  return parseMockFile(text).ok ? { text, model: 'included' } : without('not-learned');
}

const textWith = (report: Report, model: MockDefinition): string =>
  `${JSON.stringify({ ...report, model }, null, 1)}\n`;

/** Returns what a report says of one finding: the finding, its case, and the calls that show it. */
function ofFinding(report: Report, finding: Report['findings'][number]): Report {
  const cases = report.cases.filter(({ id }) => id === finding.caseId);
  const shown = new Set([...finding.calls, ...cases.flatMap(({ calls }) => calls)]);
  const evidence = report.evidence.filter(({ id }) => shown.has(id));
  return {
    ...report,
    calls: evidence.length,
    accounts: [],
    cases,
    findings: [finding],
    evidence,
  };
}
