import { violationsOf } from '../support/axe.ts';
import { lend, page, stub } from '../support/stub-main/opened-stub.ts';
import { hardScenes } from '../support/stub-main/hard-scenes.ts';
import type { Scene } from '../support/stub-main/scene.ts';
import { scenes } from '../support/stub-main/scenes.ts';
import { changeLook, settled, showScene, type Look } from '../support/stub-main/show-scene.ts';
import { sights as builtInServer } from '../support/stub-main/sights/built-in-server.ts';
import { sights as calls } from '../support/stub-main/sights/calls.ts';
import { sights as contractRun } from '../support/stub-main/sights/contract-run.ts';
import { sights as lockAndStorage } from '../support/stub-main/sights/lock-and-storage.ts';
import { sights as servers } from '../support/stub-main/sights/servers.ts';
import { sights as session } from '../support/stub-main/sights/session.ts';
import { sights as shell } from '../support/stub-main/sights/shell.ts';
import { changeLookOfSight, showSight } from '../support/stub-main/sights/show-sight.ts';
import { openStubApp } from '../support/stub-main/stub-app.ts';

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

/** How one screen is come to, and how it is changed to another look. */
interface Screen {
  name: string;
  show: (look: Look) => Promise<void>;
  change: (look: Look) => Promise<void>;
}

const sights = { ...builtInServer, ...calls, ...contractRun, ...lockAndStorage, ...servers, ...session, ...shell };

const ofScene = (scene: Scene, size: (typeof sizes)[number]): Screen => ({
  name: `${scene.name} at ${size.width}`,
  show: async (look) => {
    await page.setViewportSize(sizes[0]!);
    await showScene(stub, scene, look);
    await page.setViewportSize(size);
    await settled(page);
  },
  change: (look) => changeLook(stub, scene, look),
});

const screens: Screen[] = [
  ...Object.entries(sights).map(([name, sight]) => ({
    name,
    show: (look: Look) => showSight(sight, look),
    change: (look: Look) => changeLookOfSight(sight, look),
  })),
  ...[...scenes, ...hardScenes].flatMap((scene) => sizes.map((size) => ofScene(scene, size))),
];

/**
 * Shows every screen in every state, in both languages, both themes and with more contrast, and lets axe look at each.
 * @param options.only looks at the screens alone whose name has this in it
 */
export async function proveAxe(options: {
  only: string;
  onProgress: (summary: AxeSummary) => void;
}): Promise<AxeSummary> {
  const summary: AxeSummary = { name: 'axe', screens: 0, looks: 0, violations: 0, findings: [] };
  const opened = await openStubApp();
  await lend(opened);
  const find = (where: string, found: readonly string[]) => {
    summary.violations += found.length;
    summary.findings.push(...found.map((each) => `${where}: ${each}`));
    summary.findings.splice(MOST_FINDINGS);
  };
  for (const { name, show, change } of screens.filter((each) => each.name.includes(options.only))) {
    summary.screens += 1;
    for (const [index, look] of looks.entries()) {
      const where = [name, ...Object.values(look)].join(', ');
      try {
        await (index === 0 ? show(look) : change(look));
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
