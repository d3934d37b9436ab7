import { expect, it, onTestFinished } from 'vitest';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { scenes } from '../../support/stub-main/scenes.ts';
import { showScene } from '../../support/stub-main/show-scene.ts';

openForAll();

it.each(['en', 'es'] as const)(
  'the head of a report is one line from 480 pixels on, however long the name of the server is (%s)',
  async (language) => {
    const before = page.viewportSize();
    onTestFinished(() => page.setViewportSize(before!));
    await page.setViewportSize({ width: 1200, height: 800 });
    const scene = scenes.find(({ name }) => name === 'checks-long-hosts')!;
    await showScene(stub, scene, { language, theme: 'light' });
    const head = page.locator('main header').filter({ has: page.locator('h1') });
    const higher: number[] = [];
    for (let width = 480; width <= 1300; width += 20) {
      await page.setViewportSize({ width, height: 800 });
      if ((await head.evaluate((node) => node.clientHeight)) > 52) higher.push(width);
    }
    expect(higher).toEqual([]);
  },
);
