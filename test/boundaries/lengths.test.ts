import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** The linter holds every other function to the same number; it cannot leave out `describe`, which is a list of tests. */
const mostLines = 80;

/** Returns the first lines of the tests and functions in a test file that are too long. The code is formatted. */
function tooLong(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, from) => {
    const [, indent, begins] = /^( *)((?:it\(|it\.each\(.*\)\(|\]\)\(|async function|function\b).*)$/.exec(line) ?? [];
    if (indent === undefined || begins === undefined) return [];
    const length =
      lines.slice(from + 1).findIndex((each) => each.startsWith(`${indent}}`) || each === `${indent});`) + 2;
    return length > mostLines ? [`${from + 1}: ${begins} (${length} lines)`] : [];
  });
}

describe('the functions of tests', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/static-scan/**', '**/node_modules/**'] });

  it(`have at most ${mostLines} lines`, () => {
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) =>
      tooLong(readFileSync(path.join(root, file), 'utf8')).map((each) => `${file}:${each}`),
    );
    expect(found).toEqual([]);
  });

  it('are found when they are longer', () => {
    const body = Array.from({ length: 90 }, () => '    call();').join('\n');
    expect(tooLong(`describe('x', () => {\n  it('y', () => {\n${body}\n  });\n});\n`)).toEqual([
      "2: it('y', () => { (92 lines)",
    ]);
  });
});
