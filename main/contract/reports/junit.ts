import XMLBuilder from 'fast-xml-builder';
import type { Report } from '../../../preload/contract/report.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import { reportWords, type Part } from '../../../preload/contract/words/say-report.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import type { JudgedFault } from '../accepted-faults.ts';
import { plainText, visible } from './document.ts';

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  format: true,
});

/**
 * Writes a report as JUnit XML that both Ant's schema and Jenkins' accept, a suite for each section of the interface:
 * - a stated case that failed is a failure, and a fault of ours an error;
 * - an observed case is a test that passed, its answer in the output of the suite;
 * - what was not measured is skipped, with the reason, and so is a broken rule that was accepted;
 * - findings are properties of the suite of the case that found them; the first suite has the names of extra headers and
 *   the described interface;
 * - the counts are those of the elements, and the root has their sums.
 */
export function junitReport(report: Report, language: string, judged: readonly JudgedFault[] = []): string {
  const say = reportWords(language);
  const names = createSecretNames();
  const written = (parts: readonly Part[]): string => plainText(parts, names.text);
  const answers = (result: CaseResult): string[] =>
    result.outcome === 'not-measured'
      ? []
      : result.answers.map((answer) => `${say.question(answer)}: ${written(say.value(answer.value))}`);

  const acceptanceOf = (id: CaseResult['id']) =>
    judged.find(({ fault, acceptance }) => acceptance && fault.id === `rule:${id}`)?.acceptance;

  function testcase(result: CaseResult): object {
    const about = { '@name': say.case(result.id), '@classname': result.id, '@time': seconds(result.durationMs) };
    const acceptance = acceptanceOf(result.id);
    if (acceptance) {
      const message = say.t('command.accepted', {
        fault: say.case(result.id),
        reason: visible(acceptance.reason),
      });
      return { ...about, skipped: { '@message': message } };
    }
    if (result.outcome === 'failed') {
      const message = `${say.t('outcomes.failed')}: ${say.case(result.id)}`;
      return { ...about, failure: { '@message': message, '@type': 'stated', '#text': answers(result).join('\n') } };
    }
    if (result.outcome !== 'not-measured') return about;
    const message = written(say.notMeasured(result.reason));
    return result.reason.kind === 'bug'
      ? { ...about, error: { '@message': message, '@type': 'bug' } }
      : { ...about, skipped: { '@message': message } };
  }

  const sections = [...new Set(report.cases.map(({ section }) => section))].toSorted((a, b) => a - b);
  const testsuite = sections.map((section, id) => {
    const results = report.cases.filter((result) => result.section === section);
    const errors = results.filter((result) => result.outcome === 'not-measured' && result.reason.kind === 'bug').length;
    const accepted = results.filter(({ id }) => acceptanceOf(id)).length;
    const unmeasured = results.filter(({ outcome }) => outcome === 'not-measured').length;
    const found = report.findings.filter(({ caseId }) => results.some((result) => result.id === caseId));
    const properties = [
      ...(section === sections[0] ? propertiesOf(report) : []),
      ...found.map((finding) => ({
        '@name': `finding.${finding.id}`,
        '@value': `${say.severity(finding.severity)}: ${say.finding(finding).title}`,
      })),
    ];
    const lines = results.flatMap((result) =>
      result.kind === 'observed' ? answers(result).map((answer) => `${result.id}: ${answer}`) : [],
    );
    return {
      '@id': String(id),
      '@package': 'interface',
      '@name': `${section}. ${sectionName(section)}`,
      '@hostname': hostOf(report.baseUrl),
      '@timestamp': report.startedAt.slice(0, 19),
      '@tests': String(results.length),
      '@failures': String(results.filter(({ outcome }) => outcome === 'failed').length - accepted),
      '@errors': String(errors),
      '@skipped': String(unmeasured - errors + accepted),
      '@time': seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
      properties: properties.length === 0 ? '' : { property: properties },
      testcase: results.map(testcase),
      'system-out': lines.join('\n'),
      'system-err': section === sections[0] && report.ended.kind !== 'complete' ? written(say.end(report.ended)) : '',
    };
  });

  function sectionName(section: number): string {
    return say.section(section) ?? '';
  }

  const xml = builder.build({ testsuites: { ...totalsOf(testsuite), ...(testsuite.length > 0 && { testsuite }) } });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}

const totals = ['@tests', '@failures', '@errors', '@skipped'] as const;

/** The sums of all suites, which readers of JUnit show first. */
const totalsOf = (suites: readonly Record<(typeof totals)[number] | '@time', string>[]): Record<string, string> => {
  const sum = (name: (typeof totals)[number] | '@time') => suites.reduce((all, suite) => all + Number(suite[name]), 0);
  return { ...Object.fromEntries(totals.map((name) => [name, String(sum(name))])), '@time': sum('@time').toFixed(3) };
};

/** What is said once of a run, with its first suite. */
function propertiesOf({ serverName, interface: described, extraHeaders }: Report): Property[] {
  const values = {
    server: serverName,
    interface: described && interfaceLine(described),
    'extra-headers': extraHeaders?.join(', '),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [{ '@name': name, '@value': visible(value) }],
  );
}

type Property = { '@name': string; '@value': string };

const interfaceLine = ({ name, digest, calls }: NonNullable<Report['interface']>): string =>
  [name, ...Object.values(calls), `SHA-256 ${digest}`].join(', ');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
