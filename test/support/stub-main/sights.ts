import { expect, it } from 'vitest';
import type { AppState, Language, LockedState } from '../../../preload/contract/models.ts';
import { violationsOf } from '../axe.ts';
import { eventually } from '../screens.ts';
import type { StubCall } from './calls.ts';
import { firstStart, locked } from './states.ts';
import type { StubApp } from './stub-app.ts';

/** Something a person may come to see in the window. */
export interface Sight {
  state?: Partial<AppState>;
  calls?: readonly StubCall[];
  /** How main locks the window before anything is done in it. */
  lock?: Partial<LockedState>;
  /** What is done before the look. */
  act?: () => Promise<void>;
}

interface Look {
  language: Language;
  theme: 'light' | 'dark';
}

/** A wrong text is wrong in every theme, and a wrong colour in every language, so each is met in one of the two. */
const looks: readonly [Look, Look] = [
  { language: 'en', theme: 'light' },
  { language: 'es', theme: 'dark' },
];

/**
 * Makes one test for each sight: axe finds nothing wrong with it in English and light, nor in Spanish and dark. The
 * window starts in one of the two, by turns, and is then changed to the other as a person changes it in the settings.
 */
export function axeFindsNothingWrong(stubOf: () => StubApp, sights: Record<string, Sight>): void {
  it.each(Object.entries(sights).map(([name, sight], index) => [name, sight, index] as const))(
    'axe finds nothing wrong with %s',
    async (_name, { state = {}, calls = [], lock, act }, index) => {
      const stub = stubOf();
      const { page } = stub;
      const [first, second] = index % 2 === 0 ? looks : [looks[1], looks[0]];
      const shown = ({ language, theme }: Look) => ({
        language,
        settings: { ...firstStart.settings, ...state.settings, language, theme },
      });
      await stub.start({ ...state, ...shown(first) }, calls);
      if (lock) {
        await stub.send({ ...locked, ...shown(first), ...lock });
        await page.locator('main form').waitFor();
        await page.getByRole('combobox').waitFor({ state: 'detached' });
      }
      await act?.();
      expect(await violationsOf(page, { from: '/axe.js' })).toEqual([]);

      await (lock ? stub.send({ ...locked, ...shown(second), ...lock }) : stub.change(shown(second)));
      await eventually(async () =>
        expect(
          await page.evaluate(() => {
            const { lang, dataset } = document.documentElement;
            return { language: lang, theme: dataset['mantineColorScheme'] };
          }),
        ).toEqual(second),
      );
      expect(await violationsOf(page, { from: '/axe.js' })).toEqual([]);
    },
  );
}
