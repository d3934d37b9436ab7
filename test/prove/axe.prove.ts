import { expect, it } from 'vitest';
import { z } from 'zod';
import { violationsOf } from '../support/axe.ts';
import { lend, page, stub } from '../support/stub-main/opened-stub.ts';
import { hardScenes } from '../support/stub-main/scenes/hard-texts.ts';
import type { Scene, Size } from '../support/stub-main/scene.ts';
import { scenes } from '../support/stub-main/scenes.ts';
import { changeLook, settled, showScene, type Look } from '../support/stub-main/show-scene.ts';
import { openStubApp } from '../support/stub-main/stub-app.ts';
import { given, print, say } from './given.ts';

type AxeSummary = {
  name: 'axe';
  /** Screens in their states. */
  screens: number;
  /** How often axe looked: each screen in each look, some of them in two widths. */
  looks: number;
  violations: number;
  findings: string[];
};

const MOST_FINDINGS = 50;

const looks: Look[] = (['en', 'es'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [
    { language, theme },
    { language, theme, contrast: 'more' as const },
  ]),
);

const sizes = [
  { width: 1200, height: 800 },
  { width: 480, height: 640 },
];

/** Every scene in the sizes in which it is looked at: one that asks for a size is seen in that one alone. */
const screens: { scene: Scene; size?: Size }[] = [...scenes, ...hardScenes].flatMap((scene) =>
  scene.size ? [{ scene }] : sizes.map((size) => ({ scene, size })),
);

/**
 * Shows every screen in every state, in both languages, both themes and with more contrast, and lets axe look at each.
 * @param options.only looks at the screens alone whose name has this in it
 */
async function proveAxe(options: { only: string; onProgress: (summary: AxeSummary) => void }): Promise<AxeSummary> {
  const summary: AxeSummary = { name: 'axe', screens: 0, looks: 0, violations: 0, findings: [] };
  const opened = await openStubApp();
  await lend(opened);
  const find = (where: string, found: readonly string[]) => {
    summary.violations += found.length;
    summary.findings.push(...found.map((each) => `${where}: ${each}`));
    summary.findings.splice(MOST_FINDINGS);
  };
  for (const { scene, size } of screens.filter((each) => each.scene.name.includes(options.only))) {
    summary.screens += 1;
    for (const [index, look] of looks.entries()) {
      const where = [scene.name, ...(size ? [size.width] : []), ...Object.values(look)].join(', ');
      try {
        await (index === 0 ? showScene(stub, scene, look) : changeLook(stub, scene, look));
        if (size) await page.setViewportSize(size);
        await settled(page);
        find(where, await violationsOf(page, { from: '/axe.js' }));
      } catch (error) {
        find(where, [error instanceof Error ? error.message : String(error)]);
        // What could not be shown cannot be changed either.
        break;
      }
      summary.looks += 1;
    }
    options.onProgress(summary);
  }
  await opened.app.close();
  return summary;
}

const { only = '' } = given({ only: z.string().optional() });

it('axe finds nothing on any screen in any look', async () => {
  const summary = await proveAxe({
    only,
    onProgress: ({ screens: shown, looks: looked, findings }) => {
      if (shown % 20 === 0) say([`  ${shown} screens, ${looked} looks`, ...findings].join('\n  '));
    },
  });
  print(summary);
  expect(summary.violations).toBe(0);
  expect(summary.looks).toBeGreaterThan(0);
});
