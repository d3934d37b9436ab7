import type { TextPart } from '../../../preload/contract/locales/report-formatter.ts';
import type { FieldNode } from '../../../preload/contract/field-tree.ts';
import type { FindingId, Severity } from '../../../preload/contract/report.ts';
import type { RedactedText } from '../../../preload/contract/calls.ts';

/**
 * A piece of a line. Nothing in it is markup, since each form of a document escapes all of it. `code` is for whatever
 * comes from outside, and for names of the protocol.
 */
export type Span =
  | string
  | { strong: string }
  | { code: string }
  /** The number of a call in the evidence. */
  | { evidence: number }
  /** Own words that lead to the place of this name. */
  | { link: string; to: ReportAnchor }
  /** The fields of an answer, folded. Only a form that folds has them. */
  | { fields: readonly FieldNode[]; summary: string; say: FieldLabels }
  /** Still to be read, with a line through it. */
  | { struck: Line };

/** A place of the document that links lead to. */
export type ReportAnchor = `finding-${FindingId}` | 'problems' | 'open' | 'kept' | 'untested';

/** What says the fields of an answer. */
export type FieldLabels = {
  count: (count: number) => string;
  more: (count: number) => string;
  type: (type: FieldNode['type'] & string) => string;
  secret: string;
};

/** How much there is of what: each part of a bar in its tone. */
export type Bar = readonly { tone: 'good' | 'bad' | 'warn' | 'seen' | 'rest'; count: number }[];

export type Line = readonly Span[];

export type Block =
  | { block: 'heading'; level: 1 | 2 | 3; line: Line; place?: ReportAnchor; bar?: Bar; said?: string }
  | { block: 'paragraph'; line: Line }
  /** An item may have items of its own. */
  | { block: 'list'; items: readonly { line: Line; items?: readonly Line[] }[] }
  /** A row of one line stands over the rows after it. */
  | { block: 'table'; head: readonly string[]; rows: readonly (readonly Line[] | { over: Line })[] }
  /** Links to the parts of the document. */
  | { block: 'parts'; label: string; links: readonly Span[] }
  /** What is wrong, with how much it matters, and what shows it. */
  | {
      block: 'item';
      severity: Severity;
      said: string;
      title: Line;
      marks: Line;
      place?: ReportAnchor;
      why: Line;
      more: readonly Block[];
      script?: { label: string; text: string } | undefined;
    }
  | { block: 'code'; language: 'http' | 'bash'; text: string }
  /** It is folded where the form can fold. `full` alone is left out of shorter forms. */
  | { block: 'evidence'; number: number; line: Line; blocks: readonly Block[]; full: boolean };

/** A document apart from its form. */
export type Document = { title: string; language: string; blocks: readonly Block[] };

export const heading = (level: 1 | 2 | 3, ...line: Span[]): Block => ({ block: 'heading', level, line });
export const paragraph = (...line: Span[]): Block => ({ block: 'paragraph', line });

/** Makes pieces of a line of words with texts from outside among them. */
export const createSpans = (parts: readonly TextPart[], text: (redacted: RedactedText) => string): Span[] =>
  parts.map((part) => (typeof part === 'string' ? part : { code: text(part.outside) }));

/** Makes one line of plain text of the same, for terminals and for forms without markup. */
export const formatPlainText = (parts: readonly TextPart[], text: (redacted: RedactedText) => string): string =>
  escapeInvisible(parts.map((part) => (typeof part === 'string' ? part : text(part.outside))).join('')).trim();

/**
 * Shows what cannot be seen, or would change how its surroundings are read: control characters, marks that turn the
 * direction, characters without width, halves of surrogate pairs, private and unassigned ones. `\u{202e}` stands in
 * their place.
 */
export function escapeInvisible(text: string, lineEnds: 'kept' | 'shown' = 'shown'): string {
  const all = lineEnds === 'kept' ? text.replaceAll(/\r\n?/g, '\n') : text.replaceAll(/\s+/g, ' ');
  return all.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (character) =>
    lineEnds === 'kept' && (character === '\n' || character === '\t')
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
