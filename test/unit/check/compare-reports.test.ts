import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { compareReports } from '../../../main/check/compare-reports.ts';
import { renderMarkdownComparison } from '../../../main/check/reports/markdown-comparison.ts';
import { ReportComparison, type Report, type Finding } from '../../../preload/contract/report.ts';
import type { CaseAnswer, CaseResult, NotMeasured, ObservedValue } from '../../../preload/contract/report-cases.ts';
import { hostileTexts, reportWith } from '../../support/report.ts';

const base = reportWith('x');
const withCases = (cases: CaseResult[], findings: Finding[] = []): Report => ({ ...base, cases, findings });
const about = { id: 'login.answer', section: 4, lines: [56], calls: ['call-0'], durationMs: 1 } as const;

const observed = (value: ObservedValue, question: CaseAnswer['question'] = 'success-status'): CaseResult => ({
  ...about,
  lines: [...about.lines],
  calls: [...about.calls],
  kind: 'observed',
  outcome: 'answered',
  answers: [{ question, value }],
});
const unmeasured = (reason: NotMeasured): CaseResult => ({
  ...observed({ kind: 'none' }),
  kind: 'observed',
  outcome: 'not-measured',
  reason,
});
const stated = (outcome: 'passed' | 'failed'): CaseResult => ({
  ...about,
  lines: [...about.lines],
  calls: [],
  id: 'login.wrong-password',
  kind: 'stated',
  outcome,
  answers: [],
});
const differ = (before: ObservedValue, after: ObservedValue): boolean =>
  compareReports(withCases([observed(before)]), withCases([observed(after)])).differences.length > 0;

const typesIn = (node: Nodes): Set<string> =>
  new Set([node.type, ...('children' in node ? node.children.flatMap((child) => [...typesIn(child)]) : [])]);

describe('two reports', () => {
  it('differ in nothing when they are the same', () => {
    const comparison = compareReports(base, base);
    expect(comparison.differences).toEqual([]);
    expect(comparison.unknown).toEqual([]);
    expect(comparison.compared).toBe(base.cases.filter(({ outcome }) => outcome !== 'not-measured').length);
  });

  it.each<[string, ObservedValue, ObservedValue]>([
    ['seconds apart by the time of a call', { kind: 'seconds', seconds: 3600 }, { kind: 'seconds', seconds: 3597 }],
    ['dates', { kind: 'date', date: '2026-01-01' }, { kind: 'date', date: '2027-01-01' }],
    [
      'what one side left out for its own limit on accounts',
      { kind: 'reply', handling: 'accepted', status: 201 },
      { kind: 'none', why: 'account-limit' },
    ],
    [
      'ids of secrets',
      { kind: 'text', text: [{ secret: 'token', id: 'a' }] },
      { kind: 'text', text: [{ secret: 'token', id: 'b' }] },
    ],
    [
      'the wording of messages',
      { kind: 'reply', handling: 'refused', status: 422, message: ['One'], fields: ['a', 'b'] },
      { kind: 'reply', handling: 'refused', status: 422, message: ['Two'], fields: ['b', 'a'] },
    ],
    [
      'headers that pass, and the case of names',
      {
        kind: 'headers',
        headers: [
          ['Date', ['Mon']],
          ['allow', ['POST']],
          ['Retry-After', ['5']],
        ],
      },
      {
        kind: 'headers',
        headers: [
          ['Allow', ['POST']],
          ['date', ['Tue']],
        ],
      },
    ],
    ['the order of a list', { kind: 'list', items: ['a', 'b'] }, { kind: 'list', items: ['b', 'a'] }],
    ['estimates', { kind: 'bits', bits: 190, atLeast: false }, { kind: 'bits', bits: 201, atLeast: true }],
    [
      'times without a difference to be sure of',
      { kind: 'times', samples: 20, knownMedianMs: 20, unknownMedianMs: 19, pValue: 0.4, effect: 0.1 },
      { kind: 'times', samples: 18, knownMedianMs: 90, unknownMedianMs: 95, pValue: 0.2, effect: -0.1 },
    ],
  ])('do not differ by %s', (_name, before, after) => {
    expect(differ(before, after)).toBe(false);
  });

  it.each<[string, ObservedValue, ObservedValue]>([
    ['a status', { kind: 'status', status: 200 }, { kind: 'status', status: 201 }],
    ['what kind of answer there is', { kind: 'seconds', seconds: 60 }, { kind: 'none' }],
    ['a lifetime', { kind: 'seconds', seconds: 3600 }, { kind: 'seconds', seconds: 7200 }],
    [
      'how a request was taken',
      { kind: 'reply', handling: 'refused', status: 422, fields: ['email'] },
      { kind: 'reply', handling: 'refused', status: 422, fields: ['password'] },
    ],
    [
      'a header',
      { kind: 'headers', headers: [['Cache-Control', ['no-store']]] },
      { kind: 'headers', headers: [['Cache-Control', ['private']]] },
    ],
    [
      'a field',
      { kind: 'fields', fields: [{ path: 'id', type: 'number', secret: false }] },
      { kind: 'fields', fields: [{ path: 'id', type: 'string', secret: false }] },
    ],
    [
      'times that can be told apart',
      { kind: 'times', samples: 20, knownMedianMs: 20, unknownMedianMs: 19, pValue: 0.4, effect: 0.1 },
      { kind: 'times', samples: 20, knownMedianMs: 90, unknownMedianMs: 5, pValue: 0.000001, effect: -1 },
    ],
  ])('differ by %s', (_name, before, after) => {
    expect(differ(before, after)).toBe(true);
  });

  it('do not differ by how long a server that throttles makes one wait', () => {
    const waiting = (seconds: number) => withCases([observed({ kind: 'seconds', seconds }, 'throttling-wait')]);
    expect(compareReports(waiting(900), waiting(30)).differences).toEqual([]);
  });

  it('differ by an outcome, by an answer there was not, and by findings', () => {
    const [finding] = base.findings;
    const mine: Finding = { ...finding!, caseId: 'login.wrong-password', id: 'wrong-password-accepted' };
    const { differences } = compareReports(
      withCases([stated('passed'), observed({ kind: 'status', status: 200 })]),
      withCases([stated('failed'), observed({ kind: 'status', status: 200 }, 'token-place')], [mine]),
    );
    expect(differences).toEqual([
      { kind: 'outcome', caseId: 'login.wrong-password', before: 'passed', after: 'failed' },
      { kind: 'answer', caseId: 'login.answer', question: 'success-status', before: { kind: 'status', status: 200 } },
      { kind: 'answer', caseId: 'login.answer', question: 'token-place', after: { kind: 'status', status: 200 } },
      {
        kind: 'finding',
        change: 'new',
        id: 'wrong-password-accepted',
        severity: mine.severity,
        caseId: 'login.wrong-password',
      },
    ]);
  });

  it('say nothing of what only one of them measured, nor of its findings', () => {
    const finding: Finding = { ...base.findings[0]!, caseId: 'login.answer' };
    const status: ObservedValue = { kind: 'status', status: 200 };
    const before = withCases([observed(status), stated('passed')], [finding]);
    const after = withCases([unmeasured({ kind: 'throttled' })]);
    const comparison = compareReports(before, after);
    expect(comparison).toMatchObject({
      compared: 0,
      differences: [],
      unknown: [
        { caseId: 'login.answer', side: 'after', reason: { kind: 'throttled' } },
        { caseId: 'login.wrong-password', side: 'after' },
      ],
    });
    expect(ReportComparison.parse(comparison)).toEqual(comparison);
  });

  it('are compared on paper without markup of a server', () => {
    for (const text of [...hostileTexts, hostileTexts.join('').slice(0, 400)]) {
      // Anybody may have written the file of an earlier report.
      const earlier = { ...reportWith(text), toolVersion: text, startedAt: text, baseUrl: text };
      const markdown = renderMarkdownComparison(compareReports(earlier, base), 'en');
      const headings = markdown.split('\n').filter((line) => line.startsWith('#'));
      expect(headings).toEqual(['# Comparison of two check reports', '## Unspecified behaviour']);
      expect(typesIn(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }))).toEqual(
        new Set([
          'root',
          'heading',
          'paragraph',
          'text',
          'table',
          'tableRow',
          'tableCell',
          'inlineCode',
          'list',
          'listItem',
          'strong',
        ]),
      );
    }
  });
});
