import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readAbout, loadLicences } from '../../main/window/read-about.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

it('the lists of two builds become one, in which each package and each text is once', async () => {
  const folder = await makeTemporaryFolder();
  const files = ['a.json', 'b.json', 'absent.json'].map((name) => path.join(folder, name));
  const react = { name: 'react', version: '1.0.0', licence: 'MIT' };
  const lists = [
    {
      parts: [
        { ...react, text: 0 },
        { name: 'zod', version: '2.0.0', licence: 'MIT', text: 1 },
      ],
      texts: ['A', 'B'],
    },
    {
      parts: [
        { ...react, text: 1 },
        { name: 'axios', version: '3.0.0', licence: 'MIT' },
      ],
      texts: ['B', 'A'],
    },
  ];
  for (const [index, list] of lists.entries()) await writeFile(files[index]!, JSON.stringify(list));
  const { parts, texts } = await loadLicences(files);
  expect(parts.map(({ name, text }) => [name, text === undefined ? undefined : texts[text]])).toEqual([
    ['axios', undefined],
    ['react', 'A'],
    ['zod', 'B'],
  ]);
  expect(texts).toEqual(['A', 'B']);
});

it('what the application runs on names the system', () => {
  expect(readAbout().system).toMatch(/^\w+ \S+, \w+$/);
});
