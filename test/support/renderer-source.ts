import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** One piece of a syntax tree (ESTree with JSX), as far as the tests of texts look at it. */
export type Piece = { type: string; start: number; value?: unknown; quasis?: { value: { cooked: string } }[] } & Record<
  string,
  unknown
>;

const folder = join(import.meta.dirname, '../../renderer');

const isPiece = (value: unknown): value is Piece =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Calls `look` with each piece below and including this one, and the pieces around it, the nearest last. */
export function visitSyntax(piece: unknown, look: (piece: Piece, around: readonly Piece[]) => void): void {
  const walk = (value: unknown, around: readonly Piece[]) => {
    if (Array.isArray(value)) for (const each of value) walk(each, around);
    if (!isPiece(value)) return;
    look(value, around);
    const inside = [...around, value];
    for (const each of Object.values(value)) walk(each, inside);
  };
  walk(piece, []);
}

/** Parses every TypeScript file of the renderer. TypeScript 7 has no parser to call, so this is the one of Vite. */
export const rendererFiles = (): { name: string; source: string; program: unknown }[] =>
  globSync('**/*.{ts,tsx}', { cwd: folder }).map((name) => {
    const source = readFileSync(join(folder, name), 'utf8');
    return { name, source, program: parseSync(name, source).program };
  });

/** Says the parts of a text in the code, with null for each place that is filled in when the program runs. */
export function textParts(piece: Piece): (string | null)[] | undefined {
  if (piece.type === 'Literal' && typeof piece.value === 'string') return [piece.value];
  if (piece.type !== 'TemplateLiteral' || !piece.quasis) return undefined;
  return piece.quasis.flatMap(({ value }, index) => (index === 0 ? [value.cooked] : [null, value.cooked]));
}
