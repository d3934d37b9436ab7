import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const trees = path.resolve(import.meta.dirname, '../../fixtures/accessibility-trees');

/** What stands around every room. It is kept once, with the scenes of the shell. */
const shell = /^- (?:banner|navigation "Pages"|contentinfo)/;

/** Moments are written as of the day and the zone in which a test runs. */
const moment =
  /(?:(?:[Yy]ester|[Tt]o)day|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2}\/\d{1,2}\/\d{2})(?:, \d{1,2}:\d{2}(?::\d{2})?\s[AP]M)?|\b\d{1,2}:\d{2}(?::\d{2})?\s[AP]M/g;

/** The command that keeps the trees as they are now. */
const renewal = 'LLAVERO_RENEW_TREES=1 npm test -- screens/walk';
const isRenewed = (): boolean => process.env['LLAVERO_RENEW_TREES'] !== undefined;

const fileName = (scene: string): string => `${scene.replaceAll(/[^A-Za-z\d]+/g, '-')}.txt`;

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
 * Says where the tree of the page differs from the one that is kept. `LLAVERO_RENEW_TREES=1` keeps the one that is there.
 * @param room the folder in which the tree is kept; the shell is part of the trees of `shell` only
 * @param scene what is shown
 */
export async function treeDiffers(page: Page, room: string, scene: string): Promise<string[]> {
  const file = path.join(trees, room, fileName(scene));
  let now = await treeOf(page, room === 'shell');
  if (isRenewed()) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, now);
    return [];
  }
  const kept = await readFile(file, 'utf8').catch(() => '');
  const isKept = async () => (now = await treeOf(page, room === 'shell')) === kept;
  // What a worker or a timer brings may come a little later.
  if (now === kept || (await vi.waitUntil(isKept, { timeout: 10_000, interval: 100 }).catch(() => false))) return [];
  const [was, is] = [kept, now].map((tree) => tree.split('\n'));
  const at = is!.findIndex((line, index) => line !== was![index]);
  const place = path.relative(process.cwd(), file);
  return [
    `line ${at + 1} of ${place} is now “${is![at]?.trim()}”, and was “${was![at]?.trim() ?? ''}” (${renewal} renews it)`,
  ];
}

/** Returns the trees that are kept of scenes that nobody looks at any more. A renewal removes them. */
export async function otherTrees(room: string, scenes: readonly string[]): Promise<string[]> {
  const known = new Set(scenes.map(fileName));
  const others = (await readdir(path.join(trees, room))).filter((file) => !known.has(file));
  if (!isRenewed()) return others;
  for (const file of others) await rm(path.join(trees, room, file));
  return [];
}
