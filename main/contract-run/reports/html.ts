import { hash } from 'node:crypto';
import type { Report } from '../../../preload/contract/contract-report.ts';
import type { JudgedFault } from '../accepted-faults.ts';
import { visible, type Block, type Document, type Line, type Span } from './document.ts';
import { reportDocument } from './report-document.ts';
import { style } from './html-style.ts';

/** Writes a report as one HTML file that loads nothing and runs nothing, with every call. */
export function htmlReport(report: Report, language: string, judged?: readonly JudgedFault[]): string {
  return writeHtml(reportDocument(report, language, judged));
}

/** The page's policy lets this one style through. */
const styleHash = `sha256-${hash('sha256', style, 'base64')}`;

/** Writes a document as a whole HTML page. Every text is escaped, and the policy forbids what gets past that. */
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
    case 'heading':
      return `<h${block.level}${block.place ? ` id="${block.place}"` : ''}>${htmlLine(block.line)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${htmlLine(block.line)}</p>`;
    case 'list':
      return writeList(
        block.items.map(
          ({ line, items = [] }) => htmlLine(line) + (items.length > 0 ? writeList(items.map(htmlLine)) : ''),
        ),
      );
    case 'table':
      return writeTable(block);
    case 'code':
      return `<pre tabindex="0"><code>${escaped(block.text, 'kept')}</code></pre>`;
    case 'evidence':
      return `<details id="E${block.number}"><summary>E${block.number}: ${htmlLine(block.line)}</summary>\n${block.blocks
        .map(writeBlock)
        .join('\n')}\n</details>`;
    default:
      return block satisfies never;
  }
}

const writeList = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;

/** Writes a table. One whose second heading is empty pairs names with values, and the names are its headings. */
function writeTable({ head, rows }: Extract<Block, { block: 'table' }>): string {
  const isPairs = head[1] === '';
  const headings = isPairs
    ? `<caption>${escaped(head[0] ?? '')}</caption>`
    : `<thead><tr>${head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('')}</tr></thead>`;
  const body = rows.map((cells) => {
    if ('over' in cells) return `<tr><th scope="rowgroup" colspan="${head.length}">${htmlLine(cells.over)}</th></tr>`;
    const written = cells.map((cell, at) =>
      at === 0 ? `<th scope="row">${htmlLine(cell)}</th>` : `<td>${htmlLine(cell)}</td>`,
    );
    return `<tr>${written.join('')}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="group" aria-label="${escaped(head[0] ?? '')}"><table${isPairs ? '' : ` class="of${head.length}"`}>${headings}\n<tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

/** Writes a line as HTML. Every text in it is escaped. */
export const htmlLine = (line: Line): string => line.map(writeSpan).join('').trim();

function writeSpan(span: Span): string {
  if (typeof span === 'string') return escaped(span);
  if ('strong' in span) return `<strong>${escaped(span.strong)}</strong>`;
  if ('evidence' in span) return `<a href="#E${span.evidence}">E${span.evidence}</a>`;
  if ('struck' in span) return `<s>${span.struck.map(writeSpan).join('')}</s>`;
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
  visible(text, lineEnds).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
