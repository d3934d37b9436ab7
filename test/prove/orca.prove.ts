import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startVirtualDisplay } from '../../scripts/virtual-display.mjs';
import { startScreenReader, whyNoScreenReader } from '../support/orca/screen-reader.ts';
import { startApp } from '../support/start-app.ts';
import { folder, given, print, say } from './given.ts';
import { orcaJourney, journeySettings, type OrcaStep } from './orca-journey.ts';

const keptFile = path.resolve(import.meta.dirname, '../fixtures/orca/journey.txt');

/** Milliseconds for which what is missing may still be said. */
const patienceMs = 5_000;

type Heard = { step: string; said: string[] };

type OrcaSummary = { name: 'orca'; steps: number; sentences: number; findings: string[] };

/** What is said of something under way, which a quick machine may not say. */
const passing =
  /^(?:Waiting for the server…|Logging out…|Checking with the server…|\d+ percent\.?|Third-party Electron .*|\d+ of \d+ cases, .*)$/;

/** Replaces what differs from one run to the next. */
const steady = (said: string): string =>
  said
    .replaceAll(/\b\d{1,2}:\d{2}(?::\d{2})?\s[AP]M\b/g, '(time)')
    .replaceAll(/\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b/g, '(date)')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:(port)')
    .replaceAll(/\b\d+ seconds?\b/g, '(number) seconds')
    // The room has its general name until it knows its runs.
    .replace(/^Contract (?=heading level 1)/, 'New run ')
    .trim();

const write = (heard: readonly Heard[]): string =>
  heard.map(({ step, said }) => [`## ${step}`, ...said.map((line) => `- ${line}`)].join('\n')).join('\n\n');

function readKept(text: string): Map<string, string[]> {
  const parts = text.split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [step = '', ...lines] = part.trim().split('\n');
      return [step, lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2))];
    }),
  );
}

/** It describes a field. Orca may say it once more when the person types there, as far as Chromium tells of it again. */
const described = /^Server message: /;

/**
 * Takes out what Orca says or leaves out by chance: a live region at times comes to it as two events, it may read the
 * text of a status after its name, and it may say again what describes a field.
 */
function certain(said: readonly string[], before: readonly string[]): string[] {
  const named = new Set(said.flatMap((line) => (line.endsWith(' statusbar.') ? [line.slice(0, -11)] : [])));
  const again = new Set(before.filter((line) => described.test(line)));
  return [...new Set(said)].filter((line) => !named.has(line) && !again.has(line));
}

/** The order is not compared, since live regions are told beside what takes the focus. */
const isSame = (one: readonly string[], other: readonly string[], before: readonly string[]): boolean =>
  certain(one, before).toSorted().join('\n') === certain(other, before).toSorted().join('\n');

const head = `What Orca 43.1 says in a journey through the application. Each step tells what the person does, and its lines what is
said then, the port, times and seconds apart. \`npm run prove -- orca --renew\` renews it: read it like code.

`;

/** Waits until what is kept of a step was said and nothing more is, or until nothing comes any more. */
async function hear(
  says: () => Promise<string[]>,
  kept: readonly string[] | undefined,
  before: readonly string[],
): Promise<string[]> {
  const until = Date.now() + patienceMs;
  const said: string[] = [];
  for (;;) {
    said.push(...(await says()).map(steady).filter((line) => line !== '' && !passing.test(line)));
    if (kept === undefined || isSame(said, kept, before) || Date.now() > until) return said;
  }
}

/**
 * Goes through the journey with Orca, and compares what it says with what is kept.
 * @param folder an empty one, for what the application keeps
 * @param steps how many steps are gone; all unless given
 * @param renew keeps what was said
 */
async function proveOrca({
  folder,
  display,
  steps = orcaJourney.length,
  renew = false,
  onStep,
}: {
  folder: string;
  display: string;
  steps?: number;
  renew?: boolean;
  onStep?: (heard: Heard) => void;
}): Promise<OrcaSummary> {
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ version: 1, settings: journeySettings }));
  const kept = readKept(await readFile(keptFile, 'utf8').catch(() => ''));
  const reader = await startScreenReader(display, process.env['LLAVERO_ORCA_DEBUG']);
  const app = await startApp({ userDataDir: folder, env: reader.env });
  const heard: Heard[] = [];
  try {
    const page = await app.firstWindow();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await reader.activate(app.process().pid!);
    await reader.saysAll();
    for (const step of orcaJourney.slice(0, steps)) {
      await go(step, page, reader);
      const said = await hear(reader.saysAll, renew ? undefined : kept.get(step.does), heard.at(-1)?.said ?? []);
      heard.push({ step: step.does, said });
      onStep?.({ step: step.does, said });
    }
  } finally {
    await app.close();
    await reader.close();
  }
  if (renew) await writeFile(keptFile, `${head}${write(heard)}\n`);
  const findings = heard.flatMap((one, index) => {
    const expected = kept.get(one.step) ?? [];
    if (renew || isSame(one.said, expected, heard[index - 1]?.said ?? [])) return [];
    return [`${one.step}\n  kept: ${expected.join(' | ')}\n  said: ${one.said.join(' | ')}`];
  });
  return { name: 'orca', steps: heard.length, sentences: heard.flatMap(({ said }) => said).length, findings };
}

async function go(step: OrcaStep, page: Page, reader: Awaited<ReturnType<typeof startScreenReader>>): Promise<void> {
  for (const key of step.keys ?? []) await reader.press(key);
  if (step.text !== undefined) await reader.type(step.text);
  await step.act?.(page, reader);
  if (step.shows !== undefined) await step.shows(page).waitFor({ timeout: 90_000 });
}

const { renew = false } = given({ renew: z.boolean().optional() });

it('Orca says in a journey what is kept of it', async () => {
  const why = await whyNoScreenReader();
  if (why !== undefined) throw new Error(`orca: not proved, since ${why}.`);
  const display = await startVirtualDisplay();
  const summary = await proveOrca({
    folder: await mkdtemp(path.join(folder, 'profile-')),
    display: display.env.DISPLAY,
    renew,
    onStep: ({ step, said }) => say([`  ${step}`, ...said].join('\n    ')),
  });
  display.close();
  print(summary);
  expect(summary.findings).toEqual([]);
});
