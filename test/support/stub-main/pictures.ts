import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { settled, type Look } from './show-scene.ts';
import type { StubApp } from './stub-app.ts';

/** Where the pictures are that the screens are compared with. */
export const pictureFolder = path.resolve(import.meta.dirname, '../../fixtures/pictures');

const size = { width: 800, height: 600 };

/** A part in 255 by which a colour may differ before a pixel counts as another one. */
const sameColour = 24;
/** The share of the pixels that may differ: edges of letters, and no more. */
const mostDifferent = 0.002;

/** The looks of the pictures, as the walk has them. */
const looks: Record<string, Look> = {
  light: { language: 'en', theme: 'light' },
  dark: { language: 'es', theme: 'dark' },
};

/** The few scenes that are compared, each with the name of its look. */
const themes: Record<string, string> = {
  login: 'light',
  'register-empty': 'dark',
  account: 'light',
  'calls-one': 'light',
  'checks-report': 'light',
  'built-in-behaviour': 'dark',
  servers: 'dark',
  sessions: 'light',
};

/** The scenes that are compared, each with the file of its picture. */
export const pictured: { file: string; scene: Scene; look: Look }[] = Object.entries(themes).map(([name, theme]) => {
  const scene = scenes.find((each) => each.name === name);
  const look = looks[theme];
  if (!scene || !look) throw new Error(`There is no scene ${name} in ${theme}.`);
  return { file: `${name}-${theme}.png`, scene, look };
});

/** Takes the picture of the scene that is shown. */
export async function picture({ page }: StubApp): Promise<Buffer> {
  await page.setViewportSize(size);
  await settled(page);
  return page.screenshot({ animations: 'disabled' });
}

const madeWith = path.join(pictureFolder, 'made-with.json');
/** Another Chromium, or another system, draws letters in another way. */
const isSameRuntime = async () => (await readFile(madeWith, 'utf8').catch(() => '')) === JSON.stringify(runtime());

/** Says how much of the scene that is shown in this look differs from its picture, if it has one. */
export async function differsFromPicture(stub: StubApp, scene: Scene, look: Look): Promise<string[]> {
  const kept = pictured.find((each) => each.scene.name === scene.name && each.look.theme === look.theme);
  if (!kept || !(await isSameRuntime())) return [];
  const now = await picture(stub);
  const share = await difference(stub, await readFile(path.join(pictureFolder, kept.file)), now);
  if (share <= mostDifferent) return [];
  const file = path.join(tmpdir(), `now-${kept.file}`);
  await writeFile(file, now);
  return [
    `${(share * 100).toFixed(1)} % of ${kept.file} is different: see ${file} (\`npm run shots -- --renew\` renews it)`,
  ];
}

/**
 * Says which share of the pixels of two pictures differs, from 0 to 1; 1 where their sizes differ. Electron itself reads
 * the pictures.
 */
const difference = (stub: StubApp, one: Buffer, other: Buffer): Promise<number> =>
  stub.app.evaluate(
    ({ nativeImage }, { pictures, sameColour }) => {
      const [a, b] = pictures.map((text) => nativeImage.createFromBuffer(Buffer.from(text, 'base64')));
      if (!a || !b || JSON.stringify(a.getSize()) !== JSON.stringify(b.getSize())) return 1;
      const [before, after] = [a.toBitmap(), b.toBitmap()];
      let different = 0;
      for (let at = 0; at < before.length; at += 4) {
        const parts = [0, 1, 2].map((part) => Math.abs(before[at + part]! - after[at + part]!));
        if (Math.max(...parts) > sameColour) different += 1;
      }
      return different / (before.length / 4);
    },
    { pictures: [one, other].map((each) => each.toString('base64')), sameColour },
  );

/** What the pictures depend on besides the application. */
export const runtime = (): Record<string, string> => ({
  electron: process.versions['electron'] ?? '',
  platform: process.platform,
  arch: process.arch,
});
