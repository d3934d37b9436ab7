import type { Locator, Page } from 'playwright-core';
import type { AppState } from '../../../preload/contract/models.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import { drawn } from '../layout-shift.ts';
import type { Scene, Size, Step } from './scene.ts';
import { firstStart, locked } from './states.ts';
import type { StubApp } from './stub-app.ts';

/** How a scene looks, besides its size. */
export interface Look {
  language: Language;
  theme: 'light' | 'dark';
  /** Whether the system asks for more contrast. */
  contrast?: 'more';
}

const large: Size = { width: 1200, height: 800 };

const shown = (scene: Scene, { language, theme }: Look) => ({
  language,
  settings: { ...firstStart.settings, ...scene.state?.settings, ...scene.settings, language, theme },
});

interface Way {
  /** How large the window is on the way, if not as the scene says. */
  size?: Size;
  /** What is done between the first frame and the first step. */
  atFirst?: () => Promise<void>;
  /** What is done before each step, with what that step needs on the screen. */
  beforeStep?: (needed?: Locator) => Promise<void>;
  /** What is done after the last step. */
  atEnd?: () => Promise<void>;
}

/** Brings the window to a scene, as a person would come there. */
export async function showScene(stub: StubApp, scene: Scene, look: Look, way: Way = {}): Promise<void> {
  const { page } = stub;
  await page.setViewportSize(way.size ?? scene.size ?? large);
  await page.emulateMedia({ contrast: look.contrast ?? null });
  await stub.start({ ...scene.state, ...shown(scene, look) }, scene.calls);
  if (scene.runs) await stub.runs(scene.runs);
  if (scene.lock) {
    await stub.send({ ...locked, ...shown(scene, look), ...scene.lock });
    await page.locator('main form').waitFor();
  }
  await way.atFirst?.();
  for (const step of scene.steps ?? []) {
    await way.beforeStep?.(neededFor(page, step));
    await take(stub, step);
  }
  await scene.act?.();
  await way.atEnd?.();
  // Nothing is under the pointer.
  await page.mouse.move(0, 0);
  await settled(page);
}

/** Changes language, theme and contrast of the scene that is shown, as the settings do. */
export async function changeLook(stub: StubApp, scene: Scene, look: Look): Promise<void> {
  const state = shown(scene, look);
  await stub.page.emulateMedia({ contrast: look.contrast ?? null });
  await (scene.lock ? stub.send({ ...locked, ...state, ...scene.lock }) : stub.change(state));
  await stub.page.waitForFunction(({ language, theme }) => {
    const { lang, dataset } = document.documentElement;
    return lang === language && dataset['mantineColorScheme'] === theme;
  }, look);
  await settled(stub.page);
}

/** Returns what has to be on the screen before a step can be taken. */
function neededFor(page: Page, step: Step): Locator | undefined {
  if ('press' in step) return page.locator(step.press).nth(step.at ?? 0);
  if ('type' in step) return page.locator(step.type);
  if ('choose' in step) return page.locator(step.choose);
  return 'wait' in step ? page.locator(step.wait).first() : undefined;
}

async function take(stub: StubApp, step: Step): Promise<void> {
  const needed = neededFor(stub.page, step);
  if ('press' in step) await needed?.click();
  else if ('key' in step) await stub.page.keyboard.press(step.key);
  else if ('type' in step) await needed?.fill(step.text);
  else if ('choose' in step) await needed?.selectOption(step.value);
  else if ('wait' in step) await needed?.waitFor();
  else if ('holds' in step) await stub.answer(step.holds, 'hold');
  else if ('releases' in step) await stub.release(step.releases, step.error && { ok: false, error: step.error });
  else if ('changes' in step) await changed(stub, step.changes);
  else if ('fails' in step) await stub.fails(step.fails, step.error);
  else await stub.answer(step.answers, { ok: true, value: step.value as never });
}

/** Each change is on the screen before the next one comes, also on a quick machine. */
async function changed(stub: StubApp, changes: Partial<AppState>): Promise<void> {
  await stub.change(changes);
  await drawn(stub.page);
}

/** Waits until the page and its fonts are there and what was asked for has been drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.locator('main div[aria-busy=true]').waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
  });
}
