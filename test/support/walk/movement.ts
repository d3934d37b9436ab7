import { vi } from 'vitest';
import type { Locator } from 'playwright-core';
import type { Scene, Size } from '../stub-main/scene.ts';
import { showScene, type Look } from '../stub-main/show-scene.ts';
import type { StubApp } from '../stub-main/stub-app.ts';
import { drawn, layoutShift } from '../layout-shift.ts';

const waiting = { timeout: 30_000, interval: 20 };

/** What was answered on the way to a scene, and what moved then. */
interface Answers {
  answered: string[];
  moved: string[];
}

/** Answers all that waits by now, one after the other, and writes down what each answer has moved. */
async function answerAll(stub: StubApp, { answered, moved }: Answers): Promise<void> {
  for (;;) {
    // What the press itself has moved is on the screen by then, and is not counted.
    const since = await drawn(stub.page);
    const name = await stub.releaseOldest();
    if (name === undefined) return;
    answered.push(name);
    await drawn(stub.page);
    const { moved: places } = await layoutShift(stub.page, since);
    if (places.length > 0) moved.push(`moves when main answers ${name}: ${places.join(', ')}`);
  }
}

const inOrder = (names: readonly string[]): string => names.toSorted().join(', ');

/** Comes to a scene while main answers late, and says what moved, and what main was asked besides what the scene says. */
async function showLate(stub: StubApp, scene: Scene, look: Look, size: Size): Promise<string[]> {
  const answers: Answers = { answered: [], moved: [] };
  const beforeStep = (needed?: Locator) =>
    vi.waitUntil(async () => {
      await answerAll(stub, answers);
      return needed === undefined || (await needed.isVisible());
    }, waiting);
  const asks = scene.asks ?? [];
  await showScene(stub, scene, look, {
    size,
    atFirst: () => stub.holdEverything(),
    beforeStep: async (needed) => void (await beforeStep(needed)),
    atEnd: async () => {
      await vi.waitUntil(async () => {
        await answerAll(stub, answers);
        return answers.answered.length >= asks.length;
      }, waiting);
      await layoutShift(stub.page);
      await answerAll(stub, answers);
      await stub.holdEverything(false);
    },
  });
  const asked = inOrder(answers.answered);
  const expected = inOrder(asks);
  return [...answers.moved, ...(asked === expected ? [] : [`main is asked ${asked}, and not ${expected}`])];
}

/** Comes to a scene on which nothing may move, and says what did. Movement is not reduced, so that a jump is seen. */
export async function showMoving(stub: StubApp, scene: Scene, look: Look, size: Size): Promise<string[]> {
  await stub.page.emulateMedia({ reducedMotion: 'no-preference' });
  let found: string[];
  if (scene.asks) {
    found = await showLate(stub, scene, look, size);
  } else {
    await showScene(stub, scene, look, { size });
    found = (await layoutShift(stub.page)).moved;
  }
  await stub.page.emulateMedia({ reducedMotion: 'reduce' });
  return found;
}
