import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { violationsOf } from '../axe.ts';
import { openForAll, page, stub } from '../stub-main/opened-stub.ts';
import { differsFromPicture } from '../stub-main/pictures.ts';
import { scenesOf, type SceneGroup } from '../stub-main/scenes.ts';
import type { Scene } from '../stub-main/scene.ts';
import { changeLook, settled, showScene } from '../stub-main/show-scene.ts';
import { accessibilityTree, treeFile, treeFolder } from '../stub-main/accessibility-trees.ts';
import { focusOrder } from './focus-order.ts';
import { lostInForcedColours } from './forced-colours.ts';
import { drawn, layoutShift } from '../layout-shift.ts';
import { showMoving } from './movement.ts';
import { technicalWords } from '../plain-words.ts';
import { primaryButtons } from './primary-buttons.ts';
import { lengthenTexts } from './pseudo-language.ts';
import { misfits } from './text-fit.ts';

const english = { language: 'en', theme: 'light' } as const;
const spanish = { language: 'es', theme: 'dark' } as const;
const names = { en: 'English', es: 'Spanish' };

const wide = { width: 1200, height: 800 };
const patience = { timeout: 2_000, interval: 50 };
const narrow = { width: 480, height: 720 };

/** Writes down what a check found, each in one sentence that names the scene, the look and the check. */
type Note = (look: string, check: string, found: readonly string[]) => void;

/**
 * Asks all that depends on nothing but what is on the screen. axe takes most of the time: what it finds in English it
 * finds in every language, and the colours of every look are those of a few screens.
 */
async function askAll(scene: Scene, look: typeof english | typeof spanish, note: Note): Promise<void> {
  const where = `${names[look.language]} and ${look.theme}`;
  if (look === english || scene.isScreen) note(where, 'axe', await violationsOf(page, { from: '/axe.js' }));
  note(where, 'primary buttons', (await primaryButtons(page)).slice(1));
  note(where, 'focus order', await focusOrder(page));
  note(where, 'forced colours', await lostInForcedColours(page));
  if (isSimple(scene)) note(where, 'simple face', await technicalWords(page, look.language, scene.technical));
}

const isSimple = ({ settings, state }: Scene): boolean => (settings ?? state?.settings)?.workbench === false;

/** Whether the window is opened in this state and nothing is done: nothing then moves at all. */
const isOpenedOnly = ({ steps, act, lock, runs }: Scene): boolean => !(steps ?? act ?? lock ?? runs);

async function inEnglish(scene: Scene, group: string, note: Note): Promise<string | undefined> {
  const where = 'English and light';
  if (scene.asks ?? scene.still) note(where, 'layout shift', await showMoving(stub, scene, english, wide));
  else await showScene(stub, scene, english);
  const since = isOpenedOnly(scene) ? 0 : await drawn(page);
  const tree = scene.isScreen && (await accessibilityTree(page, group, scene.name));
  note(where, 'layout shift', (await layoutShift(page, since)).moved);
  await askAll(scene, english, note);
  if (scene.isScreen) {
    await page.emulateMedia({ contrast: 'more' });
    note(where, 'axe with more contrast', await violationsOf(page, { only: 'color-contrast', from: '/axe.js' }));
    await page.emulateMedia({ contrast: null });
  }
  note(where, 'picture', await differsFromPicture(stub, scene, english));
  return tree;
}

async function inSpanish(scene: Scene, note: Note): Promise<void> {
  const where = 'Spanish and dark';
  if (scene.asks ?? scene.still) note(where, 'layout shift', await showMoving(stub, scene, spanish, narrow));
  else await changeLook(stub, scene, spanish);
  await askAll(scene, spanish, note);
  note(where, 'picture', await differsFromPicture(stub, scene, spanish));
  await fits('Spanish', note);
}

/** Returns what is found once all that floats has come to its new place, which takes it some frames. */
async function stillFound(look: () => Promise<string[]>): Promise<string[]> {
  let found: string[] = [];
  await vi.waitUntil(async () => (found = await look()).length === 0, patience).catch(() => undefined);
  return found;
}

/** Looks in both widths whether the texts fit. */
async function fits(language: string, note: Note): Promise<void> {
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size);
    await settled(page);
    note(`${language} at ${size.width}`, 'fitting texts', await stillFound(() => misfits(page)));
  }
}

async function inLongEnglish(scene: Scene, note: Note): Promise<void> {
  await changeLook(stub, scene, { ...spanish, language: 'en' });
  // English fits where a longer language does.
  await lengthenTexts(page);
  await fits('English, 40 % longer,', note);
}

/** Looks, in the Simple face, at the words of what else an owner may come to see from here. */
async function inStates(scene: Scene, look: typeof english | typeof spanish, note: Note): Promise<void> {
  const { thenIn = [], thenOpens, technical } = scene;
  if (thenIn.length === 0 && thenOpens === undefined) return;
  const ask = async (then: string) =>
    note(`${names[look.language]} ${then}`, 'simple face', await technicalWords(page, look.language, technical));
  await showScene(stub, scene, look);
  if (thenOpens !== undefined) {
    const openers = page.locator(thenOpens);
    for (let at = 0; at < (await openers.count()); at += 1) {
      await openers.nth(at).click();
      await settled(page);
      await ask(`after a press on the button ${at + 1} of ${thenOpens}`);
      await page.keyboard.press('Escape');
    }
  }
  for (const state of thenIn) {
    await stub.change(state);
    // An answer arrives after the events that were sent before it.
    await page.evaluate(() => window.api.app.state(undefined));
    await settled(page);
    await ask(`with ${JSON.stringify(state)}`);
  }
}

/** Makes one test for each scene, which fails with a sentence for each thing that was found. */
function testEach(scenes: readonly Scene[], expectSound: (scene: Scene) => Promise<void>): void {
  openForAll(true);
  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', (_name, scene) => expectSound(scene));
}

function expectNothing(found: readonly string[]): void {
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** Returns what becomes a sentence of all that was found in a scene. */
function noting({ name }: Scene): { all: string[]; note: Note } {
  const all: string[] = [];
  const note: Note = (look, check, found) =>
    all.push(...found.map((each) => `“${name}” in ${look} fails at ${check}: ${each}`));
  return { all, note };
}

/**
 * Visits a scene in English and light and in Spanish and dark, asks everything there, and says what is wrong.
 * @returns what was found, and the accessibility tree where the scene stands for its screen
 */
export async function visit(group: SceneGroup, scene: Scene): Promise<{ found: string[]; tree: string | undefined }> {
  const { all, note } = noting(scene);
  const tree = await inEnglish(scene, group, note);
  await inSpanish(scene, note);
  await inLongEnglish(scene, note);
  for (const look of [english, spanish]) await inStates(scene, look, note);
  return { found: all, tree };
}

/**
 * Makes a test for each scene of a group. `npm test -- screens/walk -u` renews the trees that are kept.
 * @param group the folder of the trees
 */
export function walk(group: SceneGroup): void {
  const scenes: readonly Scene[] = scenesOf[group];
  testEach(scenes, async (scene) => {
    const { found, tree } = await visit(group, scene);
    if (tree !== undefined) await expect.soft(tree).toMatchFileSnapshot(treeFile(group, scene.name));
    expectNothing(found);
  });
  it(`a tree is kept of each screen of ${group}, and of no other`, async () => {
    const screens = scenes.filter(({ isScreen }) => isScreen).map(({ name }) => path.basename(treeFile(group, name)));
    expect((await readdir(path.join(treeFolder, group))).toSorted()).toEqual(screens.toSorted());
  });
}

/** What a text may not do: scroll anything sideways, become an element, or run. */
async function harm(): Promise<string[]> {
  const sideways = (await misfits(page)).filter((each) => each.startsWith('scrolls sideways'));
  const made = await page.evaluate(() => [
    ...Array.from(document.querySelectorAll('body :is(img, script)'), ({ outerHTML }) => outerHTML),
    ...('ran' in window ? ['a text was run'] : []),
  ]);
  return [...sideways, ...made];
}

/** Looks at a scene whose texts are so hard that they may be cut, and of which no tree is kept: they are to do no harm. */
async function visitHard(scene: Scene): Promise<void> {
  const { all, note } = noting(scene);
  await showScene(stub, scene, english);
  await askAll(scene, english, note);
  for (const size of [wide, { width: 320, height: 400 }]) {
    await page.setViewportSize(size);
    await settled(page);
    note(`English at ${size.width}`, 'harmless texts', await stillFound(harm));
  }
  await page.setViewportSize(wide);
  await changeLook(stub, scene, spanish);
  await askAll(scene, spanish, note);
  expectNothing(all);
}

export const walkHard = (scenes: readonly Scene[]): void => testEach(scenes, visitHard);
