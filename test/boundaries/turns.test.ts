import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { byTurns, filesByTurns, filesOfOtherDays } from '../../scripts/turns.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const files = await filesByTurns();

describe('the test files that take turns', () => {
  it('are there, each once, and in the order of their paths', () => {
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(files).toEqual([...new Set(files)].toSorted());
  });

  it('leave each claim of SECURITY a test that runs every day', () => {
    const lines = readFileSync(path.join(root, 'SECURITY.md'), 'utf8').split('\n');
    const claims = lines.map((line) => [...line.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file]) => file!));
    expect(claims.filter((tests) => tests.length > 0).length).toBeGreaterThan(30);
    expect(claims.filter((tests) => tests.length > 0 && tests.every((file) => files.includes(file)))).toEqual([]);
  });

  it('are run when it is their turn', async () => {
    const others = await filesOfOtherDays();
    expect(others.length).toBeLessThanOrEqual(Math.ceil(files.length * 0.9));
    expect(others.filter((file) => !files.includes(file))).toEqual([]);
  });

  it.each([2, 3, 7, 10, 24])('take each of %i cases after a while', (count) => {
    const cases = Array.from({ length: count }, (_case, index) => index);
    const everyTenDays = Array.from({ length: 10 }, (_day, round) => 20_780 + 10 * round);
    expect(new Set(everyTenDays.flatMap((day) => byTurns(cases, day)))).toEqual(new Set(cases));
  });
});
