import XMLBuilder from 'fast-xml-builder';
import type { Report, RunVerdict } from '../../../preload/contract/report.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import {
  createReportFormatter,
  type TextPart,
  type ReportFormatter,
} from '../../../preload/contract/locales/report-formatter.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import { verdictOfReport, type ClassifiedFault } from '../accepted-faults.ts';
import { formatPlainText, escapeInvisible } from './document.ts';

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  format: true,
});

/**
 * Writes a report as JUnit XML that both Ant's schema and Jenkins' accept, a suite for each section of the interface:
 * - what fails the run is a failure of its case: a rule that is broken, and a finding that counts;
 * - a run without a server, or with an account that was refused, is one error of its own, and one in which nobody could log
 *   in a failure; a fault of ours is an error of its case, so that there are no failures and no errors where `check` ends
 *   with 0, and some where it does not;
 * - any other observed case is a test that passed, its answer in the output of the suite;
 * - what was not measured is skipped, with the reason, and so is a broken rule that was accepted;
 * - findings are properties of the suite of the case that found them; the first suite has the verdict, the names of extra
 *   headers and the described interface;
 * - the counts are those of the elements, and the root has their sums.
 */
export function renderJunitReport(report: Report, language: string, judged: readonly ClassifiedFault[] = []): string {
  const formatter = createReportFormatter(language);
  const names = createSecretNames();
  const verdict = verdictOfReport(report, judged);
  const written = (parts: readonly TextPart[]): string => formatPlainText(parts, names.text);
  const sentence = written(formatter.runVerdict(verdict, report.baseUrl));
  const cases = createTestcases({ formatter, written, judged, verdict, sentence });
  const suiteOf = createSuites(report);

  const sections = [...new Set(report.cases.map(({ section }) => section))].toSorted((a, b) => a - b);
  const ofSections = sections.map((section) => {
    const results = report.cases.filter((result) => result.section === section);
    const properties = report.findings
      .filter(({ caseId }) => results.some((result) => result.id === caseId))
      .map((finding) => ({
        '@name': `finding.${finding.id}`,
        '@value': `${formatter.severity(finding.severity)}: ${formatter.finding(finding).title}`,
      }));
    const lines = results.flatMap((result) =>
      result.kind === 'observed' ? cases.answers(result).map((answer) => `${result.id}: ${answer}`) : [],
    );
    return suiteOf(`${section}. ${formatter.section(section) ?? ''}`, results.map(cases.testcase), {
      properties: properties.length === 0 ? '' : { property: properties },
      'system-out': lines.join('\n'),
    });
  });
  const whole = cases.ofWholeRun();
  const [first, ...others] = whole.length > 0 ? [suiteOf(formatter.t('junit.run'), whole), ...ofSections] : ofSections;
  const suites = first ? [withRun(first), ...others] : [];
  const testsuite = suites.map((suite, id): Suite => Object.assign({ '@id': String(id) }, suite));

  /** The first suite has the properties of the run. */
  function withRun(suite: Omit<Suite, '@id'>): Omit<Suite, '@id'> {
    const own = suite.properties === '' ? [] : suite.properties.property;
    return {
      ...suite,
      properties: { property: [{ '@name': 'verdict', '@value': sentence }, ...propertiesOf(report), ...own] },
      'system-err': report.ended.kind === 'complete' ? '' : written(formatter.end(report.ended)),
    };
  }

  const xml = builder.build({
    testsuites: { ...totalsOf(testsuite), ...(testsuite.length > 0 && { testsuite }) },
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}

/** Verdicts that are not the fault of one case. */
const ofRun: Partial<Record<RunVerdict['kind'], 'failure' | 'error'>> = {
  'no-http': 'error',
  'account-refused': 'error',
  stopped: 'error',
  ended: 'failure',
  'no-login': 'failure',
  'not-tested': 'failure',
};

type Testcase = {
  '@name': string;
  '@classname': string;
  '@time': string;
  failure?: object;
  error?: object;
  skipped?: object;
};

type Suite = Record<
  | '@id'
  | '@package'
  | '@name'
  | '@hostname'
  | '@timestamp'
  | '@tests'
  | '@failures'
  | '@errors'
  | '@skipped'
  | '@time'
  | 'system-out'
  | 'system-err',
  string
> & { properties: '' | { property: Property[] }; testcase: readonly Testcase[] };

const totals = ['@tests', '@failures', '@errors', '@skipped'] as const;

/** The sums of all suites, which viewers show first. */
const totalsOf = (suites: readonly Record<(typeof totals)[number] | '@time', string>[]): Record<string, string> => {
  const sum = (name: (typeof totals)[number] | '@time') => suites.reduce((all, suite) => all + Number(suite[name]), 0);
  return { ...Object.fromEntries(totals.map((name) => [name, String(sum(name))])), '@time': sum('@time').toFixed(3) };
};

function propertiesOf({ serverName, interface: described, extraHeaders }: Report): Property[] {
  const values = {
    server: serverName,
    interface: described && interfaceLine(described),
    'extra-headers': extraHeaders?.join(', '),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [{ '@name': name, '@value': escapeInvisible(value) }],
  );
}

type Property = { '@name': string; '@value': string };

const interfaceLine = ({ name, digest, calls }: NonNullable<Report['interface']>): string =>
  [name, ...Object.values(calls), `SHA-256 ${digest}`].join(', ');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

type TestcaseContext = {
  formatter: ReportFormatter;
  written: (parts: readonly TextPart[]) => string;
  judged: readonly ClassifiedFault[];
  verdict: RunVerdict;
  /** The headline of the report. */
  sentence: string;
};

/** The tests of the cases, and those of the whole run. */
function createTestcases({ formatter, written, judged, verdict, sentence }: TestcaseContext) {
  const answers = (result: CaseResult): string[] =>
    result.outcome === 'not-measured'
      ? []
      : result.answers.map((answer) => `${formatter.question(answer)}: ${written(formatter.value(answer.value))}`);

  const judgedOf = (id: CaseResult['id']) => judged.find(({ fault }) => fault.id === `rule:${id}`);

  /** The failure of a case: its requirement, and its findings that fail the run. */
  function failureOf(result: CaseResult): object | undefined {
    const isBroken = result.outcome === 'failed' && !judgedOf(result.id)?.acceptance;
    const found = judged.filter(
      ({ fault, failsCheck }) => failsCheck && fault.caseId === result.id && fault.what.kind === 'finding',
    );
    if (!isBroken && found.length === 0) return undefined;
    const messages = [
      ...(isBroken ? [`${formatter.t('outcomes.failed')}: ${formatter.case(result.id)}`] : []),
      ...found.map(({ fault: { what, severity } }) =>
        what.kind === 'finding' ? `${formatter.severity(severity)}: ${formatter.finding(what).title}` : '',
      ),
    ];
    return {
      '@message': messages.join('; '),
      '@type': isBroken ? 'stated' : 'finding',
      '#text': answers(result).join('\n'),
    };
  }

  function testcase(result: CaseResult): Testcase {
    const about = { '@name': formatter.case(result.id), '@classname': result.id, '@time': seconds(result.durationMs) };
    const failure = failureOf(result);
    if (failure) return { ...about, failure };
    const acceptance = judgedOf(result.id)?.acceptance;
    if (acceptance) {
      const message = formatter.t('command.accepted', {
        fault: formatter.case(result.id),
        reason: escapeInvisible(acceptance.reason),
      });
      return { ...about, skipped: { '@message': message } };
    }
    if (result.outcome !== 'not-measured') return about;
    const message = written(formatter.notMeasured(result.reason));
    return result.reason.kind === 'bug'
      ? { ...about, error: { '@message': message, '@type': 'bug' } }
      : { ...about, skipped: { '@message': message } };
  }

  /** Failures that are not the fault of one case: no login succeeded, or there is no server. */
  function ofWholeRun(): Testcase[] {
    const how = ofRun[verdict.kind];
    const isSaid = verdict.kind === 'no-login' && judgedOf('login.right-credentials')?.failsCheck;
    if (!how || isSaid) return [];
    const about = { '@name': formatter.t('junit.run'), '@classname': 'run', '@time': seconds(0) };
    return [{ ...about, [how]: { '@message': sentence, '@type': verdict.kind } }];
  }

  return { answers, testcase, ofWholeRun };
}

const createSuites =
  (report: Report) =>
  (name: string, testcases: readonly Testcase[], more: Partial<Suite> = {}): Omit<Suite, '@id'> => {
    const count = (what: 'failure' | 'error' | 'skipped'): string =>
      String(testcases.filter((each) => what in each).length);
    return {
      '@package': 'interface',
      '@name': name,
      '@hostname': hostOf(report.baseUrl),
      '@timestamp': report.startedAt.slice(0, 19),
      '@tests': String(testcases.length),
      '@failures': count('failure'),
      '@errors': count('error'),
      '@skipped': count('skipped'),
      '@time': seconds(testcases.reduce((sum, each) => sum + 1000 * Number(each['@time']), 0)),
      properties: '',
      testcase: testcases,
      'system-out': '',
      'system-err': '',
      ...more,
    };
  };
