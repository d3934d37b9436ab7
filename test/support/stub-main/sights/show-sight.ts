import { page, stub } from '../opened-stub.ts';
import type { Scene } from '../scene.ts';
import { changeLook, showScene, type Look } from '../show-scene.ts';

/** Something a person may come to see in the window. A sight is a scene whose steps need code. */
export interface Sight extends Omit<Scene, 'name' | 'steps'> {
  /** What is done before the look. */
  act?: () => Promise<void>;
}

/** Brings the window, which is as large as at first, to a sight as a person would come there. */
export async function showSight({ act, ...sight }: Sight, look: Look): Promise<void> {
  await page.setViewportSize({ width: 1000, height: 700 });
  await showScene(stub, sight, look);
  await act?.();
}

/** Changes language, theme and contrast of the sight that is shown, as the settings and the system do. */
export const changeLookOfSight = (sight: Sight, look: Look): Promise<void> => changeLook(stub, sight, look);
