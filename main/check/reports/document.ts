import type { TextPart } from '../../../preload/contract/locales/report-formatter.ts';
import type { FieldNode } from '../../../preload/contract/field-tree.ts';
import type { FindingId, Severity } from '../../../preload/contract/report.ts';
import type { RedactedText } from '../../../preload/contract/calls.ts';

/**
 * A part of a line. Each format escapes all of it. `code` is for every text from outside, and for names of the protocol.
 */
export type Span =
  | string
  | { strong: string }
  | { code: string }
  /** The number of a request in the evidence. */
  | { evidence: number }
  /** A text of ours that links to an anchor. */
  | { link: string; to: ReportAnchor }
  /** The fields of a response, folded. Only in formats that fold. */
  | { fields: readonly FieldNode[]; summary: string; labels: FieldLabels }
  /** Struck through. */
  | { struck: Line };

export type ReportAnchor = `finding-${FindingId}` | 'problems' | 'open' | 'kept' | 'untested';

export type FieldLabels = {
  count: (count: number) => string;
  more: (count: number) => string;
  type: (type: FieldNode['type'] & string) => string;
  secret: string;
};

/** A bar of proportional parts. */
export type Bar = readonly { tone: 'good' | 'bad' | 'warn' | 'observed' | 'rest'; count: number }[];

export type Line = readonly Span[];

export type Block =
  | { block: 'heading'; level: 1 | 2 | 3; line: Line; anchor?: ReportAnchor; bar?: Bar; barLabel?: string }
  | { block: 'paragraph'; line: Line }
  /** Items may be nested once. */
  | { block: 'list'; items: readonly { line: Line; items?: readonly Line[] }[] }
  /** `over` is a heading of the rows after it. */
  | { block: 'table'; head: readonly string[]; rows: readonly (readonly Line[] | { over: Line })[] }
  /** Links to the parts of the document. */
  | { block: 'parts'; label: string; links: readonly Span[] }
  /** A problem, with its severity and its evidence. */
  | {
      block: 'item';
      severity: Severity;
      severityLabel: string;
      title: Line;
      marks: Line;
      anchor?: ReportAnchor;
      why: Line;
      more: readonly Block[];
      script?: { label: string; text: string } | undefined;
    }
  | { block: 'code'; language: 'http' | 'bash'; text: string }
  /** Folded in formats that fold. Shorter formats have the requests only of those with `full`. */
  | { block: 'evidence'; number: number; line: Line; blocks: readonly Block[]; full: boolean };

/** A document, independent of its format. */
export type Document = { title: string; language: string; blocks: readonly Block[] };

export const heading = (level: 1 | 2 | 3, ...line: Span[]): Block => ({ block: 'heading', level, line });
export const paragraph = (...line: Span[]): Block => ({ block: 'paragraph', line });

/** A line without blanks at its ends, which Markdown would write as character references. */
export const trimLine = (line: Line): Line =>
  line
    .filter((span) => span !== '')
    .map((span, at, spans) => {
      if (typeof span !== 'string') return span;
      const trimmed = at === 0 ? span.trimStart() : span;
      return at === spans.length - 1 ? trimmed.trimEnd() : trimmed;
    })
    .filter((span) => span !== '');

/** The spans of a text, with texts from outside as code. */
export const createSpans = (parts: readonly TextPart[], text: (redacted: RedactedText) => string): Span[] =>
  parts.map((part) => (typeof part === 'string' ? part : { code: text(part.outside) }));

/** The same as one line of plain text, for terminals and formats without markup. */
export const formatPlainText = (parts: readonly TextPart[], text: (redacted: RedactedText) => string): string =>
  escapeInvisible(parts.map((part) => (typeof part === 'string' ? part : text(part.outside))).join('')).trim();

/**
 * Escapes characters that are invisible or change their surroundings, as in `\u{202e}`: control characters, direction
 * marks, characters of no width, lone surrogates, private and unassigned ones.
 */
export function escapeInvisible(text: string, lineEnds: 'kept' | 'shown' = 'shown'): string {
  const all = lineEnds === 'kept' ? text.replaceAll(/\r\n?/g, '\n') : text.replaceAll(/\s+/g, ' ');
  return all.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (character) =>
    lineEnds === 'kept' && (character === '\n' || character === '\t')
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
