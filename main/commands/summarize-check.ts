import type { AcceptedFault, Report, RunVerdict } from '../../preload/contract/report.ts';
import { bySeverity } from '../../preload/contract/severities.ts';
import type { TextPart, ReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { createSecretNames } from '../client/secrets/named-secrets.ts';
import { verdictOfReport, type ClassifiedFault } from '../check/accepted-faults.ts';
import type { CheckFault } from '../check/check-faults.ts';
import { hasNoResults, groupUntestedCases } from '../check/untested-cases.ts';
import { suggestInterfaces } from '../check/suggest-interfaces.ts';
import { formatPlainText, escapeInvisible } from '../check/reports/document.ts';

/** The refusals that may be due to a value that the check sent, and not to the server. */
const refusalsOfOurValues = (report: Report) =>
  report.cases
    .flatMap((result) => (result.outcome === 'failed' ? result.answers : []))
    .flatMap(({ question, value }) => (question === 'refused-for-our-value' ? [value] : []));

const formatFault = ({ what }: CheckFault, formatter: ReportFormatter): string =>
  what.kind === 'rule' ? formatter.case(what.caseId) : formatter.finding(what).title;

/** A line for each accepted fault, and for each accepted one that is fixed. */
export function formatAcceptances(
  classified: readonly ClassifiedFault[],
  fixed: readonly AcceptedFault[],
  formatter: ReportFormatter,
): string[] {
  const command = formatter.texts('command');
  return [
    ...classified.flatMap(({ fault, acceptance }) =>
      acceptance
        ? command('accepted', { fault: formatFault(fault, formatter), reason: escapeInvisible(acceptance.reason) })
        : [],
    ),
    ...fixed.map(({ fault, reason }) => command('acceptedGone', { fault, reason: escapeInvisible(reason) })),
  ];
}

/** How many findings do not fail the check, and the option with which they would. */
function formatUncountedFindings(uncounted: readonly ClassifiedFault[], formatter: ReportFormatter): string {
  const least =
    uncounted
      .map(({ fault }) => fault.severity)
      .toSorted(bySeverity)
      .at(-1) ?? 'low';
  return formatter.t('command.uncounted', { count: uncounted.length, option: `--fail-on ${least}` });
}

/** A line for each other API type that the server may have, with the command that checks it so. */
export const formatSuggestedInterfaces = (report: Report, formatter: ReportFormatter, program: string): string[] =>
  suggestInterfaces(report).map((name) =>
    formatter.texts('command')('otherInterface', { command: `${program} ${report.baseUrl} --interface ${name}` }),
  );

/**
 * The outcome of a check.
 * @param classified its faults; accepted ones do not fail the check
 * @param server the server and its API type, as options
 * @returns the exit code, notes, and the headline of every report
 */
export function summarizeCheck(
  report: Report,
  classified: readonly ClassifiedFault[],
  formatter: ReportFormatter,
  program: string,
  server?: string,
): { code: RunVerdict['exitCode']; headline: string; sentences: string[] } {
  const command = formatter.texts('command');
  const { text } = createSecretNames();
  const plain = (parts: readonly TextPart[]): string => formatPlainText(parts, text);
  const verdict = verdictOfReport(report, classified);
  const { exitCode: code, kind } = verdict;
  const headline = plain(formatter.runVerdict(verdict, report.baseUrl));
  if (kind === 'no-http') {
    const emails = report.accounts.map(({ email }) => email);
    const done =
      emails.length === 0
        ? [formatter.t('report.nothingDone')]
        : [`${formatter.t('report.nothingKnown')} ${emails.join(', ')}`];
    return { code, headline, sentences: done };
  }
  const unmeasured = report.cases.flatMap((result) => (result.outcome === 'not-measured' ? [result] : []));
  const refused = unmeasured.map(({ reason }) => reason).find((reason) => reason.kind === 'account-refused');
  const bugs = unmeasured.filter(({ reason }) => reason.kind === 'bug').length;
  const uncounted = classified.filter(
    ({ fault, acceptance, failsCheck }) => fault.what.kind === 'finding' && !acceptance && !failsCheck,
  );
  const isEnded = report.ended.kind === 'cancelled' || report.ended.kind === 'production';
  return {
    code,
    headline,
    sentences: [
      ...groupUntestedCases(report, server)
        .flatMap(({ reason, cases, command: measuring }) => [
          command('missing', { reason: plain(formatter.notMeasured(reason)), cases: cases.join(', ') }),
          measuring === undefined ? '' : command('missingMeasure', { command: `${program} ${measuring}` }),
        ])
        .filter((sentence) => sentence !== ''),
      ...formatSuggestedInterfaces(report, formatter, program),
      plain(formatter.end(report.ended)),
      ...(bugs > 0 ? [command('bugs', { count: bugs })] : []),
      ...(refused ? [`${command('notJudged')} ${plain(formatter.notMeasured(refused))}`] : []),
      ...(!isEnded && !refused && hasNoResults(report) ? [command('nothing')] : []),
      ...refusalsOfOurValues(report).map((value) => `${command('ours')} ${plain(formatter.value(value))}`),
      ...(uncounted.length > 0 ? [formatUncountedFindings(uncounted, formatter)] : []),
    ],
  };
}
