import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { WindowState } from '../../preload/contract/models.ts';
import { figure, ofRoot, type Measure } from './figures.ts';
import { startPeer } from './peers/start-peer.ts';
import { person } from './requests.ts';
import { newProfile, withWindow } from './windows.ts';

const delays = [0, 50, 200];
/** A person does not log in again at once: what is kept of the last session is on the disk by then. */
const restMs = 1000;

/**
 * Measures, in the page, the milliseconds from the button's click to the frame that shows the profile which the server
 * confirmed. A frame is painted after its callbacks, so a task that they start runs once it is painted.
 */
function watchForProfile(): void {
  const confirmed = new Promise<number>((resolve, reject) => {
    setTimeout(() => reject(new Error('The profile did not come')), 20_000);
    let pressedAt = 0;
    document.addEventListener('click', ({ timeStamp }) => (pressedAt = timeStamp), { once: true, capture: true });
    const painted = (): void => resolve(performance.now() - pressedAt);
    const end = window.events['app.changed']((state: WindowState) => {
      if (state.locked || state.session.step !== 'signed-in') return;
      end();
      if (state.session.check.state !== 'checked') reject(new Error('The server did not confirm the profile'));
      requestAnimationFrame(() => void scheduler.postTask(painted, { priority: 'user-blocking' }));
    });
  });
  Reflect.set(globalThis, 'benchConfirmed', confirmed);
}

/** Returns how long the newest login and profile took at their server, as the application says it of its own calls. */
async function newestCalls(page: Page): Promise<number> {
  const listed = await page.evaluate(() => {
    const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
    return window.api.calls.list({ filter: all, offset: 0 });
  });
  const totalOf = (end: string): number => {
    const call = listed.ok ? listed.value.calls.find((each) => each.path.endsWith(end)) : undefined;
    if (!call) throw new Error(`There is no call of ${end}`);
    return call.totalMs;
  };
  return totalOf('/login') + totalOf('/perfil');
}

/** Logs in at a server, and forgets the session. Returns the milliseconds, and those of them in the two calls. */
async function logIn(page: Page, id: string): Promise<{ whole: number; calls: number }> {
  await page.evaluate((server) => window.api.servers.choose({ id: server }), id);
  const button = page.getByRole('button', { name: 'Log in', exact: true });
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.waitForTimeout(restMs);
  await button.hover();
  await page.evaluate(watchForProfile);
  // Playwright's own click looks in the page, with the first handler, whether the button takes it.
  await page.mouse.down();
  // A person's press lasts longer than a field takes to show that it has lost the focus, and ends at any moment of a
  // frame: looked for in each frame, that would always be right behind one.
  await page.waitForFunction(() => document.getAnimations().length === 0, undefined, { polling: 47 });
  await page.mouse.up();
  const whole = z.number().parse(await page.evaluate(() => Reflect.get(globalThis, 'benchConfirmed')));
  const calls = await newestCalls(page);
  await page.evaluate(async () => {
    const state = await window.api.app.state();
    if (state.ok && !state.value.locked)
      for (const { id } of state.value.sessions) await window.api.sessions.forget({ id });
  });
  return { whole, calls };
}

/** Measures from the press on "Log in" to the profile that the server confirmed, also beyond what the two calls take. */
export const measurePress: Measure = async (context) => {
  const { runs, roots, folder, say } = context;
  const peer = await startPeer('slow', { user: { id: 1, name: person.name, email: person.email } });
  const figures = new Map<string, number[]>();
  const add = (name: string, ms: number): void => void figures.set(name, [...(figures.get(name) ?? []), ms]);

  /** Opens a window of each checkout, and presses in all of them in turns. */
  async function open(pages: Page[]): Promise<void> {
    const root = roots[pages.length];
    if (root === undefined) return pressAll(pages);
    const servers = delays.map((delay) => ({
      id: `server-${delay}`,
      name: `${delay} ms`,
      baseUrl: `${peer.baseUrl}/${delay}`,
      agreed: [peer.baseUrl],
    }));
    const profile = await newProfile(folder, { servers: [{ id: 'built-in', baseUrl: '' }, ...servers] });
    return withWindow(root, profile, async (page) => open([...pages, page]));
  }

  async function pressAll(pages: Page[]): Promise<void> {
    for (let run = -1; run < runs; run++) {
      for (const delay of delays) {
        for (const [at, page] of pages.entries()) {
          const { whole, calls } = await logIn(page, `server-${delay}`);
          const name = `click to profile, server ${delay} ms away`;
          if (run < 0) continue;
          add(ofRoot(`${name}, without the requests`, context, at), whole - calls);
          add(ofRoot(name, context, at), whole);
          say(
            `${ofRoot(name, context, at)}, run ${run + 1}: ${whole.toFixed(1)} ms, of them ${calls.toFixed(1)} in its calls`,
          );
        }
      }
    }
  }

  try {
    await open([]);
  } finally {
    await peer.close();
  }
  return [...figures].map(([name, values]) => figure(name, 'ms', values));
};
