import { describe, expect, it } from 'vitest';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { scenes } from '../../support/stub-main/scenes.ts';
import { changeLook, settled, showScene } from '../../support/stub-main/show-scene.ts';
import { lengthenTexts } from '../../support/pseudo-language.ts';
import { misfits } from '../../support/text-fit.ts';

openForAll();

const english = { language: 'en', theme: 'light' } as const;
const spanish = { language: 'es', theme: 'light' } as const;
const sizes = [
  { width: 1200, height: 800 },
  { width: 480, height: 720 },
];

/** Looks at what is on the screen in both widths. */
async function lookAt(language: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await settled(page);
    found.push(...(await misfits(page)).map((each) => `${language} at ${size.width}: ${each}`));
  }
  return found;
}

describe('no text is cut, nothing lies over another thing and nothing scrolls sideways', () => {
  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_name, scene) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await showScene(stub, scene, spanish);
    const found = await lookAt('Spanish');
    await changeLook(stub, scene, english);
    await lengthenTexts(page);
    // English fits where a longer language does.
    found.push(...(await lookAt('English, 40 % longer')));
    expect(found).toEqual([]);
  });
});
