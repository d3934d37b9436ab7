import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../screens.ts';

const trees = path.resolve(import.meta.dirname, '../../fixtures/accessibility-trees');

/** What stands around every room. It is kept once, with the sights of the shell. */
const shell = /^- (?:banner|navigation "Rooms"|contentinfo)/;

/** Moments are written as of the day and the zone in which a test runs. */
const moment =
  /(?:(?:[Yy]ester|[Tt]o)day|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2}\/\d{1,2}\/\d{2})(?:, \d{1,2}:\d{2}(?::\d{2})?\s[AP]M)?|\b\d{1,2}:\d{2}(?::\d{2})?\s[AP]M/g;

const isRenewed = process.env['LLAVERO_RENEW_TREES'] !== undefined;

const fileName = (sight: string): string => `${sight.replaceAll(/[^A-Za-z\d]+/g, '-')}.txt`;

/** So is the time that is left. */
const timeLeft =
  /\b(in|dentro de) [\d.,]+ (?:days?|hours?|minutes?|months?|years?|días?|horas?|minutos?|meses|mes|años?)(?!\p{L})/gu;

/**
 * Returns what assistive technology gets of the page, as Playwright writes it: role, name and states of each thing, in
 * the order in which it is read.
 */
async function treeOf(page: Page, withShell: boolean): Promise<string> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n');
  let isShell = false;
  const kept = lines.filter((line) => {
    if (!line.startsWith(' ')) isShell = shell.test(line);
    return withShell || !isShell;
  });
  return `${kept
    .join('\n')
    .replaceAll(moment, '(time)')
    .replaceAll(timeLeft, '$1 (duration)')
    .replaceAll(/(- timer: ).*/g, '$1(countdown)')}\n`;
}

/**
 * Fails when the tree of the page is not the one that is kept. `LLAVERO_RENEW_TREES=1` keeps the one that is there.
 * @param room the folder in which the tree is kept; the shell is part of the trees of `shell` only
 * @param sight what is shown, in words
 */
export async function expectKeptTree(page: Page, room: string, sight: string): Promise<void> {
  const file = path.join(trees, room, fileName(sight));
  const now = (): Promise<string> => treeOf(page, room === 'shell');
  if (isRenewed) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await now());
    return;
  }
  const kept = await readFile(file, 'utf8').catch(() => '');
  await eventually(async () =>
    expect(await now(), `${file} is renewed by LLAVERO_RENEW_TREES=1 npm test -- accessibility`).toBe(kept),
  );
}

/** Fails when a tree is kept of something that no test looks at any more. A renewal removes it. */
export async function expectNoOtherTrees(room: string, sights: readonly string[]): Promise<void> {
  const known = new Set(sights.map(fileName));
  const others = (await readdir(path.join(trees, room))).filter((file) => !known.has(file));
  if (isRenewed) for (const file of others) await rm(path.join(trees, room, file));
  else expect(others).toEqual([]);
}
