import { expect, it } from 'vitest';
import { hardScenes } from '../../support/stub-main/hard-scenes.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { settled, showScene } from '../../support/stub-main/show-scene.ts';
import { misfits } from '../../support/text-fit.ts';

openForAll();

const sizes = [
  { width: 1200, height: 800 },
  { width: 320, height: 400 },
];

/** What a text may not do: scroll anything sideways, become an element, or run. */
async function harm(): Promise<string[]> {
  const sideways = (await misfits(page)).filter((each) => each.startsWith('scrolls sideways'));
  const made = await page.evaluate(() => [
    ...Array.from(document.querySelectorAll('body :is(img, script)'), ({ outerHTML }) => outerHTML),
    ...('ran' in window ? ['a text was run'] : []),
  ]);
  return [...sideways, ...made];
}

it.each(hardScenes.map((scene) => [scene.name, scene] as const))('%s', async (_name, scene) => {
  await page.setViewportSize(sizes[0]!);
  await showScene(stub, scene, { language: 'en', theme: 'light' });
  for (const size of sizes) {
    await page.setViewportSize(size);
    await settled(page);
    expect(await harm(), `at ${size.width}`).toEqual([]);
  }
});
