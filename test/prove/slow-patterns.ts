import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { parseSync } from 'vite';

/** A pattern or a text as a source has it. */
export type Written = { at: string; pattern: RegExp } | { at: string; text: string };

/** The texts that a pattern takes long for: `start`, then `pump` over and over, then `end`. */
export type Attack = { start: string; pump: string; end: string };

/** Returns every pattern and every text in the sources of a folder, and in its words that are data. */
export function writtenIn(folder: string): Written[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.flatMap((name): Written[] => {
    if (path.basename(name) === 'vocabulary.json') return writtenInWords(path.join(folder, name));
    if (!name.endsWith('.ts')) return [];
    const code = readFileSync(path.join(folder, name), 'utf8');
    const found: Written[] = [];
    walk(parseSync(name, code).program, (node) => {
      const at = `${name}:${code.slice(0, node.start).split('\n').length}`;
      if (node.value instanceof RegExp) found.push({ at, pattern: node.value });
      else if (typeof node.value === 'string') found.push({ at, text: node.value });
      else if (typeof node.cooked === 'string') found.push({ at, text: node.cooked });
    });
    return found;
  });
}

/** Returns the patterns of `phrases` and `patterns`, and the texts under all other names. */
function writtenInWords(file: string): Written[] {
  const tables: Record<string, object> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(tables).flatMap(([kind, table]) =>
    textsIn(table).map((text): Written => {
      const at = `${path.basename(file)}: ${text.slice(0, 40)}`;
      return kind === 'phrases' || kind === 'patterns' ? { at, pattern: new RegExp(text, 'i') } : { at, text };
    }),
  );
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);

type Node = { start?: number; value?: unknown; cooked?: unknown };

function walk(node: unknown, onNode: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
  if (!Array.isArray(node)) onNode('cooked' in node ? { ...node } : node);
  for (const inner of Object.values(node)) walk(inner, onNode);
}

/** Texts that a pattern matches. None where fast-check cannot read the pattern. */
function samplesOf(pattern: RegExp, seed: number, count = 3): string[] {
  // fast-check draws without end for a class that leaves out all but what has a property, such as `[^\P{Cc}\n]`.
  if (/\[\^[^\]]*\\P\{/.test(pattern.source)) return [];
  try {
    // Look-behind only says where a match may begin.
    const plain = new RegExp(pattern.source.replaceAll(/\(\?<!(?:\\.|[^()\\])*\)/g, ''), pattern.unicode ? 'u' : '');
    return fc
      .sample(fc.stringMatching(plain), { seed, numRuns: count })
      .map((sample) => (sample.length > 300 ? sample.slice(0, 300) : sample));
  } catch {
    return [];
  }
}

/** No pattern goes on with the first of these, and many do with the others. */
const ends = ['\0', '', '\n'];
const pumps = [' ', '\n', 'a', '0'];

/** Makes texts that begin as a pattern wants them, and then go on for as long as it can be kept waiting. */
export function attacksOn(pattern: RegExp, seed: number): Attack[] {
  const attacks: Attack[] = [];
  for (const sample of new Set(['', ...samplesOf(pattern, seed)])) {
    const cuts = [...new Set([0, 1, 3, 8, sample.length >> 1, sample.length - 1, sample.length])];
    for (const from of cuts.filter((cut) => cut >= 0 && cut <= sample.length)) {
      const start = sample.slice(0, from);
      const pieces = new Set(cuts.filter((to) => to > from).map((to) => sample.slice(from, to)));
      for (const pump of [...pieces, sample, ...pumps]) {
        if (pump === '') continue;
        for (const end of ends) attacks.push({ start, pump, end });
      }
    }
  }
  return attacks;
}

export const textOf = ({ start, pump, end }: Attack, length: number): string =>
  start + pump.repeat(Math.max(0, Math.floor((length - start.length - end.length) / pump.length))) + end;

/** Measures the milliseconds of processor time that a pattern takes to find every match in a text. */
function msFor(pattern: RegExp, text: string): number {
  const everywhere = new RegExp(pattern.source, `${pattern.flags.replaceAll(/[gy]/g, '')}g`);
  const before = process.threadCpuUsage();
  for (const match of text.matchAll(everywhere)) if (match.index < 0) break;
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The length at which attacks are first compared. */
const screeningLength = 1000;

/** Milliseconds after which no longer text is tried: what is not linear would take minutes. */
const enoughMs = 100;

/** Finds the attack that a pattern takes longest for, at texts that grow to `longest` characters. */
export function worstAttack(pattern: RegExp, longest: number, seed: number): { attack: Attack; ms: number } {
  const screened = attacksOn(pattern, seed)
    .map((attack) => ({ attack, ms: msFor(pattern, textOf(attack, screeningLength)) }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 3);
  return screened
    .map(({ attack }) => {
      let ms = 0;
      for (let length = 2 * screeningLength; length <= longest && ms < enoughMs; length *= 2) {
        const text = textOf(attack, length);
        // The collector may have run, so the shorter of two times counts.
        ms = Math.min(msFor(pattern, text), msFor(pattern, text));
      }
      return { attack, ms };
    })
    .reduce((worst, each) => (each.ms > worst.ms ? each : worst));
}
