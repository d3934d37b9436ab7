import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../renderer');
const textOf = (pattern: string) =>
  globSync(pattern, { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
const all = (texts: string[], pattern: RegExp) =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, names]) => names!.trim().split(/\s+/))));

it('every primitive that a class or an element names stands in the sheet, and each of the sheet is used', () => {
  const declared = all(textOf('styles/primitives.css'), /^ *\.([\w-]+)[:\w-]* \{/gm);
  const named = new Set([
    ...all(textOf('**/*.module.css'), /composes: ([^;]+) from global;/g),
    ...all(textOf('**/*.tsx'), /className="([^"]+)"/g),
  ]);
  expect([...named].filter((name) => !declared.has(name))).toEqual([]);
  expect([...declared].filter((name) => !named.has(name))).toEqual([]);
});
