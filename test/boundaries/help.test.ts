import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);

/** What a file imports and everything that follows from it, types excluded, and what these files import when they run. */
function readFor(entry: string): { files: string[]; packages: string[]; later: string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  const later = new Set<string>();
  // A set gives what is added to it meanwhile as well.
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const fromHere = (name: string): string => path.join(path.dirname(file), name);
    for (const name of namesIn(text, /^(?:import|export)(?! type\b)(?:[\w\s{},*]* from)? '([^']+)'/gm)) {
      if (name.startsWith('.')) files.add(fromHere(name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
    for (const name of namesIn(text, /\bimport\(\s*'([^']+)'/g)) later.add(fromHere(name));
  }
  return { files: [...files], packages: [...packages], later: [...later] };
}

it.each(['check', 'mock', 'serve', 'describe'])('the help of %s reads nothing of what the command runs', (name) => {
  const { files, packages, later } = readFor(`main/commands/${name}-command.ts`);
  expect(later).toContain(`main/commands/run-${name}.ts`);
  expect(later.filter((file) => files.includes(file))).toEqual([]);
  // Zod and the texts of reports would take longer than everything else of a help.
  expect(packages).toEqual(['@commander-js/extra-typings']);
});
