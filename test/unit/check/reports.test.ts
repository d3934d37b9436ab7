import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { classifyFaults, verdictOfReport, type ClassifiedFault } from '../../../main/check/accepted-faults.ts';
import { renderHtmlReport } from '../../../main/check/reports/html-report.ts';
import { modelSchema } from '../../../main/service/mock/mock-definition.ts';
import {
  renderJsonReport,
  readReport,
  reportSchema,
  formatReportProblem,
} from '../../../main/check/reports/json-report.ts';
import { renderJunitReport } from '../../../main/check/reports/junit-report.ts';
import { renderMarkdown, renderMarkdownReport } from '../../../main/check/reports/markdown-report.ts';
import { escapeInvisible, heading, paragraph, type Block } from '../../../main/check/reports/document.ts';
import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { hostileTexts, notShownLines, reportWith } from '../../support/report.ts';

const languages = ['en', 'es'] as const;
const read = (...names: string[]): string => readFileSync(path.join(import.meta.dirname, ...names), 'utf8');

type Node = { type: string; depth?: number; url?: string; value?: string; children?: Node[] };

/** Returns the kinds of nodes with their places, without what they say. */
const skeleton = ({ type, depth, children = [] }: Node): unknown =>
  children.length === 0 ? [type, depth] : [type, depth, children.map(skeleton)];
const every = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(every)];

/** Reads Markdown as GitHub does. */
const parseMarkdown = (text: string): Node =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** The markup that a report has of its own: targets of links, and what folds evidence. Only `<` could begin any other. */
const ourMarkup =
  /^(?:<a id="(?:e\d+|finding-[a-z-]+)">|<\/a>|<\/details>|<details>\n<summary><a id="e\d+"><\/a>E\d+: (?:[^<]|<\/?(?:code|strong)>)*<\/summary>)$/;

/** These cannot be seen, or change how their surroundings are read. Ends of lines and tabs are left out. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('a report as Markdown', () => {
  it.each(languages)('answers every line that the interface leaves open (%s)', (language) => {
    const text = renderMarkdownReport(reportWith('x'), language);
    const word = language === 'en' ? 'line' : 'línea';
    for (const line of notShownLines) expect(text).toContain(`(${word} ${line})`);
  });

  it.each(hostileTexts)('lets a server write no markup: %j', (hostile) => {
    const [calm, attacked] = [hostile.trim() === '' ? '' : 'x', hostile].map((text) =>
      parseMarkdown(renderMarkdownReport(reportWith(text), 'en')),
    );
    expect(skeleton(attacked!)).toEqual(skeleton(calm!));
    expect(every(attacked!).filter(({ type }) => /^(?:image|definition)/i.test(type))).toEqual([]);
    const links = every(attacked!).filter(({ type }) => /^link/i.test(type));
    expect(links.filter(({ url = '' }) => !/^#(?:e\d+|finding-[a-z-]+)$/.test(url))).toEqual([]);
    const markup = every(attacked!).flatMap(({ type, value = '' }) => (type === 'html' ? [value] : []));
    expect(markup.filter((html) => !ourMarkup.test(html))).toEqual([]);
  });

  it.each(hostileTexts)('escapes a text outside of code too: %j', (text) => {
    const blocks: Block[] = [
      heading(2, text),
      paragraph('a ', text, ' b'),
      { block: 'table', head: [text, text], rows: [[[text], [text]]] },
      { block: 'list', items: [{ line: [text], items: [[{ strong: text }]] }] },
    ];
    // Its transforms would make links of escaped text, unlike GitHub.
    const mdastExtensions = gfmFromMarkdown();
    for (const extension of mdastExtensions) extension.transforms = [];
    const markdown = renderMarkdown({ title: '', language: 'en', blocks });
    const types = every(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions })).map(({ type }) => type);
    const ours = new Set([
      'root',
      'heading',
      'paragraph',
      'table',
      'tableRow',
      'tableCell',
      'list',
      'listItem',
      'strong',
      'text',
    ]);
    expect(types.filter((type) => !ours.has(type))).toEqual([]);
    expect(types.filter((type) => /^(?:heading|table|list)$/.test(type))).toEqual(['heading', 'table', 'list', 'list']);
  });

  it.each(['a|b', 'a\\|b', 'a\\\\|b', '\\', '|', '||\\', '`a`|`b`\\|c', '<b>|[c](d)'])(
    'has a text whole in one cell of a table, whatever bars it has: %j',
    (text) => {
      const tree = parseMarkdown(renderMarkdownReport({ ...reportWith('x'), serverName: text }, 'en'));
      const shown = text.replaceAll(/\\+(?=\|)/g, ({ length }) => '\\u{5c}'.repeat(length));
      const rows = every(tree).filter(({ type }) => type === 'tableRow');
      const server = rows.find(({ children: [name] = [] }) => every(name!).some(({ value }) => value === 'Server'));
      expect(server?.children?.map((cell) => every(cell).flatMap(({ value = [] }) => value))).toEqual([
        ['Server'],
        [shown],
      ]);
    },
  );

  it.each(languages)(
    'is read from the top: the headline, what is wrong by severity, then each question with its answer (%s)',
    (language) => {
      const { t } = createReportFormatter(language);
      const report = reportWith('x');
      const lines = renderMarkdownReport(report, language)
        .split('\n')
        .filter((line) => line !== '');
      // It is that of a run whose account was refused.
      expect(lines[1]).toMatch(new RegExp(`^\\*\\*${t('verdict.kinds.account-refused')}: \\d+ .+\\*\\* \\(.+\\)$`));
      expect(lines.at(-1)).toBe(lines[1]);
      expect(lines[3]).toBe(`## ${t('report.problems')}`);
      const wrong = lines.slice(4, lines.indexOf(`## ${t('report.interface')}`));
      const rows = wrong.filter((line) => !line.startsWith('  - '));
      expect(
        rows.filter((row) => /^- \*\*[a-z]+\*\*: \[.+\]\(#finding-[a-z-]+\)\. .+ \[E1\]\(#e1\)$/.test(row)),
      ).not.toEqual([]);
      expect(rows.filter((row) => row.includes(t('report.requirementFailed')))).not.toEqual([]);
      const order = (['high', 'medium', 'low', 'info'] as const).map(
        (severity) => `**${t(`severities.${severity}`)}**`,
      );
      const ranks = rows.map((row) => order.findIndex((severity) => row.startsWith(`- ${severity}: `)));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      expect(ranks).not.toContain(-1);
      const asked = lines.flatMap((line) => /^\| ([^|]+) \| [^|]+ \| \[E\d\]\(#e\d\) \|$/.exec(line)?.[1] ?? []);
      const answered = report.cases.flatMap((result) => (result.outcome === 'answered' ? result.answers : []));
      const isInRow = ({ question }: CaseAnswer) => asked.some((cell) => cell.includes(t(`questions.${question}`)));
      expect(answered.length).toBeGreaterThan(60);
      expect(answered.filter((answer) => !isInRow(answer))).toEqual([]);
      expect(lines.filter((line) => line === '<details>').length).toBeGreaterThan(0);
    },
  );

  it('leads only to places that it has', () => {
    const text = renderMarkdownReport(reportWith('x'), 'en');
    const places = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
    const targets = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(40);
    expect(targets.filter((id) => !places.has(id))).toEqual([]);
  });

  it.each(hostileTexts)('shows what cannot be seen: %j', (hostile) => {
    expect(unseen.exec(renderMarkdownReport(reportWith(hostile), 'en'))?.[0]).toBeUndefined();
  });

  it('says secrets by names, equal ones alike', () => {
    const text = renderMarkdownReport(reportWith('x'), 'en');
    expect(text).toContain('[token 1]');
    expect(text).toContain('[password 1]');
    expect(text).not.toContain('[token 7]');
  });
});

describe('a report as HTML', () => {
  it.each(hostileTexts)('has the same elements whatever a server says: %j', (hostile) => {
    const tags = (html: string) => html.match(/<\/?[a-z][^>]*>/gi);
    const attacked = renderHtmlReport(reportWith(hostile), 'en');
    // An empty text would be an empty body, which has no element.
    expect(tags(attacked)).toEqual(tags(renderHtmlReport(reportWith('x'), 'en')));
    expect(unseen.exec(attacked)?.[0]).toBeUndefined();
  });

  it.each(languages)('loads nothing, runs nothing, and names its language (%s)', (language) => {
    const html = renderHtmlReport(reportWith('x'), language);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html.replaceAll('&#x27;', "'")).toMatch(
      /content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/,
    );
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object|form)|\ssrc=|javascript:|url\(|@import/i);
    expect(
      [...html.matchAll(/href="([^"]*)"/g)].filter(
        ([, href]) => !/^#(?:E\d+|finding-[a-z-]+|problems|open|kept|untested)$/.test(href!),
      ),
    ).toEqual([]);
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect([...html.matchAll(/href="#([^"]*)"/g)].filter(([, id]) => !ids.has(id))).toEqual([]);
  });
});

describe('a report as JSON', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true, validateFormats: false })
    .addSchema(modelSchema())
    .compile(reportSchema());

  it('follows its schema, and reads back as it was', () => {
    const report = reportWith(hostileTexts.join('').slice(0, 400));
    const text = renderJsonReport(report);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
    expect(readReport(text)).toEqual({ ok: true, report });
  });

  it('has the names that other programs read; without one of them it would be version 2', () => {
    const each = ['id', 'section', 'lines', 'calls', 'durationMs', 'kind', 'outcome'];
    const required = (...names: string[]) => ({ required: expect.arrayContaining(names) });
    expect(reportSchema()).toMatchObject({
      $id: 'https://llavero.app/schemas/report-1.json',
      ...required(
        'schema',
        'version',
        'toolVersion',
        'baseUrl',
        'startedAt',
        'endedAt',
        'durationMs',
        'options',
        'ended',
        'calls',
        'accounts',
        'cases',
        'findings',
        'evidence',
      ),
      properties: {
        schema: { const: 'llavero-report' },
        version: { const: 1 },
        accounts: { items: required('email', 'madeBy', 'state') },
        cases: {
          items: {
            anyOf: [required(...each, 'answers'), required(...each, 'answers'), required(...each, 'reason')],
          },
        },
        findings: { items: required('id', 'severity', 'caseId', 'calls', 'script', 'details') },
        evidence: { items: required('id', 'startedAt', 'request', 'timings') },
      },
    });
  });

  it('does not follow its schema with an outcome that there is not', () => {
    const report = { ...reportWith('x'), ended: { kind: 'exploded' } };
    expect(validate(report)).toBe(false);
  });

  it.each([
    ['{"schema": ', 'not JSON'],
    ['[]', 'not a contract report'],
    ['{"schema":"another","version":1}', 'not a contract report'],
    [JSON.stringify({ ...reportWith('x'), version: 4 }), 'version 4'],
    [JSON.stringify({ ...reportWith('x'), calls: 'many' }), 'at calls'],
  ])('is refused with a sentence: %.60s', (text, says) => {
    const result = readReport(text);
    expect(result.ok ? '' : formatReportProblem(result.problem)).toContain(says);
  });
});

describe('a report as JUnit', () => {
  const schema = read('../../fixtures/junit.xsd');
  const number = (text: string, name: string): number => Number(new RegExp(` ${name}="(\\d+)"`).exec(text)?.[1]);

  it.each(hostileTexts)('is valid whatever a server says: %j', async (hostile) => {
    const xml = renderJunitReport(reportWith(hostile), 'es');
    const result = await validateXML({ xml: { fileName: 'report.xml', contents: xml }, schema });
    expect(result.errors).toEqual([]);
  });

  it('is found invalid when it is', async () => {
    const xml = renderJunitReport(reportWith('x'), 'en').replace(' failures=', ' failed=');
    expect((await validateXML({ xml: { fileName: 'report.xml', contents: xml }, schema })).valid).toBe(false);
  });

  it('counts what is in it', () => {
    const report = reportWith('x');
    const suites = renderJunitReport(report, 'en').split('<testsuite ').slice(1);
    // The first is about the run as a whole: its account was refused.
    expect(suites).toHaveLength(10);
    for (const suite of suites) {
      expect(number(suite, 'tests')).toBe(suite.match(/<testcase /g)?.length);
      expect(number(suite, 'failures')).toBe(suite.match(/<failure /g)?.length ?? 0);
      expect(number(suite, 'skipped')).toBe(suite.match(/<skipped /g)?.length ?? 0);
      expect(number(suite, 'errors')).toBe(suite.match(/<error /g)?.length ?? 0);
    }
    const sum = (name: string): number => suites.reduce((all, suite) => all + number(suite, name), 0);
    const unmeasured = report.cases.filter(({ outcome }) => outcome === 'not-measured').length;
    expect(sum('tests')).toBe(report.cases.length + 1);
    expect(sum('failures')).toBe(report.cases.filter(({ outcome }) => outcome === 'failed').length);
    expect(sum('skipped') + sum('errors')).toBe(unmeasured + 1);
    expect(sum('failures')).toBeGreaterThan(0);
  });

  it('fails at the case of a finding that fails the run, and not at one that is accepted', () => {
    const report = { ...reportWith('x'), givenAccount: undefined };
    const only = report.findings.find(({ severity }) => severity === 'medium')!;
    const observed = { ...report.cases.find(({ kind }) => kind === 'observed')!, id: only.caseId };
    const run = { ...report, cases: [observed], findings: [only] };
    const accepted = [{ fault: `finding:${only.id}`, case: only.caseId, reason: 'known', accepted: '2026-05-04' }];
    const failuresOf = (judged: ClassifiedFault[]): number => number(renderJunitReport(run, 'en', judged), 'failures');
    expect(failuresOf(classifyFaults(run, [], ['high', 'medium']))).toBe(1);
    expect(failuresOf(classifyFaults(run, [], ['high']))).toBe(0);
    expect(failuresOf(classifyFaults(run, accepted, ['high', 'medium']))).toBe(0);
    expect(verdictOfReport(run, classifyFaults(run, [], ['high', 'medium']))).toMatchObject({
      exitCode: 1,
      findings: 1,
    });
    expect(verdictOfReport(run, classifyFaults(run, accepted, ['high', 'medium'])).exitCode).toBe(0);
  });

  it('never fails for a case that the interface says nothing about', () => {
    const report = reportWith('x');
    const xml = renderJunitReport({ ...report, cases: report.cases.filter(({ kind }) => kind === 'observed') }, 'en');
    expect(xml).not.toMatch(/<(?:failure|error|skipped)/);
    expect(xml).toContain('<testcase ');
  });
});

describe('what cannot be seen', () => {
  it('is shown by its number, and ordinary text of any script as it is', () => {
    expect(escapeInvisible('a\u202eb\u0000c\u200d')).toBe('a\\u{202e}b\\u{0}c\\u{200d}');
    expect(escapeInvisible('Ñandú שלום 漢字 😀')).toBe('Ñandú שלום 漢字 😀');
  });
});
