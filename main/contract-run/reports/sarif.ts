import type { Report } from '../../../preload/contract/contract-report.ts';
import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import type { Severity } from '../../../preload/contract/report-findings.ts';
import { reportWords, type Part } from '../../../preload/contract/words/say-report.ts';
import { createSecretNames } from '../../secrets/named-secrets.ts';
import { judgeFaults, type JudgedFault } from '../accepted-faults.ts';
import type { Fault } from '../faults.ts';
import { plainText, visible } from './document.ts';

const levels = { high: 'error', medium: 'warning', low: 'note', info: 'none' } as const satisfies Record<
  Severity,
  string
>;

/** In the middle of the bands by which GitHub names a severity: high from 7.0, medium from 4.0. */
const scores: Record<Severity, string> = { high: '8.0', medium: '5.5', low: '3.0', info: '0.0' };

/** The name of the place that all addresses of results begin at. */
const base = 'SERVER';

/**
 * Writes the faults of a report as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): a result for each, with
 * a rule for each kind. The address of the call that shows it is relative to the base URL, since GitHub refuses addresses
 * of the web. What was accepted is suppressed, with its reason. What was not measured is told by the invocation.
 */
export function sarifReport(
  report: Report,
  language: string,
  judged: readonly JudgedFault[] = judgeFaults(report, []),
): string {
  const writer = createSarifWriter(report, language);
  const sarif = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Llavero',
            semanticVersion: report.toolVersion,
            rules: judged.map(({ fault }) => writer.rule(fault)),
          },
        },
        automationDetails: { id: `llavero/${visible(report.environmentName ?? hostOf(report.baseUrl))}/` },
        originalUriBaseIds: { [base]: { uri: rootOf(report) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: report.ended.kind === 'complete',
            startTimeUtc: report.startedAt,
            endTimeUtc: report.endedAt,
            toolExecutionNotifications: writer.notifications(),
          },
        ],
        properties: { extraHeaders: (report.extraHeaders ?? []).map((name) => visible(name)) },
        results: judged.map((each, ruleIndex) => ({ ...writer.result(each), ruleIndex })),
      },
    ],
  };
  return `${JSON.stringify(sarif, undefined, 2)}\n`;
}

/** Makes what says the parts of one report in one language. */
function createSarifWriter(report: Report, language: string) {
  const say = reportWords(language);
  const { text } = createSecretNames();
  const plain = (parts: readonly Part[]): string => plainText(parts, text);
  const detailsOf = ({ what, caseId }: Fault): CaseAnswer[] => {
    if (what.kind === 'finding') return report.findings.find(({ id }) => id === what.id)?.details ?? [];
    const result = report.cases.find(({ id }) => id === caseId);
    return result === undefined || result.outcome === 'not-measured' ? [] : result.answers;
  };

  return {
    rule({ id, severity, what }: Fault) {
      const isRule = what.kind === 'rule';
      const { title, why } = isRule
        ? { title: say.case(what.caseId), why: say.words.report.interfaceIntro }
        : say.finding(what);
      return {
        id,
        shortDescription: { text: title },
        fullDescription: { text: why },
        defaultConfiguration: { level: levels[severity] },
        properties: { tags: [isRule ? 'contract' : 'security'], 'security-severity': scores[severity] },
      };
    },

    result({ fault, acceptance, isAccepted }: JudgedFault) {
      const { id, what, severity, caseId, evidence } = fault;
      const title =
        what.kind === 'rule' ? `${say.words.outcomes.failed}: ${say.case(what.caseId)}` : say.finding(what).title;
      const details = detailsOf(fault).map((answer) => `${say.question(answer)}: ${plain(say.value(answer.value))}`);
      const call = report.evidence.find((each) => each.id === evidence.at(-1));
      return {
        ruleId: id,
        level: levels[severity],
        message: { text: [title, ...details].join('\n') },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: call ? pathBelow(rootOf(report), text(call.request.url)) : '', uriBaseId: base },
              // Readers of SARIF want a line. An answer has one.
              region: { startLine: 1, endLine: 1 },
            },
            logicalLocations: [{ name: caseId, kind: 'function' }],
          },
        ],
        partialFingerprints: { 'llavero/v1': id },
        suppressions:
          acceptance && isAccepted
            ? [{ kind: 'external', status: 'accepted', justification: visible(acceptance.reason) }]
            : [],
      };
    },

    /** Says how the run ended, if not as it should, and what it did not measure. */
    notifications: () => [
      ...(report.ended.kind === 'complete' ? [] : [notification('error', plain(say.end(report.ended)))]),
      ...report.cases.flatMap((result) =>
        result.outcome === 'not-measured'
          ? [notification('note', `${say.case(result.id)}: ${plain(say.notMeasured(result.reason))}`)]
          : [],
      ),
    ],
  };
}

const notification = (level: 'error' | 'note', text: string) => ({ level, message: { text } });

const rootOf = ({ baseUrl }: Report): string => `${baseUrl.replace(/\/$/, '')}/`;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Returns the path of an address below another one, as a relative reference; an empty one for any other address. */
const pathBelow = (root: string, url: string): string =>
  url.startsWith(root) && URL.canParse(url) ? new URL(url).pathname.slice(new URL(root).pathname.length) : '';
