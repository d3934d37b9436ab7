import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sources = globSync(['{main,preload,renderer,scripts,test}/**/*.{ts,tsx,mjs,cjs}', '*.ts'], {
  cwd: root,
  exclude: (name) => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(name),
});

/** A relative clause or a pronoun stands in the place of a noun here: name the thing. */
const unclear = /\b(?:whoever|anew|(?:is|are) none|of before)\b/i;

/** Returns the comments of a source. A comment of several lines with `//` is read as one. */
const commentsOf = (file: string, source: string): string[] =>
  parseSync(file, source.replaceAll(/(?<=^\s*\/\/.*)\n\s*\/\/ ?/gm, ' ')).comments.map(({ value }) =>
    value.replaceAll(/\s*\n[\s*]*/g, ' ').trim(),
  );

/** Returns the names of tests and of groups of tests; the rows of `it.each` begin with a part of a name. */
function testNamesOf(file: string, source: string): string[] {
  const names: string[] = [];
  const visitor = new Visitor({
    CallExpression({ start, arguments: [first] }) {
      if (!/^(?:it|describe)\b/.test(source.slice(start, start + 9)) || !first) return;
      const rows = first.type === 'ArrayExpression' ? first.elements : [first];
      for (const row of rows) {
        const name = row?.type === 'ArrayExpression' ? row.elements[0] : row;
        if (name) names.push(source.slice(name.start, name.end).replaceAll(/^['"`]|['"`]$/g, ''));
      }
    },
  });
  visitor.visit(parseSync(file, source).program);
  return names;
}

const unclearTexts = (file: string, source: string): string[] => {
  const names = file.endsWith('.test.ts') ? testNamesOf(file, source) : [];
  return [...commentsOf(file, source), ...names].filter((text) => unclear.test(text)).map((text) => `${file}: ${text}`);
};

const documents = globSync('**/*.md', {
  cwd: root,
  exclude: (name) => /(?:^|\/)(?:node_modules|dist|release)(?:\/|$)/.test(name),
});
/** The interface is given, and the report is written by the program. */
const isGiven = (file: string): boolean => /\/(?:interface|example-report)\.md$/.test(file);

describe('a document', () => {
  it.each(documents.filter((file) => !isGiven(file)))('names the thing: %s', (file) => {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    expect(lines.filter((line) => unclear.test(line))).toEqual([]);
  });
});

describe('a comment and the name of a test', () => {
  it('name the thing', () => {
    expect(sources.length).toBeGreaterThan(600);
    const found = sources.flatMap((file) => unclearTexts(file, readFileSync(path.join(root, file), 'utf8')));
    expect(found).toEqual([]);
  });

  it('are found over several lines and in rows, and a text of the program is left alone', () => {
    const source =
      "const a = 'whoever';\n/**\n * One that is\n * none.\n */\nconst b = 1; // Anew.\n// Those that are\n// none.\n" +
      "describe('begins anew', () => {\n  it.each([['that of before', 1], ['a', 'anew']])(`is none: ${b}`, () => a);\n});";
    expect(unclearTexts('a.test.ts', source)).toEqual([
      'a.test.ts: * One that is none.',
      'a.test.ts: Anew.',
      'a.test.ts: Those that are none.',
      'a.test.ts: begins anew',
      'a.test.ts: is none: ${b}',
      'a.test.ts: that of before',
    ]);
  });
});
