import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedInterface, shippedNames } from '../../../main/interface/shipped.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const document = read('main/interface/README.md');
const [head = [], , ...rows] = document
  .split('\n')
  .slice(document.split('\n').findIndex((line) => line.startsWith('| API type |')))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const table = new Map(
  rows
    .slice(
      0,
      rows.findIndex((row) => row.length === 0),
    )
    .map(([name = '', ...cells]) => [name, cells]),
);

/** Where a mark is proved, and what has to stand there of a description. */
const proofs: Record<string, { files: readonly string[]; names: (name: string) => string } | undefined> = {
  real: { files: ['test/service/contract-run/described-servers.test.ts'], names: (name) => `by: '${name}'` },
  stock: { files: ['test/prove/stock.ts'], names: (name) => `shippedInterface('${name}')` },
  rec: { files: ['test/unit/interface/transcripts.test.ts'], names: (name) => `\n    '${name}',\n` },
  docs: { files: ['test/unit/interface/transcripts.test.ts'], names: (name) => `shippedInterface('${name}')` },
  'stand-in': { files: ['test/unit/session/described-sessions.test.ts'], names: (name) => `'${name}'` },
  app: { files: ['test/e2e/app/from-a-command.test.ts'], names: (name) => `'Use ${name}'` },
  ours: {
    files: ['test/service/other-interfaces.test.ts', 'test/service/contract-run/described-scripts.test.ts'],
    names: () => 'shippedNames',
  },
};

describe('the table of what was proved', () => {
  it('has a row for each description that comes with the application', () => {
    expect([...table.keys()].toSorted()).toEqual(shippedNames.filter((name) => name !== 'llavero').toSorted());
  });

  it.for([...table])('names for %s tests that are there', async ([name, [, ...cells]]) => {
    const { calls } = (await shippedInterface(name))!;
    expect(cells).toHaveLength(head.length - 2);
    for (const mark of cells.filter((each) => each !== 'none' && each !== 'not run')) {
      const proof = proofs[mark];
      expect(proof, `${name}: ${mark}`).toBeDefined();
      for (const file of proof?.files ?? []) {
        expect(document).toContain(file);
        expect(existsSync(path.join(root, file)) && read(file)).toContain(proof?.names(name));
      }
    }
    const isNone = (column: string): boolean => cells[head.indexOf(column) - 2] === 'none';
    expect([isNone('register'), isNone('log out')]).toEqual([!calls.register, !calls.logout]);
  });
});
