import { hash } from 'node:crypto';
import type { Element, ElementContent, Properties, Text } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { FieldNode } from '../../../preload/contract/field-tree.ts';
import type { Report } from '../../../preload/contract/report.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';
import {
  escapeInvisible,
  trimLine,
  type Bar,
  type Block,
  type Document,
  type FieldLabels,
  type Line,
  type Span,
} from './document.ts';
import { reportDocument } from './report-document.ts';
import { style } from './html-style.ts';

/** Renders a report as one HTML file that loads nothing and runs nothing, with every request. */
export function renderHtmlReport(report: Report, language: string, classified?: readonly ClassifiedFault[]): string {
  return renderHtml(reportDocument(report, language, classified, true));
}

/** Renders a line, for a format that may have HTML in it. */
export const renderHtmlLine = (line: Line): string => serialize(createLine(line));

const serialize = (nodes: Parameters<typeof toHtml>[0]): string =>
  toHtml(nodes, { characterReferences: { useNamedReferences: true }, closeEmptyElements: true });

/** The page's policy allows this style alone, and forbids scripts and requests. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`;

function renderHtml({ title, language, blocks }: Document): string {
  const head = createElement(
    'head',
    {},
    ...createLines([
      createElement('meta', { charSet: 'utf-8' }),
      createElement('meta', { httpEquiv: ['Content-Security-Policy'], content: policy }),
      createElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      createElement('meta', { name: 'color-scheme', content: 'light dark' }),
      createElement('meta', { name: 'referrer', content: 'no-referrer' }),
      createElement('title', {}, title),
      // Its hash is that of the text as it is.
      { ...createElement('style', {}), children: [{ type: 'text', value: style }] },
    ]),
  );
  const main = createElement('main', {}, ...createLines(blocks.map(createBlock)));
  const page = createElement('html', { lang: language }, lineEnd, head, lineEnd, createElement('body', {}, main));
  return serialize([{ type: 'doctype' }, lineEnd, page, lineEnd]);
}

function createBlock(block: Block): Element {
  switch (block.block) {
    case 'heading': {
      const title = createElement(`h${block.level}`, { id: block.anchor }, ...createLine(block.line));
      if (block.level !== 3) return title;
      const bar = block.bar ? [createBar(block.bar), createElement('span', {}, block.barLabel ?? '')] : [];
      return createElement('div', { className: ['sec'] }, title, ...bar);
    }
    case 'parts':
      return createElement('nav', { ariaLabel: block.label }, ...block.links.map(createSpan));
    case 'item':
      return createItem(block);
    case 'paragraph':
      return createElement('p', {}, ...createLine(block.line));
    case 'list':
      return createList(
        block.items.map(({ line, items = [] }) => [
          ...createLine(line),
          ...(items.length > 0 ? [createList(items.map(createLine))] : []),
        ]),
      );
    case 'table':
      return createTable(block);
    case 'code':
      return createCode(block.text);
    case 'evidence': {
      const summary = createElement('summary', {}, `E${block.number}: `, ...createLine(block.line));
      const id = `E${block.number}`;
      return createElement(
        'details',
        { className: ['call'], id },
        summary,
        ...createLines(block.blocks.map(createBlock)),
      );
    }
    default:
      return block satisfies never;
  }
}

/** An element. Strings are texts of it. */
const createElement = (
  tagName: string,
  properties: Properties,
  ...children: readonly (ElementContent | string)[]
): Element => ({
  type: 'element',
  tagName,
  properties,
  children: children.map((child) => (typeof child === 'string' ? createText(child) : child)),
});

const createText = (text: string): Text => ({ type: 'text', value: escapeInvisible(text) });

const lineEnd: Text = { type: 'text', value: '\n' };

/** Puts each node on a line of its own. */
const createLines = (nodes: readonly ElementContent[]): ElementContent[] => [
  lineEnd,
  ...nodes.flatMap((node) => [node, lineEnd]),
];

const createCode = (text: string): Element =>
  createElement(
    'pre',
    { tabIndex: 0 },
    createElement('code', {}, { type: 'text', value: escapeInvisible(text, 'kept') }),
  );

function createItem({
  severity,
  severityLabel,
  title,
  marks,
  anchor,
  why,
  more,
  script,
}: Extract<Block, { block: 'item' }>): Element {
  return createElement(
    'article',
    { className: ['item'], id: anchor },
    createElement('span', { className: ['sev', severity] }, severityLabel),
    createElement('h3', {}, ...createLine(title)),
    createElement('span', { className: ['ev'] }, ...createLine(marks)),
    createElement('p', {}, ...createLine(why)),
    ...more.map(createBlock),
    ...(script
      ? [createElement('details', {}, createElement('summary', {}, script.label), createCode(script.text))]
      : []),
  );
}

/** As SVG, since the policy allows no `style` attribute with which CSS could set the widths. */
function createBar(bar: Bar): Element {
  const sum = bar.reduce((total, { count }) => total + count, 0);
  const widthOf = (count: number): number => Math.round((count / sum) * 1000);
  const parts = bar.map(({ tone, count }, at) => {
    const x = bar.slice(0, at).reduce((total, each) => total + widthOf(each.count), 0);
    const width = Math.max(1, widthOf(count) - (at < bar.length - 1 ? 8 : 0));
    return createElement('rect', { className: [tone], x: String(x), width, height: 8 });
  });
  const properties = { className: ['bar'], viewBox: '0 0 1000 8', preserveAspectRatio: 'none', ariaHidden: 'true' };
  return createElement('svg', properties, ...parts);
}

/** Of a level; more are folded. */
const maxFields = 10;

function createFields(nodes: readonly FieldNode[], labels: FieldLabels, level = 0): Element {
  const [shown, rest] = [nodes.slice(0, maxFields), nodes.slice(maxFields)];
  const items = shown.map(({ name, type, secret, fields }) => {
    const about = fields.length > 0 ? labels.count(fields.length) : type ? labels.type(type) : '';
    const line = [
      createElement('code', {}, name),
      ...(secret ? [createElement('em', {}, labels.secret)] : []),
      createElement('span', {}, about),
    ];
    if (fields.length === 0) return createElement('li', {}, ...line);
    const summary = createElement('summary', {}, ...line);
    const below = createFields(fields, labels, level + 1);
    return createElement('li', {}, createElement('details', { open: level === 0 }, summary, below));
  });
  if (rest.length > 0) {
    const summary = createElement('summary', {}, labels.more(rest.length));
    const more = createFields(rest, labels, level + 1);
    items.push(createElement('li', {}, createElement('details', {}, summary, more)));
  }
  return createElement('ul', level === 0 ? { className: ['tree'] } : {}, ...items);
}

const createList = (items: readonly ElementContent[][]): Element =>
  createElement('ul', {}, ...createLines(items.map((item) => createElement('li', {}, ...item))));

/** A table whose second heading is empty has pairs of names and values. */
function createTable({ head, rows }: Extract<Block, { block: 'table' }>): Element {
  const [label = ''] = head;
  const isPairs = head[1] === '';
  const headings = isPairs
    ? createElement('caption', {}, label)
    : createElement(
        'thead',
        {},
        createElement('tr', {}, ...head.map((cell) => createElement('th', { scope: 'col' }, cell))),
      );
  const body = rows.map((row) => {
    const cells =
      'over' in row
        ? [createElement('th', { scope: 'rowgroup', colSpan: head.length }, ...createLine(row.over))]
        : row.map((cell, at) =>
            createElement(at === 0 ? 'th' : 'td', at === 0 ? { scope: 'row' } : {}, ...createLine(cell)),
          );
    return createElement('tr', {}, ...cells);
  });
  return createElement(
    'div',
    { className: ['wide'], tabIndex: 0, role: 'group', ariaLabel: label },
    createElement(
      'table',
      isPairs ? {} : { className: [`of${head.length}`] },
      headings,
      createElement('tbody', {}, ...createLines(body)),
    ),
  );
}

const createLine = (line: Line): ElementContent[] => trimLine(line).map(createSpan);

function createSpan(span: Span): ElementContent {
  if (typeof span === 'string') return createText(span);
  if ('strong' in span) return createElement('strong', {}, span.strong);
  if ('evidence' in span) return createElement('a', { href: `#E${span.evidence}` }, `E${span.evidence}`);
  if ('struck' in span) return createElement('s', {}, ...span.struck.map(createSpan));
  if ('fields' in span) {
    const summary = createElement('summary', {}, span.summary);
    return createElement('details', {}, summary, createFields(span.fields, span.labels));
  }
  if ('link' in span) return createElement('a', { href: `#${span.to}` }, span.link);
  return createElement('code', {}, span.code);
}
