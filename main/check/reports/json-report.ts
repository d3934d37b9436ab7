import { z } from 'zod';
import { reportRows } from '../../../preload/contract/report-rows.ts';
import { Report } from '../../../preload/contract/report.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import { textWorker, type Job } from '../../client/text-worker.ts';
import { exceededJsonLimit } from '../../files/json-limits.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { verdictOfReport, type ClassifiedFault } from '../accepted-faults.ts';
import { formatPlainText } from './document.ts';

const reportVersion = Report.shape.version.value;

/**
 * Writes a report as JSON, as {@link reportSchema} describes it.
 * @param judged its faults, with what was accepted of them; the file then has the verdict too
 */
export function renderJsonReport(report: Report, _language?: string, judged?: readonly ClassifiedFault[]): string {
  if (!judged) return `${JSON.stringify(report, undefined, 2)}\n`;
  const { schema, version, ...rest } = report;
  const verdict = verdictOfReport(report, judged);
  const sentence = formatPlainText(
    createReportFormatter('en').runVerdict(verdict, report.baseUrl),
    createSecretNames().text,
  );
  const accepted = judged.flatMap(({ acceptance }) => acceptance ?? []);
  const written: Report = {
    schema,
    version,
    verdict: { ...verdict, sentence },
    problems: problemsOf(report, accepted),
    ...rest,
    ...(accepted.length > 0 && { accepted }),
  };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

function problemsOf(report: Report, accepted: readonly { fault: string }[]): Report['problems'] {
  const rows = reportRows(report, new Set(accepted.map(({ fault }) => fault)));
  return rows.flatMap(({ fault, severity, group }) =>
    group === 'problems' || group === 'notes' || group === 'accepted' ? [{ fault, severity, group }] : [],
  );
}

/** The JSON Schema 2020-12 of a report, which the build writes for other programs. */
export function reportSchema(): object {
  const schema = z.toJSONSchema(Report, { target: 'draft-2020-12', reused: 'ref' });
  // That of a shared finding holds the model that shows it again, which readers of reports pass over.
  const model = { $ref: 'https://llavero.app/schemas/model-1.json' };
  return {
    ...schema,
    properties: { ...schema.properties, model },
    $id: `https://llavero.app/schemas/report-${reportVersion}.json`,
    title: `Contract report of Llavero, version ${reportVersion}`,
  };
}

/** Why a text is not a readable report. */
type ReportProblem =
  | { kind: 'not-json' }
  | { kind: 'not-a-report' }
  /** Nested too deeply, or with too many values. */
  | { kind: 'too-large' }
  | { kind: 'other-version'; version: number }
  /** `place` is the path of the first invalid part, such as `cases.3.outcome`. */
  | { kind: 'wrong-content'; place: string };

const AnyReport = z.looseObject({ schema: z.literal('llavero-report'), version: z.int().min(1) });

type ReadReport = { ok: true; report: Report } | { ok: false; problem: ReportProblem };

/** Parses a JSON report. Never throws. */
export function readReport(text: string): ReadReport {
  if (exceededJsonLimit(text)) return { ok: false, problem: { kind: 'too-large' } };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, problem: { kind: 'not-json' } };
  }
  const any = AnyReport.safeParse(parsed);
  if (!any.success) return { ok: false, problem: { kind: 'not-a-report' } };
  const { version } = any.data;
  if (version !== reportVersion) return { ok: false, problem: { kind: 'other-version', version } };
  const read = Report.safeParse(parsed);
  if (read.success) return { ok: true, report: read.data };
  return { ok: false, problem: { kind: 'wrong-content', place: read.error.issues[0]?.path.join('.') ?? '' } };
}

export const reportJob: Job<string, ReadReport> = { name: 'report', work: readReport };

/** Parses a report on the worker thread, since anybody may have written its file. */
export async function readReportOnWorker(text: string): Promise<ReadReport> {
  return (await textWorker.run(reportJob, text)) ?? { ok: false, problem: { kind: 'too-large' } };
}

/** Why a file is not a report, to follow its name. */
export function formatReportProblem(problem: ReportProblem): string {
  switch (problem.kind) {
    case 'not-json':
      return 'it is not JSON';
    case 'too-large':
      return 'it holds too much, or is nested too deeply';
    case 'not-a-report':
      return 'it is not a contract report of Llavero';
    case 'other-version':
      return `it has version ${problem.version}, and this Llavero reads version ${reportVersion}`;
    case 'wrong-content':
      return `it is not as its version says, at ${problem.place || 'its top'}`;
    default:
      return problem satisfies never;
  }
}
