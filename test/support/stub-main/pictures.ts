import path from 'node:path';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { showScene, type Look } from './show-scene.ts';
import type { StubApp } from './stub-app.ts';

/** Where the pictures are that the screens are compared with. */
export const pictureFolder = path.resolve(import.meta.dirname, '../../fixtures/pictures');

const size = { width: 800, height: 600 };

/** A part in 255 by which a colour may differ before a pixel counts as another one. */
const sameColour = 24;
/** The share of the pixels that may differ: edges of letters, and no more. */
export const mostDifferent = 0.002;

const themes: Record<string, Look['theme']> = {
  login: 'light',
  'register-empty': 'dark',
  account: 'light',
  'calls-one': 'light',
  'contract-report': 'light',
  'built-in-behaviour': 'dark',
  servers: 'dark',
  sessions: 'light',
};

/** The few scenes that are compared, each with the name of its picture. */
export const pictured: { file: string; scene: Scene; look: Look }[] = Object.entries(themes).map(([name, theme]) => {
  const scene = scenes.find((each) => each.name === name);
  if (!scene) throw new Error(`There is no scene ${name}.`);
  return { file: `${name}-${theme}.png`, scene, look: { language: 'en', theme } };
});

/** Takes the picture of a scene as it is now. */
export async function picture(stub: StubApp, scene: Scene, look: Look): Promise<Buffer> {
  await stub.page.setViewportSize(size);
  await showScene(stub, scene, look);
  return stub.page.screenshot({ animations: 'disabled' });
}

/**
 * Says which share of the pixels of two pictures differs, from 0 to 1; 1 where their sizes differ. Electron itself reads
 * the pictures.
 */
export const difference = (stub: StubApp, one: Buffer, other: Buffer): Promise<number> =>
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
