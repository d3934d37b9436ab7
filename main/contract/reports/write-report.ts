import type { Report } from '../../../preload/contract/report.ts';
import type { ReportForm } from '../../../preload/contract/names.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import type { JudgedFault } from '../accepted-faults.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';

const writers: Record<ReportForm, (report: Report, language: string, judged?: readonly JudgedFault[]) => string> = {
  markdown: markdownReport,
  html: htmlReport,
  json: jsonReport,
  junit: junitReport,
};

/**
 * Writes a report in one of its forms. JSON has ids and values, so it is the same in every language.
 * @param judged what was accepted of its faults
 */
export function writeReport(
  form: ReportForm,
  report: Report,
  language: string,
  judged?: readonly JudgedFault[],
): string {
  return writers[form](report, language, judged);
}
