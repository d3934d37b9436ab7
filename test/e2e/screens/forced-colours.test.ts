import { afterAll, expect, it } from 'vitest';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { scenes } from '../../support/stub-main/scenes.ts';
import { showScene } from '../../support/stub-main/show-scene.ts';

openForAll();
afterAll(() => page.emulateMedia({ forcedColors: null }));

/** What is chosen or floats here, and has neither an outline nor another edge: the system draws no shade and no shadow. */
const withoutEdge = () =>
  page.evaluate(() => {
    const chosen = '[aria-current], [aria-pressed=true], [aria-selected=true]:not([data-combobox-option])';
    const floating = '.mantine-Menu-dropdown, .mantine-Combobox-dropdown, .mantine-Modal-content';
    return Array.from(document.querySelectorAll(`${chosen}, ${floating}`))
      .filter((element) => element.checkVisibility() && getComputedStyle(element).outlineStyle === 'none')
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  });

const names = ['calls-one', 'contract-report', 'settings', 'menu-account', 'palette'];

const cases = [...names.map((name) => [name, 'dark'] as const), ...names.map((name) => [name, 'light'] as const)];

it.each(cases)('in forced colours, what is chosen and what floats has an edge: %s, %s', async (name, theme) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 1200, height: 800 });
  await showScene(
    stub,
    scenes.find((scene) => scene.name === name)!,
    { language: 'en', theme },
  );
  expect(await withoutEdge()).toEqual([]);
});

it('in forced colours, a switch that is on differs from one that is off', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await showScene(
    stub,
    scenes.find(({ name }) => name === 'settings')!,
    { language: 'en', theme: 'dark' },
  );
  const grounds = await page.evaluate(() =>
    [':checked', ':not(:checked)'].map(
      (state) => getComputedStyle(document.querySelector(`input[role=switch]${state} + *`)!).backgroundColor,
    ),
  );
  expect(grounds[0]).not.toBe(grounds[1]);
});
