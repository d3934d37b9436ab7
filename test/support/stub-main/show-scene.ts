import type { Page } from 'playwright-core';
import type { Language } from '../../../preload/contract/models.ts';
import type { Scene, Step } from './scene.ts';
import { firstStart, locked } from './states.ts';
import type { StubApp } from './stub-app.ts';

/** How a scene looks, besides its size. */
export interface Look {
  language: Language;
  theme: 'light' | 'dark';
  /** Whether the system asks for more contrast. */
  contrast?: 'more';
}

/** All of a scene but its name and the way to it. */
type Shown = Omit<Scene, 'name' | 'steps'>;

const shown = (scene: Shown, { language, theme }: Look) => ({
  language,
  settings: { ...firstStart.settings, ...scene.state?.settings, ...scene.settings, language, theme },
});

/** Brings the window to a scene, as a person would come there. */
export async function showScene(stub: StubApp, scene: Shown & Pick<Scene, 'steps'>, look: Look): Promise<void> {
  const { page } = stub;
  await page.emulateMedia({ contrast: look.contrast ?? null });
  await stub.start({ ...scene.state, ...shown(scene, look) }, scene.calls);
  if (scene.runs) await stub.runs(scene.runs);
  if (scene.lock) {
    await stub.send({ ...locked, ...shown(scene, look), ...scene.lock });
    await page.locator('main form').waitFor();
  }
  for (const step of scene.steps ?? []) await take(stub, step);
  // Nothing is under the pointer.
  await page.mouse.move(0, 0);
  await settled(page);
}

/** A state is taken only when it is newer than the one that is shown. */
let lastRevision = locked.revision;

/** Changes language, theme and contrast of the scene that is shown, as the settings do. */
export async function changeLook(stub: StubApp, scene: Shown, look: Look): Promise<void> {
  const state = shown(scene, look);
  await stub.page.emulateMedia({ contrast: look.contrast ?? null });
  await (scene.lock
    ? stub.send({ ...locked, ...state, ...scene.lock, revision: (lastRevision += 1) })
    : stub.change(state));
  await stub.page.waitForFunction(({ language, theme }) => {
    const { lang, dataset } = document.documentElement;
    return lang === language && dataset['mantineColorScheme'] === theme;
  }, look);
  await settled(stub.page);
}

async function take(stub: StubApp, step: Step): Promise<void> {
  const { page } = stub;
  if ('press' in step)
    await page
      .locator(step.press)
      .nth(step.at ?? 0)
      .click();
  else if ('key' in step) await page.keyboard.press(step.key);
  else if ('type' in step) await page.locator(step.type).fill(step.text);
  else if ('choose' in step) await page.locator(step.choose).selectOption(step.value);
  else if ('wait' in step) await page.locator(step.wait).first().waitFor();
  else if ('fails' in step) await stub.fails(step.fails, step.error);
  else await stub.answer(step.answers, { ok: true, value: step.value as never });
}

/** Waits until the room and its fonts are there and what was asked for has been drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.locator('main div[aria-busy=true]').waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
  });
}
