import type { Report } from '../../../preload/contract/report.ts';
import type { ReportForm } from '../../../preload/contract/names.ts';
import { renderHtmlReport } from './html-report.ts';
import { renderJsonReport } from './json-report.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';
import { renderJunitReport } from './junit-report.ts';
import { renderMarkdownReport } from './markdown-report.ts';

const writers: Record<ReportForm, (report: Report, language: string, judged?: readonly ClassifiedFault[]) => string> = {
  markdown: renderMarkdownReport,
  html: renderHtmlReport,
  json: renderJsonReport,
  junit: renderJunitReport,
};

/**
 * Renders a report. JSON has ids and values, and is the same in every language.
 * @param judged its faults, with those that were accepted
 */
export function renderReport(
  form: ReportForm,
  report: Report,
  language: string,
  judged?: readonly ClassifiedFault[],
): string {
  return writers[form](report, language, judged);
}
