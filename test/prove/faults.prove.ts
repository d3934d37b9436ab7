import { expect, it } from 'vitest';
import { z } from 'zod';
import { chosenFaults, faultTable, proveFaults, unplantable } from './faults.ts';
import { folder, given, refuse, say } from './given.ts';
import { plantedFaults } from './planted-faults.ts';

const { only, part } = given({ only: z.string().optional(), part: z.string().optional() });

it('each planted fault is found by its tests', async () => {
  const planted = chosenFaults(plantedFaults, only, part);
  if (!planted) refuse('The option --part takes two numbers, such as 2/4.');
  if (planted.length === 0) refuse('The option --only takes a text of a file, a fault or a test.');
  expect(await unplantable(plantedFaults)).toEqual([]);
  say(`faults: ${planted.length} of ${plantedFaults.length}, after their tests without any`);
  const { outcomes, unsound } = await proveFaults({
    planted,
    folder,
    onOutcome: ({ planted: { fault, file }, came, why, seconds }) =>
      say(`  ${came}, ${seconds} s: ${file}: ${fault}${why === '' ? '' : ` (${why})`}`),
  });
  for (const file of unsound) say(`${file} fails, or runs no test, without any fault.`);
  process.stdout.write(`${faultTable(outcomes)}\n`);
  expect(unsound).toEqual([]);
  expect(outcomes.filter(({ came }) => came !== 'found').map(({ planted: { fault } }) => fault)).toEqual([]);
});
