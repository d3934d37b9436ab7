import { isDeepStrictEqual } from 'node:util';
import type { Gap } from './known-server.ts';

type Lines = Record<string, unknown>;

/** What differs, as sentences; and the lines that Llavero is known to get wrong. */
export type Compared = { lines: number; differences: string[]; gaps: string[] };

/** Compares what was seen with what the server's author knows, line by line. Lines that were not seen are left out. */
export function compareLines(seen: Lines, known: Lines, gaps: Partial<Record<string, Gap<unknown>>> = {}): Compared {
  const compared: Compared = { lines: 0, differences: [], gaps: [] };
  for (const [line, is] of Object.entries(seen)) {
    compared.lines += 1;
    const gap = gaps[line];
    const isRight = isDeepStrictEqual(is, known[line]);
    if (isRight && gap && !gap.sometimes)
      compared.differences.push(`${line}: the gap is closed; take its lines out of known.ts`);
    if (isRight) continue;
    if (gap && isDeepStrictEqual(is, gap.says)) compared.gaps.push(`${line}: ${gap.because}`);
    else compared.differences.push(`${line}: the author knows ${text(known[line])}, Llavero says ${text(is)}`);
  }
  return compared;
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
