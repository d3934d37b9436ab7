import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot, withWindow } from './application-figures.ts';
import type { Measure } from './context.ts';
import { figure } from './figures.ts';
import { percentile } from './statistics.ts';

/** The rooms of the rail, by the names that its buttons carry. */
const rooms = ['account', 'calls', 'contract', 'built-in', 'servers', 'settings'] as const;
type Room = (typeof rooms)[number];

/** How often each room is entered in one run of the bench. */
const VISITS = 20;

/**
 * Prepares, in the page, to measure the milliseconds from the press of the pointer on a room of the rail to the frame in
 * which the room is painted: its heading is there, and the rail marks it.
 */
function prepare(room: string): void {
  const before = document.querySelector('main h1')?.textContent;
  const measured = new Promise<number>((resolve) => {
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => {
        const look = (): void => {
          const heading = document.querySelector('main h1');
          const isThere = heading !== null && heading.textContent !== before && heading.getClientRects().length > 0;
          const isMarked = document.querySelector(`[data-room="${room}"][aria-current=page]`) !== null;
          // A frame is painted after its callbacks, so a task that they start runs once it is painted.
          if (!isThere || !isMarked) requestAnimationFrame(look);
          else setTimeout(() => resolve(performance.now() - timeStamp));
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  });
  Object.assign(globalThis, { measuredByBench: measured });
}

async function enter(page: Page, room: Room): Promise<number> {
  const button = page.locator(`nav [data-room="${room}"]`);
  await page.evaluate(prepare, room);
  await button.hover();
  await page.mouse.down();
  await page.mouse.up();
  return page.evaluate(() => Reflect.get(globalThis, 'measuredByBench') as Promise<number>);
}

/** Measures how long each room takes from the press on the rail until it is painted, signed in to the demo. */
export const measureRooms: Measure = async ({ runs, folder, say }) => {
  const times = new Map<Room, number[]>(rooms.map((room) => [room, []]));
  // In an empty folder the window begins with the door to the demo.
  const profile = await mkdtemp(path.join(folder, 'profile-'));
  await withWindow(
    projectRoot,
    folder,
    async (_app, page) => {
      await page.getByRole('button', { name: 'Start the demo', exact: true }).click();
      await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
      await page.keyboard.press('Control+J');
      await page.locator('nav [data-room=account]').waitFor();
      for (let run = 0; run < runs; run++) {
        for (let visit = 0; visit < VISITS; visit++) {
          // Each room is come to from another one in each visit.
          const order = rooms.map((_, at) => rooms[(at * (1 + (visit % 2) * 4) + visit) % rooms.length]!);
          for (const room of order) {
            if ((await page.locator(`nav [data-room="${room}"][aria-current=page]`).count()) > 0) continue;
            times.get(room)?.push(await enter(page, room));
          }
        }
        const said = rooms.map((room) => `${room} ${percentile(times.get(room) ?? [], 0.5).toFixed(0)} ms`);
        say(`rooms, run ${run + 1} of ${runs}: ${said.join(', ')}`);
      }
    },
    profile,
  );
  return [...times].flatMap(([room, each]) => [
    figure(`room-${room}`, 'ms', each),
    figure(`room-${room}-p95`, 'ms', [percentile(each, 0.95)]),
  ]);
};
