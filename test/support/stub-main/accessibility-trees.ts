import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

export const treeFolder = path.resolve(import.meta.dirname, '../../fixtures/accessibility-trees');

/** What stands around every group. It is kept once, with the scenes of the shell. */
const shell = /^- (?:banner|navigation "Pages"|contentinfo)/;

/** Moments are written as of the day and the zone in which a test runs. */
const moment =
  /(?:(?:[Yy]ester|[Tt]o)day|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2}\/\d{1,2}\/\d{2})(?:, \d{1,2}:\d{2}(?::\d{2})?\s[AP]M)?|\b\d{1,2}:\d{2}(?::\d{2})?\s[AP]M/g;

/** So is the time that is left. */
const timeLeft =
  /\b(in|dentro de) [\d.,]+ (?:days?|hours?|minutes?|months?|years?|días?|horas?|minutos?|meses|mes|años?)(?!\p{L})/gu;

/** The file in which the tree of a scene is kept. */
export const treeFile = (group: string, scene: string): string =>
  path.join(treeFolder, group, `${scene.replaceAll(/[^A-Za-z\d]+/g, '-')}.txt`);

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
 * Returns what assistive technology gets of the page, as Playwright writes it: role, name and states of each thing, in
 * the order in which it is read. What a worker or a timer brings may come a little later: the tree that is kept is
 * waited for, and the last one is returned where it does not come.
 * @param group the folder in which the tree is kept; the shell is part of the trees of `shell` only
 * @param scene what is shown
 */
export async function accessibilityTree(page: Page, group: string, scene: string): Promise<string> {
  const kept = await readFile(treeFile(group, scene), 'utf8').catch(() => '');
  let tree = await treeOf(page, group === 'shell');
  const isKept = async () => (tree = await treeOf(page, group === 'shell')) === kept;
  if (tree !== kept && kept !== '') await vi.waitUntil(isKept, { timeout: 10_000, interval: 100 }).catch(() => false);
  return tree;
}
