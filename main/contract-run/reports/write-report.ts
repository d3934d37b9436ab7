import type { Report } from '../../../preload/contract/contract-report.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';

/** The forms a report is written in. */
export const reportForms = ['md', 'html', 'json', 'junit'] as const;
export type ReportForm = (typeof reportForms)[number];

const writers: Record<ReportForm, (report: Report, language: 'en' | 'es') => string> = {
  md: markdownReport,
  html: htmlReport,
  json: jsonReport,
  junit: junitReport,
};

/** A report in one of its forms; JSON has ids and values, so it is the same in every language. */
export function writeReport(form: ReportForm, report: Report, language: 'en' | 'es'): string {
  return writers[form](report, language);
}
