import { expect, it } from 'vitest';
import { z } from 'zod';
import { originalNames, proveMock, sayDifference, whyNotOriginal } from './mocks.ts';
import { chosen, given, print, say } from './given.ts';

type MocksSummary = { name: 'mocks'; compared: number; skipped: string[]; differing: string[] };

/** Makes the mock servers of several servers one after the other, and hands on a row of a table for each. */
export async function proveMocks({
  only,
  onRow,
}: {
  only: readonly string[];
  onRow: (row: string) => void;
}): Promise<MocksSummary> {
  const summary: MocksSummary = { name: 'mocks', compared: 0, skipped: [], differing: [] };
  onRow('| server | cases | differences | not measured | seconds |\n|---|---|---|---|---|');
  for (const name of originalNames.filter((each) => only.includes(each))) {
    const reason = whyNotOriginal(name);
    if (reason !== undefined) {
      summary.skipped.push(reason);
      onRow(`| ${name} | skipped: ${reason} | | | |`);
      continue;
    }
    const { cases, differences, unknown, notMeasured, seconds } = await proveMock(name);
    summary.compared += 1;
    const all = [...differences.map(sayDifference), ...unknown];
    if (all.length > 0) summary.differing.push(name);
    onRow(
      `| ${name} | ${cases} | ${all.length === 0 ? 'nothing differs' : all.join('; ')} | ${notMeasured} | ${seconds} |`,
    );
  }
  return summary;
}

const { only } = given({ only: z.string().optional() });
const wanted = chosen(only, originalNames);

it('a mock differs in nothing from its original', async () => {
  const summary = await proveMocks({ only: wanted, onRow: say });
  print(summary);
  expect(summary.differing).toEqual([]);
});
