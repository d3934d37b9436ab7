import { expect, it } from 'vitest';
import { violationsOf } from '../axe.ts';
import { primaryButtons } from '../primary-buttons.ts';
import { expectKeptTree, expectNoOtherTrees } from './accessibility-trees.ts';
import { page } from './opened-stub.ts';
import type { Look } from './show-scene.ts';
import { changeLookOfSight, showSight, type Sight } from './sights/show-sight.ts';

/** The looks in which sights are met by turns. The trees are in light colours: the settings say which ones are chosen. */
const looks: readonly Look[] = [
  { language: 'en', theme: 'light' },
  { language: 'en', theme: 'light', contrast: 'more' },
  { language: 'en', theme: 'dark' },
];

/**
 * Makes one test for each sight: axe finds nothing wrong with it in one of the looks, by turns, and its tree is the
 * kept one. `npm run prove -- axe` looks at every sight in every look.
 * @param room the folder of the kept trees
 */
export function areAccessible(room: string, sights: Record<string, Sight>): void {
  it.each(Object.entries(sights).map(([name, sight], index) => [name, sight, index] as const))(
    'axe finds nothing wrong with %s, one button stands out at most, and its tree is the kept one',
    async (name, sight, index) => {
      const look = looks[Math.floor(index / looks.length) % looks.length]!;
      await showSight(sight, look);
      expect(await violationsOf(page, { from: '/axe.js' })).toEqual([]);
      expect((await primaryButtons(page)).slice(1), 'buttons that stand out beside the first').toEqual([]);
      if (look.theme === 'dark') await changeLookOfSight(sight, looks[0]!);
      await expectKeptTree(page, room, name);
    },
  );

  it(`a tree is kept of each sight of ${room}, and of no other`, () => expectNoOtherTrees(room, Object.keys(sights)));
}
