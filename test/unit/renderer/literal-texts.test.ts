import { describe, expect, it } from 'vitest';
import { rendererFiles, textParts, visitSyntax, type Piece } from '../../support/renderer-source.ts';

/** Attributes whose text a person reads or hears. */
const spoken =
  /^(?:label|title|description|placeholder|alt|aria-(?:label|description|roledescription|valuetext|placeholder)|error|tooltip)$/;

/** Texts that a screen may have of its own, and why. */
const sameEverywhere: Record<string, RegExp> = {
  'names of keys, as keyboards of both languages have them': /^(?:Ctrl|Alt|⌘)[ +](?:[A-Z*]|Enter)$/,
  'the paths of the contract': /^\/regist(?:ro|er)$/,
  'a made-up host, as an example of an address': /^[a-z.]+\.example\.test$/,
  'the name of the protocol, before its version': /^HTTP\/$/,
  'the number of a request in a report, as its files have it': /^E\*$/,
};

const hasLetters = (parts: readonly (string | null)[]): boolean =>
  parts.some((part) => part !== null && /\p{L}/u.test(part));

const nameOf = (attribute: Piece | undefined): string => {
  const name = attribute?.['name'];
  return typeof name === 'object' && name !== null && 'name' in name ? String(name.name) : '';
};

/** Whether a text in the code is one that is shown: a child of an element, or the value of a spoken attribute. */
function isShown(around: readonly Piece[]): boolean {
  // Pieces between a text and its element that hand the text on: conditions and what they choose from.
  const at = around.findLastIndex(
    ({ type }) => !/^(?:ConditionalExpression|LogicalExpression|JSXExpressionContainer)$/.test(type),
  );
  const [outer, inner] = [around[at], around[at + 1]];
  if (outer?.type === 'JSXAttribute') return spoken.test(nameOf(outer));
  return inner?.type === 'JSXExpressionContainer' && /^JSX(?:Element|Fragment)$/.test(outer?.type ?? '');
}

/** Whether a text only decides something, as in `kind === 'x' && …`. */
const isTested = (piece: Piece, around: readonly Piece[]): boolean =>
  around.at(-1)?.type === 'ConditionalExpression' && around.at(-1)?.['test'] === piece;

function shownLiterals(source: { name: string; program: unknown }): string[] {
  const found: string[] = [];
  visitSyntax(source.program, (piece, around) => {
    const parts = piece.type === 'JSXText' ? [String(piece.value)] : textParts(piece);
    if (!parts || !hasLetters(parts)) return;
    if (piece.type === 'JSXText' || (isShown(around) && !isTested(piece, around))) {
      found.push(
        parts
          .map((part) => part ?? '*')
          .join('')
          .trim(),
      );
    }
  });
  return found;
}

describe('the screens', () => {
  it('have no text of their own: each comes from the files of texts', () => {
    const wrong = rendererFiles().flatMap((file) =>
      shownLiterals(file)
        .filter((text) => !Object.values(sameEverywhere).some((allowed) => allowed.test(text)))
        .map((text) => `${file.name}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['as a child', '<p>Hello</p>'],
    ['in a chosen child', '<p>{yes ? "Hello" : t("a")}</p>'],
    ['in a label', '<input aria-label="Hello" />'],
    ['in a label with a value', '<input label={`Hello ${name}`} />'],
  ])('would be found with one %s', async (_where, code) => {
    const { parseSync } = await import('vite');
    const { program } = parseSync('screen.tsx', `const screen = ${code};`);
    expect(shownLiterals({ name: 'screen.tsx', program })).toHaveLength(1);
  });
});
