import type { Page } from 'playwright-core';

/** What moved by itself in one frame. */
interface Shift {
  /** The share of the window times the distance, as the Layout Instability specification (WICG) counts it. */
  value: number;
  /** The elements that moved, with their tops and left edges before and after. */
  moved: string[];
}

/** Chromium's entry; TypeScript's own library has no type for it. */
interface LayoutShiftEntry extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/**
 * Reads every layout shift of this page since its first frame. Shifts within half a second of a press count too: a
 * person who presses one thing does not expect another one to move.
 */
async function readShifts(page: Page, since: number): Promise<Shift[]> {
  return page.evaluate(async (from) => {
    const shifts: Shift[] = [];
    const take = (entries: PerformanceEntryList) => {
      // The observer asks for this one type only.
      for (const { value, sources, startTime } of entries as LayoutShiftEntry[]) {
        if (startTime <= from) continue;
        const moved = sources.map(({ node, previousRect: before, currentRect: after }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          const place = ({ left, top, width, height }: DOMRectReadOnly) =>
            [left, top, width, height].map(Math.round).join(' ');
          return `${element?.localName}.${element?.className} “${node?.textContent?.slice(0, 40)}”: ${place(before)} → ${place(after)}`;
        });
        shifts.push({ value, moved });
      }
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The next frame tells what a frame has moved. Entries of the past come in a task of their own.
    for (let frame = 0; frame < 4; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    await new Promise((next) => setTimeout(next, 50));
    take(observer.takeRecords());
    observer.disconnect();
    return shifts;
  }, since);
}

/** Waits until what was rendered is on the screen, and returns the moment of it for {@link layoutShift}. */
export const drawn = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    // Also where the clock of the page stands still, this is the time of its frames.
    return Number(document.timeline.currentTime);
  });

/**
 * Returns the sum of all shifts of this page, with two digits, and what moved.
 * @param since a moment that {@link drawn} gave; without it, everything since the first frame counts
 */
export async function layoutShift(page: Page, since = 0): Promise<{ sum: string; moved: string[] }> {
  const shifts = await readShifts(page, since);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  return { sum: sum.toFixed(2), moved: shifts.flatMap(({ value, moved }) => [value.toFixed(4)].concat(moved)) };
}

export const nothingMoved = { sum: '0.00', moved: [] };
