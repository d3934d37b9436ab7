import type { Report } from '../../../preload/contract/report.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';
import { escapeInvisible, type Block, type Document, type Line, type Span } from './document.ts';
import { renderHtmlLine } from './html-report.ts';
import { reportDocument } from './report-document.ts';

/**
 * Renders a report as Markdown (CommonMark with GitHub's tables). The requests that prove a problem are complete, the
 * others one line each.
 */
export function renderMarkdownReport(report: Report, language: string, judged?: readonly ClassifiedFault[]): string {
  return renderMarkdown(reportDocument(report, language, judged));
}

/**
 * Texts from outside are in code spans and code blocks only, where no renderer reads links, markup or mentions, and
 * fences are longer than any run of backticks within.
 */
export function renderMarkdown({ blocks, language }: Document): string {
  let written = '';
  let before: Block | undefined;
  for (const block of blocks) {
    if (block.block === 'evidence' && before?.block !== 'evidence') {
      written += `\n${escaped(createReportFormatter(language).t('report.evidenceShort'))}\n`;
    }
    const isOneList = isBrief(before) && isBrief(block);
    written += `${isOneList ? '' : '\n'}${writeBlock(block)}\n`;
    before = block;
  }
  return written.trimStart();
}

const isBrief = (block: Block | undefined): boolean => block?.block === 'evidence' && !block.full;

function writeBlock(block: Block): string {
  switch (block.block) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.place?.startsWith('finding-') ? anchor(block.place) : ''}${writeLine(block.line)}`;
    case 'paragraph':
      return writeLine(block.line);
    case 'list':
      return block.items
        .map(({ line, items = [] }) =>
          [`- ${writeLine(line)}`, ...items.map((item) => `  - ${writeLine(item)}`)].join('\n'),
        )
        .join('\n');
    case 'table': {
      const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
      const rows = block.rows.map((cells) => {
        const written = 'over' in cells ? [cells.over, ...block.head.slice(1).map(() => [])] : cells;
        return row(written.map((cell) => writeLine(cell, inTable)));
      });
      return [row(block.head.map((cell) => escaped(cell))), row(block.head.map(() => '---')), ...rows].join('\n');
    }
    case 'code':
      return fenced(block.text, block.language);
    case 'parts':
    case 'item':
      // They stand in forms that fold.
      return '';
    case 'evidence': {
      if (!block.full) return `- ${anchor(`e${block.number}`)}E${block.number}: ${writeLine(block.line)}`;
      // Readers fold these. What stands between is Markdown again, once a line is empty.
      const summary = `<summary>${anchor(`e${block.number}`)}E${block.number}: ${renderHtmlLine(block.line)}</summary>`;
      return [`<details>\n${summary}`, ...block.blocks.map(writeBlock), '</details>'].join('\n\n');
    }
    default:
      return block satisfies never;
  }
}

/** The target of a link. Its name is one of ours. */
const anchor = (name: string): string => `<a id="${name}"></a>`;

const writeLine = (line: Line, finish: (text: string) => string = (text) => text): string =>
  line
    .map((span) => writeSpan(span, finish))
    .join('')
    .trim();

function writeSpan(span: Span, finish: (text: string) => string): string {
  if (typeof span === 'string') return escaped(span);
  if ('strong' in span) return `**${escaped(span.strong.trim())}**`;
  if ('evidence' in span) return `[E${span.evidence}](#e${span.evidence})`;
  if ('struck' in span) return `~~${span.struck.map((each) => writeSpan(each, finish)).join('')}~~`;
  if ('fields' in span) return escaped(span.summary);
  if ('link' in span) return `[${escaped(span.link)}](#${span.to})`;
  return finish(codeSpan(span.code));
}

/** Escapes a text of ours. */
const escaped = (text: string): string => escapeInvisible(text).replaceAll(/[\\`*_[\]<>|#~&]/g, String.raw`\$&`);

/** Longer delimiters than any run of backticks within; parsers strip the spaces beside a backtick of the text. */
function codeSpan(text: string): string {
  const shown = escapeInvisible(text).trim();
  if (shown === '') return '` `';
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const blank = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${blank}${shown}${blank}${ticks}`;
}

/**
 * Escapes a code span within a table, where a bar ends even code unless a backslash precedes it. Parsers disagree about
 * two backslashes and a bar, so a backslash of the text before a bar is shown by its number.
 */
const inTable = (code: string): string =>
  code.replaceAll(/(?<!\\)\\+(?=\|)/g, '\\u{5c}').replaceAll('|', String.raw`\|`);

function fenced(text: string, language: string): string {
  const shown = escapeInvisible(text, 'kept');
  const ticks = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown}\n${ticks}`;
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
