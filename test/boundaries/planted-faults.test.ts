import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { chosenFaults, proveFaults, unplantable } from '../prove/faults.ts';
import { plantedFaults } from '../prove/planted-faults.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Of five districts, each found by a file that takes a second at most. */
const eachDay = [
  'after one cancelled download no further one works',
  'a moment that is told in minutes is taken for exact by a mock',
  'the handler gets what the window sent, not what was read of it',
  'curl -G at an address with a query begins a second query',
  'an address with a password in it is opened in the browser',
];

describe('the planted faults', () => {
  it('have a text that is in their file exactly once, another in its place, and tests that are there', async () => {
    expect(plantedFaults.length).toBeGreaterThanOrEqual(40);
    expect(await unplantable(plantedFaults)).toEqual([]);
    expect(plantedFaults.filter(({ from, to, found }) => from === to || found.length === 0)).toEqual([]);
    const files = plantedFaults.flatMap(({ found }) => found);
    expect(files.filter((file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(path.join(root, file)))).toEqual(
      [],
    );
    expect(new Set(plantedFaults.map(({ fault }) => fault)).size).toBe(plantedFaults.length);
  });

  it('whose text is not there are told', async () => {
    const [first] = plantedFaults;
    const sentences = await unplantable([
      { ...first!, from: 'no such text' },
      { ...first!, file: 'main/none.ts' },
      { ...first!, from: 'const ' },
    ]);
    expect(sentences).toHaveLength(3);
  });

  it('are all in one of four parts', () => {
    const parts = ['1/4', '2/4', '3/4', '4/4'].map((part) => chosenFaults(plantedFaults, '', part) ?? []);
    expect(parts.flat()).toHaveLength(plantedFaults.length);
    expect(new Set(parts.flat())).toEqual(new Set(plantedFaults));
    expect(['0/4', '5/4', '2', '2/4/', 'x'].map((part) => chosenFaults(plantedFaults, '', part))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  it('are found: five each day, and a change that breaks nothing is not', { timeout: 600_000 }, async () => {
    const five = plantedFaults.filter(({ fault }) => eachDay.includes(fault));
    expect(five).toHaveLength(eachDay.length);
    const harmless = { ...five[0]!, fault: 'nothing', to: `${five[0]!.from} /* nothing */` };
    const broken = { ...five[1]!, fault: 'no code', to: '(' };
    const planted = [...five, harmless, broken];
    const { outcomes, unsound } = await proveFaults({ planted, folder: await makeTemporaryFolder() });
    expect(unsound).toEqual([]);
    expect(outcomes.map(({ planted: { fault }, came, why }) => [fault, came, why])).toEqual([
      ...five.map(({ fault }) => [fault, 'found', '']),
      ['nothing', 'not found', `no test fails in ${harmless.found.join()}`],
      ['no code', 'broken', `no test ran in ${broken.found.join()}`],
    ]);
  });
});
