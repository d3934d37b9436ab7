import { type AcceptedFault, type Report, Severity } from '../../preload/contract/report.ts';
import type { Part, ReportWords } from '../../preload/contract/words/say-report.ts';
import { createSecretNames } from '../client/secrets/named-secrets.ts';
import type { JudgedFault } from '../contract/accepted-faults.ts';
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
 * Says what a run comes to, in words too. A run that measured nothing does not pass.
 * @param judged its faults, of which those that are accepted fail nothing
 * @param server the server as it was typed
 */
export function outcomeOf(
  report: Report,
  failOn: readonly Severity[],
  judged: readonly JudgedFault[],
  say: ReportWords,
  program: string,
  server?: string,
): { code: 0 | 1 | 3 | 4; sentences: string[] } {
  const command = say.texts('command');
  const { text } = createSecretNames();
  const plain = (parts: readonly Part[]): string => plainText(parts, text);
  const unmeasured = report.cases.flatMap((result) => (result.outcome === 'not-measured' ? [result] : []));
  const refused = unmeasured.map(({ reason }) => reason).find(({ kind }) => kind === 'account-refused');
  const bugs = unmeasured.filter(({ reason }) => reason.kind === 'bug').length;
  const broken = judged.filter(({ fault }) => fault.what.kind === 'rule');
  const failed = broken.filter(({ acceptance }) => !acceptance).length;
  const found = judged.filter(
    ({ fault, acceptance }) => fault.what.kind === 'finding' && !acceptance && failOn.includes(fault.severity),
  ).length;
  const uncounted = judged.filter(
    ({ fault, acceptance }) => fault.what.kind === 'finding' && !acceptance && !failOn.includes(fault.severity),
  );
  const isEnded = report.ended.kind === 'cancelled' || report.ended.kind === 'production';
  const isNothing = !isEnded && measuredNothing(report);

  const reasons: readonly (readonly [applies: boolean, code: 1 | 3 | 4, sentence: string])[] = [
    [bugs > 0, 4, command('bugs', { count: bugs })],
    [report.ended.kind === 'unreachable', 3, ''],
    [refused !== undefined, 3, refused ? `${command('notJudged')} ${plain(say.notMeasured(refused))}` : ''],
    [isNothing && !refused && report.ended.kind !== 'unreachable', 3, command('nothing')],
    [failed > 0, 1, command('failed', { count: failed })],
    [found > 0, 1, command('found', { count: found, severity: say.severity(failOn.at(-1) ?? 'info') })],
    [isEnded, 1, ''],
  ];
  const applying = reasons.filter(([applies]) => applies);
  return {
    code: applying[0]?.[1] ?? 0,
    sentences: [
      ...missingOf(report, server)
        .flatMap(({ reason, cases, command: measuring }) => [
          command('missing', { reason: plain(say.notMeasured(reason)), cases: cases.join(', ') }),
          measuring === undefined ? '' : command('missingMeasure', { command: `${program} ${measuring}` }),
        ])
        .filter((sentence) => sentence !== ''),
      ...otherInterfaceSentences(report, say, program),
      plain(say.end(report.ended)),
      ...applying.map(([, , sentence]) => sentence).filter((sentence) => sentence !== ''),
      ...oursOf(report).map((value) => `${command('ours')} ${plain(say.value(value))}`),
      ...(failed < broken.length ? [command('acceptedFailed', { count: broken.length - failed })] : []),
      ...(broken.length === 0 && !isNothing && !refused && report.ended.kind !== 'unreachable'
        ? [command('passed')]
        : []),
      ...(uncounted.length > 0 ? [sayUncounted(uncounted, say)] : []),
    ],
  };
}
