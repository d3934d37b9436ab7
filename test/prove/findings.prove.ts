import { expect, it } from 'vitest';
import { z } from 'zod';
import { proveFindings, targetNames } from './findings.ts';
import { chosen, folder, given, print, say } from './given.ts';

const { rounds, only } = given({ rounds: z.number(), only: z.string().optional() });
const wanted = chosen(only, targetNames);

it('check finds a planted fault each time, and nothing else', async () => {
  const names = targetNames.filter((name) => wanted.includes(name));
  say(`findings: ${rounds} runs each at ${names.join(', ')}`);
  const onRun = (name: string, found: readonly string[]): void => say(`  ${name}: ${found.join(', ') || 'nothing'}`);
  const summaries = await proveFindings({ names, runs: rounds, folder, onRun });
  summaries.forEach(print);
  expect(summaries.filter(({ right }) => right < rounds)).toEqual([]);
});
