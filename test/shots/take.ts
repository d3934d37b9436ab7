import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hardScenes } from '../support/stub-main/scenes/hard-texts.ts';
import type { Scene } from '../support/stub-main/scene.ts';
import { scenes } from '../support/stub-main/scenes.ts';
import { changeLook, settled, showScene, type Look } from '../support/stub-main/show-scene.ts';
import { picture, pictured, pictureFolder, runtime } from '../support/stub-main/pictures.ts';
import { openStillApp } from '../support/stub-main/still-app.ts';
import type { StubApp } from '../support/stub-main/stub-app.ts';
import { makeMoving } from './moving.ts';
import { takeForReadme } from './readme.ts';

const sizes = [
  { width: 480, height: 720 },
  { width: 1000, height: 700 },
  { width: 1280, height: 800 },
  { width: 1590, height: 1000 },
];
const looks: Look[] = (['en', 'es'] as const).flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme })),
);

const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/shots');

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean' },
    renew: { type: 'boolean' },
    readme: { type: 'boolean' },
    moving: { type: 'boolean' },
  },
});

/** Takes all pictures of one scene: it is opened once, and then shown in every look and size. */
async function shoot(stub: StubApp, scene: Scene): Promise<void> {
  const { page } = stub;
  await showScene(stub, scene, looks[0]!);
  for (const look of looks) {
    await changeLook(stub, scene, look);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await settled(page);
      const name = `${scene.name}-${size.width}-${look.language}-${look.theme}.png`;
      await page.screenshot({ path: path.join(folder, name), animations: 'disabled' });
    }
  }
}

/** Works through the scenes that are left, in a window of its own, and says which of them could not be shown. */
async function work(left: Scene[]): Promise<string[]> {
  const stub = await openStillApp();
  stub.page.setDefaultTimeout(5_000);
  const failed: string[] = [];
  for (let scene = left.shift(); scene; scene = left.shift()) {
    const { name } = scene;
    await shoot(stub, scene).catch((error: unknown) => {
      failed.push(`${name}: ${error instanceof Error ? error.message.split('\n', 3).join(' ') : String(error)}`);
    });
  }
  await stub.app.close();
  return failed;
}

/** Renews the pictures that a test compares the screens with. */
async function renew(): Promise<void> {
  const stub = await openStillApp();
  await rm(pictureFolder, { recursive: true, force: true });
  await mkdir(pictureFolder, { recursive: true });
  for (const { file, scene, look } of pictured) {
    await showScene(stub, scene, look);
    await writeFile(path.join(pictureFolder, file), await picture(stub));
  }
  await writeFile(path.join(pictureFolder, 'made-with.json'), JSON.stringify(runtime()));
  await stub.app.close();
  console.log(`${pictured.length} pictures in ${pictureFolder}`);
}

const all = [...scenes, ...hardScenes];
const wanted = all.filter(({ name }) => name.startsWith(values.only ?? ''));
if (values.renew === true) {
  await renew();
} else if (values.readme === true) {
  await takeForReadme();
} else if (values.moving === true) {
  await makeMoving();
} else if (values.list === true || wanted.length === 0) {
  console.log(all.map(({ name }) => name).join('\n'));
  process.exitCode = values.list === true ? 0 : 2;
} else {
  const started = performance.now();
  if (values.only === undefined) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const left = [...wanted];
  // Two windows at a time: one draws while the other one's picture is written.
  const failed = (await Promise.all(wanted.length > 3 ? [work(left), work(left)] : [work(left)])).flat();
  for (const each of failed) console.error(each);
  const pictures = (wanted.length - failed.length) * looks.length * sizes.length;
  console.log(`${pictures} pictures in ${folder}, after ${Math.round((performance.now() - started) / 1000)} s`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
