import type {
  BlockContent,
  Html,
  InlineCode,
  List,
  ListItem,
  Paragraph,
  PhrasingContent,
  TableCell,
  Text,
} from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import type { Report } from '../../../preload/contract/report.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';
import {
  escapeInvisible,
  trimLine,
  type Block,
  type Document,
  type Line,
  type ReportAnchor,
  type Span,
} from './document.ts';
import { renderHtmlLine } from './html-report.ts';
import { reportDocument } from './report-document.ts';

/**
 * Renders a report as Markdown (CommonMark with GitHub's tables). The requests that prove a problem are complete, the
 * others one line each.
 */
export function renderMarkdownReport(
  report: Report,
  language: string,
  classified?: readonly ClassifiedFault[],
): string {
  return renderMarkdown(reportDocument(report, language, classified));
}

/** Texts from outside are in code spans and code blocks only, where no renderer reads links, markup or mentions. */
export function renderMarkdown({ blocks, language }: Document): string {
  const children: BlockContent[] = [];
  let previous: Block | undefined;
  for (const block of blocks) {
    if (block.block === 'evidence' && previous?.block !== 'evidence')
      children.push(createParagraph([createReportFormatter(language).t('report.evidenceShort')]));
    const last = children.at(-1);
    if (isBrief(block) && isBrief(previous) && last?.type === 'list') last.children.push(createEvidenceItem(block));
    else children.push(...createBlocks(block));
    previous = block;
  }
  return toMarkdown(
    { type: 'root', children },
    { bullet: '-', extensions: [gfmToMarkdown({ tablePipeAlign: false })] },
  );
}

type Evidence = Extract<Block, { block: 'evidence' }>;

const isBrief = (block: Block | undefined): block is Evidence => block?.block === 'evidence' && !block.full;

function createBlocks(block: Block): BlockContent[] {
  switch (block.block) {
    case 'heading': {
      const anchor = block.anchor?.startsWith('finding-') ? [createAnchor(block.anchor)] : [];
      return [{ type: 'heading', depth: block.level, children: [...anchor, ...createLine(block.line)] }];
    }
    case 'paragraph':
      return [createParagraph(block.line)];
    case 'list':
      return [
        createList(
          block.items.map(({ line, items = [] }) =>
            createItem(
              line,
              items.map((each) => createItem(each)),
            ),
          ),
        ),
      ];
    case 'table': {
      const rows = block.rows.map((row) => ('over' in row ? [row.over] : row));
      const children = [block.head.map((cell) => [cell]), ...rows].map((cells) => ({
        type: 'tableRow' as const,
        children: cells.map(createCell),
      }));
      return [{ type: 'table', children }];
    }
    case 'code':
      return [{ type: 'code', lang: block.language, value: escapeInvisible(block.text, 'kept') }];
    case 'parts':
    case 'item':
      // Only formats that fold have them.
      return [];
    case 'evidence': {
      if (!block.full) return [createList([createEvidenceItem(block)])];
      // Readers fold it. Between its tags is Markdown again, since empty lines are around that.
      const summary = createAnchor(`e${block.number}`).value + renderHtmlLine([`E${block.number}: `, ...block.line]);
      return [
        { type: 'html', value: `<details>\n<summary>${summary}</summary>` },
        ...block.blocks.flatMap(createBlocks),
        { type: 'html', value: '</details>' },
      ];
    }
    default:
      return block satisfies never;
  }
}

const createParagraph = (line: Line): Paragraph => ({ type: 'paragraph', children: createLine(line) });

const createList = (children: ListItem[]): List => ({ type: 'list', spread: false, children });

const createItem = (line: Line, items: ListItem[] = []): ListItem => ({
  type: 'listItem',
  spread: false,
  children: [createParagraph(line), ...(items.length > 0 ? [createList(items)] : [])],
});

function createEvidenceItem({ number, line }: Evidence): ListItem {
  const children = [createAnchor(`e${number}`), ...createLine([`E${number}: `, ...line])];
  return { type: 'listItem', spread: false, children: [{ type: 'paragraph', children }] };
}

/** The target of a link. */
const createAnchor = (name: ReportAnchor | `e${number}`): Html => ({ type: 'html', value: `<a id="${name}"></a>` });

const createCell = (line: Line): TableCell => ({ type: 'tableCell', children: createLine(line.map(showBackslashes)) });

/** In a table, parsers drop a backslash before a bar even in code, and disagree about two: it is shown by its number. */
const showBackslashes = (span: Span): Span =>
  typeof span === 'object' && 'code' in span
    ? { code: span.code.replaceAll(/(?<!\\)\\+(?=\|)/g, ({ length }) => '\\u{5c}'.repeat(length)) }
    : span;

const createLine = (line: Line): PhrasingContent[] => trimLine(line).map(createSpan);

function createSpan(span: Span): PhrasingContent {
  if (typeof span === 'string') return createText(span);
  if ('strong' in span) return { type: 'strong', children: [createText(span.strong.trim())] };
  if ('evidence' in span)
    return { type: 'link', url: `#e${span.evidence}`, children: [createText(`E${span.evidence}`)] };
  if ('struck' in span) return { type: 'delete', children: span.struck.map(createSpan) };
  if ('fields' in span) return createText(span.summary);
  if ('link' in span) return { type: 'link', url: `#${span.to}`, children: [createText(span.link)] };
  return createInlineCode(span.code);
}

const createText = (text: string): Text => ({ type: 'text', value: escapeInvisible(text) });

const createInlineCode = (text: string): InlineCode => ({
  type: 'inlineCode',
  // A code span needs a character.
  value: escapeInvisible(text).trim() || ' ',
});
