import { hash } from 'node:crypto';
import type { Report } from '../../../preload/contract/report.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';
import type { FieldNode } from '../../../preload/contract/field-tree.ts';
import {
  escapeInvisible,
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
export function renderHtmlReport(report: Report, language: string, judged?: readonly ClassifiedFault[]): string {
  return writeHtml(reportDocument(report, language, judged, true));
}

/** The policy of the page allows this style alone. */
const styleHash = `sha256-${hash('sha256', style, 'base64')}`;

/** Every text is escaped, and the policy forbids scripts and requests besides. */
function writeHtml({ title, language, blocks }: Document): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${blocks.map(writeBlock).join('\n')}
</main>
</body>
</html>
`;
}

function writeBlock(block: Block): string {
  switch (block.block) {
    case 'heading': {
      const written = `<h${block.level}${block.place ? ` id="${block.place}"` : ''}>${renderHtmlLine(block.line)}</h${block.level}>`;
      if (block.level !== 3) return written;
      return `<div class="sec">${written}${block.bar ? `${writeBar(block.bar)}<span>${escaped(block.said ?? '')}</span>` : ''}</div>`;
    }
    case 'parts':
      return `<nav aria-label="${escaped(block.label)}">${block.links.map(writeSpan).join('')}</nav>`;
    case 'item':
      return writeItem(block);
    case 'paragraph':
      return `<p>${renderHtmlLine(block.line)}</p>`;
    case 'list':
      return writeList(
        block.items.map(
          ({ line, items = [] }) =>
            renderHtmlLine(line) + (items.length > 0 ? writeList(items.map(renderHtmlLine)) : ''),
        ),
      );
    case 'table':
      return writeTable(block);
    case 'code':
      return writeCode(block.text);
    case 'evidence':
      return `<details class="call" id="E${block.number}"><summary>E${block.number}: ${renderHtmlLine(block.line)}</summary>\n${block.blocks
        .map(writeBlock)
        .join('\n')}\n</details>`;
    default:
      return block satisfies never;
  }
}

const writeCode = (text: string): string => `<pre tabindex="0"><code>${escaped(text, 'kept')}</code></pre>`;

function writeItem({
  severity,
  said,
  title,
  marks,
  place,
  why,
  more,
  script,
}: Extract<Block, { block: 'item' }>): string {
  return `<article class="item"${place ? ` id="${place}"` : ''}><span class="sev ${severity}">${escaped(said)}</span>
<h3>${renderHtmlLine(title)}</h3><span class="ev">${renderHtmlLine(marks)}</span><p>${renderHtmlLine(why)}</p>
${more.map(writeBlock).join('\n')}${script ? `\n<details><summary>${escaped(script.label)}</summary>${writeCode(script.text)}</details>` : ''}
</article>`;
}

/** As SVG, since the policy allows no `style` attribute with which CSS could set the widths. */
function writeBar(bar: Bar): string {
  const sum = bar.reduce((total, { count }) => total + count, 0);
  const width = (count: number): number => Math.round((count / sum) * 1000);
  const parts = bar.map(({ tone, count }, at) => {
    const from = bar.slice(0, at).reduce((total, each) => total + width(each.count), 0);
    return `<rect class="${tone}" x="${from}" width="${Math.max(1, width(count) - (at < bar.length - 1 ? 8 : 0))}" height="8"/>`;
  });
  return `<svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`;
}

/** Of a level; more are folded. */
const mostFields = 10;

function writeFields(nodes: readonly FieldNode[], say: FieldLabels, level = 0): string {
  const [shown, rest] = [nodes.slice(0, mostFields), nodes.slice(mostFields)];
  const items = shown.map(({ name, type, secret, fields }) => {
    const mark = secret ? `<em>${escaped(say.secret)}</em>` : '';
    const about = fields.length > 0 ? say.count(fields.length) : type ? say.type(type) : '';
    const line = `<code>${escaped(name)}</code>${mark}<span>${escaped(about)}</span>`;
    if (fields.length === 0) return `<li>${line}</li>`;
    return `<li><details${level === 0 ? ' open' : ''}><summary>${line}</summary>${writeFields(fields, say, level + 1)}</details></li>`;
  });
  const more =
    rest.length > 0
      ? `<li><details><summary>${escaped(say.more(rest.length))}</summary>${writeFields(rest, say, level + 1)}</details></li>`
      : '';
  return `<ul${level === 0 ? ' class="tree"' : ''}>${items.join('')}${more}</ul>`;
}

const writeList = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;

/** A table whose second heading is empty has pairs of names and values. */
function writeTable({ head, rows }: Extract<Block, { block: 'table' }>): string {
  const isPairs = head[1] === '';
  const headings = isPairs
    ? `<caption>${escaped(head[0] ?? '')}</caption>`
    : `<thead><tr>${head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('')}</tr></thead>`;
  const body = rows.map((cells) => {
    if ('over' in cells)
      return `<tr><th scope="rowgroup" colspan="${head.length}">${renderHtmlLine(cells.over)}</th></tr>`;
    const written = cells.map((cell, at) =>
      at === 0 ? `<th scope="row">${renderHtmlLine(cell)}</th>` : `<td>${renderHtmlLine(cell)}</td>`,
    );
    return `<tr>${written.join('')}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="group" aria-label="${escaped(head[0] ?? '')}"><table${isPairs ? '' : ` class="of${head.length}"`}>${headings}\n<tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

/** Every text in it is escaped. */
export const renderHtmlLine = (line: Line): string => line.map(writeSpan).join('').trim();

function writeSpan(span: Span): string {
  if (typeof span === 'string') return escaped(span);
  if ('strong' in span) return `<strong>${escaped(span.strong)}</strong>`;
  if ('evidence' in span) return `<a href="#E${span.evidence}">E${span.evidence}</a>`;
  if ('struck' in span) return `<s>${span.struck.map(writeSpan).join('')}</s>`;
  if ('fields' in span) {
    return `<details><summary>${escaped(span.summary)}</summary>${writeFields(span.fields, span.say)}</details>`;
  }
  if ('link' in span) return `<a href="#${span.to}">${escaped(span.link)}</a>`;
  return `<code>${escaped(span.code)}</code>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string, lineEnds: 'kept' | 'shown' = 'shown'): string =>
  escapeInvisible(text, lineEnds).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
