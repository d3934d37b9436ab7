import { type AcceptedFault, type Report, type RunVerdict, Severity } from '../../preload/contract/report.ts';
import type { Part, ReportWords } from '../../preload/contract/words/say-report.ts';
import { createSecretNames } from '../client/secrets/named-secrets.ts';
import { verdictOfReport, type JudgedFault } from '../contract/accepted-faults.ts';
import type { Fault } from '../contract/faults.ts';
import { measuredNothing, missingOf } from '../contract/missing.ts';
import { otherInterfaces } from '../contract/other-interfaces.ts';
import { plainText, visible } from '../contract/reports/document.ts';

/** Returns the refusals that may be due to a value of the run, and not to the server. */
const oursOf = (report: Report) =>
  report.cases
    .flatMap((result) => (result.outcome === 'failed' ? result.answers : []))
    .flatMap(({ question, value }) => (question === 'refused-for-our-value' ? [value] : []));

const sayFault = ({ what }: Fault, say: ReportWords): string =>
  what.kind === 'rule' ? say.case(what.caseId) : say.finding(what).title;

/** Names each fault that is accepted, and what was accepted and is not there any more. */
export function sayAcceptances(
  judged: readonly JudgedFault[],
  gone: readonly AcceptedFault[],
  say: ReportWords,
): string[] {
  const command = say.texts('command');
  return [
    ...judged.flatMap(({ fault, acceptance }) =>
      acceptance ? command('accepted', { fault: sayFault(fault, say), reason: visible(acceptance.reason) }) : [],
    ),
    ...gone.map(({ fault, reason }) => command('acceptedGone', { fault, reason: visible(reason) })),
  ];
}

/** Names the findings that decide nothing, and the option with which they do. */
function sayUncounted(uncounted: readonly JudgedFault[], say: ReportWords): string {
  const counts = Severity.options.flatMap((severity) => {
    const count = uncounted.filter(({ fault }) => fault.severity === severity).length;
    return count > 0 ? [{ severity, text: `${say.severity(severity)}: ${count}` }] : [];
  });
  const option = `--fail-on ${counts.at(-1)?.severity ?? ''}`;
  return say.t('command.uncounted', { found: counts.map(({ text }) => text).join(', '), option });
}

/** Says that the server may have another interface, and how that is named. */
export const otherInterfaceSentences = (report: Report, say: ReportWords, program: string): string[] =>
  otherInterfaces(report).map((name) =>
    say.texts('command')('otherInterface', { command: `${program} ${report.baseUrl} --interface ${name}` }),
  );

/**
 * Says what a run comes to, in words too.
 * @param judged its faults, of which those that are accepted fail nothing
 * @param server the server as it was typed
 * @returns the exit code, and sentences of which the first is that of every report
 */
export function outcomeOf(
  report: Report,
  failOn: readonly Severity[],
  judged: readonly JudgedFault[],
  say: ReportWords,
  program: string,
  server?: string,
): { code: RunVerdict['exitCode']; first: string; sentences: string[] } {
  const command = say.texts('command');
  const { text } = createSecretNames();
  const plain = (parts: readonly Part[]): string => plainText(parts, text);
  const verdict = verdictOfReport(report, judged);
  const { exitCode: code, kind, broken, accepted, findings } = verdict;
  const first = plain(say.runVerdict(verdict, report.baseUrl));
  if (kind === 'no-http') {
    const emails = report.accounts.map(({ email }) => email);
    const done =
      emails.length === 0 ? [say.t('report.nothingDone')] : [`${say.t('report.nothingKnown')} ${emails.join(', ')}`];
    return { code, first, sentences: done };
  }
  const unmeasured = report.cases.flatMap((result) => (result.outcome === 'not-measured' ? [result] : []));
  const refused = unmeasured.map(({ reason }) => reason).find((reason) => reason.kind === 'account-refused');
  const bugs = unmeasured.filter(({ reason }) => reason.kind === 'bug').length;
  const uncounted = judged.filter(
    ({ fault, acceptance, counts }) => fault.what.kind === 'finding' && !acceptance && !counts,
  );
  const isEnded = report.ended.kind === 'cancelled' || report.ended.kind === 'production';
  return {
    code,
    first,
    sentences: [
      ...missingOf(report, server)
        .flatMap(({ reason, cases, command: measuring }) => [
          command('missing', { reason: plain(say.notMeasured(reason)), cases: cases.join(', ') }),
          measuring === undefined ? '' : command('missingMeasure', { command: `${program} ${measuring}` }),
        ])
        .filter((sentence) => sentence !== ''),
      ...otherInterfaceSentences(report, say, program),
      plain(say.end(report.ended)),
      ...(bugs > 0 ? [command('bugs', { count: bugs })] : []),
      ...(refused ? [`${command('notJudged')} ${plain(say.notMeasured(refused))}`] : []),
      ...(!isEnded && !refused && measuredNothing(report) ? [command('nothing')] : []),
      ...(broken > accepted ? [command('failed', { count: broken - accepted })] : []),
      ...(findings > 0 ? [command('found', { count: findings, severity: say.severity(failOn.at(-1) ?? 'info') })] : []),
      ...oursOf(report).map((value) => `${command('ours')} ${plain(say.value(value))}`),
      ...(accepted > 0 ? [command('acceptedFailed', { count: accepted })] : []),
      ...(uncounted.length > 0 ? [sayUncounted(uncounted, say)] : []),
    ],
  };
}
