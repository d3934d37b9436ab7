import { expect, it } from 'vitest';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { scenes } from '../../support/stub-main/rooms.ts';
import { changeLook, showScene } from '../../support/stub-main/show-scene.ts';

openForAll(true);

const english = { language: 'en', theme: 'light' } as const;
const spanish = { language: 'es', theme: 'light' } as const;

/** What was heard of a check that runs is not said again, and what stands in a text that is edited is that text. */
const keptSentences = new Set(['contract-running', 'a request that is edited']);

it.each(
  scenes
    .filter(({ name, isScreen }) => isScreen && !keptSentences.has(name))
    .map((scene) => [scene.name, scene] as const),
)('changing the language writes the whole page again: %s', async (_name, scene) => {
  await showScene(stub, scene, english);
  await changeLook(stub, scene, spanish);
  const changed = await page.locator('body').innerText();
  await showScene(stub, scene, spanish);
  // What a worker or a timer brings may come a little later.
  await expect.poll(() => page.locator('body').innerText()).toBe(changed);
});
