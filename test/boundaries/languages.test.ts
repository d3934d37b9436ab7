import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

it('no source chooses by the code of a language: a third one is a file and nothing else', () => {
  const sources = globSync(['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: root });
  expect(sources.length).toBeGreaterThan(500);
  const choosing = sources.filter((file) => /[!=]==? '(?:en|es)'/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(choosing).toEqual([]);
});
