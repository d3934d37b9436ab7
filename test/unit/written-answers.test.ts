import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../main/window/content-security-policy.ts';
import { defaultInterfaceSummary } from '../../main/interface/default-interface-summary.ts';
import { answersOfMain } from '../support/answers-of-main.ts';
import { firstStart } from '../support/stub-main/states.ts';
import { policyOf } from '../support/stub-main/policy.ts';
import { answersFile, asLine, isRenewed, writtenAnswers, type WrittenAnswer } from '../support/written-answers.ts';

/** As it crosses to the window, or stands in a file. */
const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

const order = ({ asked, text }: WrittenAnswer): string => `${asked} ${text}`;

/** Writes each answer as main gives it now, one for each text. */
async function renew(): Promise<void> {
  const lines = new Map(writtenAnswers().map((line) => [order(line), line]));
  const sorted = [...lines.values()].toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
  const texts = [];
  for (const { asked, text } of sorted) texts.push(asLine({ asked, text, answer: await answersOfMain[asked](text) }));
  writeFileSync(answersFile, texts.join(''));
}

it('are what main says of each text that the tests of the window paste or show', async () => {
  if (isRenewed) await renew();
  for (const { asked, text, answer } of writtenAnswers())
    expect(inJson(await answersOfMain[asked](text)), `${asked} ${text}`).toEqual(answer);
});

it('have the policy of the page and the interface that main has', () => {
  expect(policyOf('N')).toBe(contentSecurityPolicy('N'));
  expect(firstStart.servers[0]?.interface).toEqual(defaultInterfaceSummary);
});
