import { expect, it } from 'vitest';
import { contrastViolationsOf, violationsOf } from '../axe.ts';
import { page } from './opened-stub.ts';
import type { Look } from './show-scene.ts';
import { changeLookOfSight, showSight, type Sight } from './sights/show-sight.ts';

/** A wrong text is wrong in every theme, and a wrong colour in every language, so each is met in one of the two. */
const looks: readonly [Look, Look] = [
  { language: 'en', theme: 'light' },
  { language: 'es', theme: 'dark' },
];

/**
 * Makes one test for each sight: axe finds nothing wrong with it in English and light, nor in Spanish and dark, nor with
 * the colours of one of the two where more contrast is asked for. The window starts in one of the two, by turns, and is
 * then changed to the other. `npm run prove -- axe` looks at every sight in every look.
 */
export function axeFindsNothingWrong(sights: Record<string, Sight>): void {
  it.each(Object.entries(sights).map(([name, sight], index) => [name, sight, index] as const))(
    'axe finds nothing wrong with %s',
    async (_name, sight, index) => {
      const [first, second] = index % 2 === 0 ? looks : [looks[1], looks[0]];
      await showSight(sight, first);
      expect(await violationsOf(page, { from: '/axe.js' })).toEqual([]);
      await changeLookOfSight(sight, second);
      expect(await violationsOf(page, { from: '/axe.js' })).toEqual([]);
      await changeLookOfSight(sight, { ...second, contrast: 'more' });
      expect(await contrastViolationsOf(page)).toEqual([]);
    },
  );
}
