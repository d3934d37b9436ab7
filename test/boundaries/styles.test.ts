import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const mantine = 'node_modules/@mantine/core/styles';
const sheetsIn = (text: string): string[] =>
  [...text.matchAll(/@mantine\/core\/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name!);

const files = globSync('renderer/**/*.tsx', { cwd: root }).map((file) => ({ file, text: read(file) }));
const always = sheetsIn(read('renderer/styles.css'));

/** These are shown without Mantine's styles. */
const bare = new Set(['Code', 'Progress']);

/** Returns what a file shows of Mantine without having the styles for it. */
function lacking({ file, text }: (typeof files)[number]): string[] {
  const names = /import \{([^}]*)\} from '@mantine\/core';/.exec(text)?.[1] ?? '';
  const imported = [...text.matchAll(/^import '(\.[^']+\.css)';$/gm)].map(([, name]) =>
    read(path.join(path.dirname(file), name!)),
  );
  const there = new Set([...always, ...[text, ...imported].flatMap(sheetsIn), ...bare]);
  // Who puts items into this menu has its styles.
  if (text.includes('<OpenedMenu ')) there.add('Menu');
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => existsSync(path.join(root, mantine, `${name}.css`)) && !there.has(name))
    .map((name) => `${file}: ${name}`);
}

describe('the styles of Mantine', () => {
  it('come with what shows its components', () => {
    expect(lacking({ file: 'x.tsx', text: "import { Button, Menu } from '@mantine/core';" })).toEqual(['x.tsx: Menu']);
    expect(files.flatMap(lacking)).toEqual([]);
  });

  it('have the colours that are used, while the others are left out of the build', () => {
    const left = /--mantine-color-\(\?:([a-z|]+)\)/.exec(read('vite.config.ts'))?.[1]?.split('|') ?? [];
    const ours = [...globSync('renderer/**/*.css', { cwd: root }).map(read), ...files.map(({ text }) => text)].join(
      '\n',
    );
    const text = [ours, ...sheetsIn(ours).map((name) => read(`${mantine}/${name}.layer.css`))].join('\n');
    const named = /var\(--mantine-color-([a-z]+)-|\b(?:c|color|bg)=(?:"|\{.*')([a-z]+)/g;
    const used = [...text.matchAll(named)].map(([, variable, property]) => variable ?? property);
    expect(used).toEqual(expect.arrayContaining(['gray', 'dark', 'red']));
    expect(left.length).toBeGreaterThan(10);
    expect(left.filter((colour) => used.includes(colour))).toEqual([]);
  });
});
