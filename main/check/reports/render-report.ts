import type { ReportForm } from '../../../preload/contract/names.ts';
import type { Report } from '../../../preload/contract/report.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';

type Renderer = (report: Report, language: string, classified?: readonly ClassifiedFault[]) => string;

/** Loaded with its libraries when a report of its format is written. */
const renderers: Record<ReportForm, () => Promise<Renderer>> = {
  markdown: async () => (await import('./markdown-report.ts')).renderMarkdownReport,
  html: async () => (await import('./html-report.ts')).renderHtmlReport,
  json: async () => (await import('./json-report.ts')).renderJsonReport,
  junit: async () => (await import('./junit-report.ts')).renderJunitReport,
};

/**
 * Renders a report. JSON has ids and values, and is the same in every language.
 * @param classified its faults, with those that were accepted
 */
export async function renderReport(
  form: ReportForm,
  report: Report,
  language: string,
  classified?: readonly ClassifiedFault[],
): Promise<string> {
  const render = await renderers[form]();
  return render(report, language, classified);
}
