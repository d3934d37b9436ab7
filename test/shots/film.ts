import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';

const run = promisify(execFile);
const font = path.resolve(
  import.meta.dirname,
  '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);
/** The height in pixels of the strip with the words, under the window. */
const strip = 48;
/** Milliseconds for which a picture of a movement stands. ffmpeg counts in steps of so many. */
const stepMs = 40;
const stepsOfAMove = 7;

type Frame = { file: string; ms: number };
type Title = { text: string; from: number };
type Point = { x: number; y: number };

export type Film = {
  /** What is written under the window from now on. */
  says: (text: string) => void;
  /** Shows the window as it is now. */
  hold: (ms: number) => Promise<void>;
  /** Moves the pointer to something, and presses it. */
  press: (wanted: Locator) => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
};

/**
 * Makes a moving picture of what is done in a window: each step is a picture of its page, which stands as long as is said
 * here and not as long as the step took. So a wait for a server costs nobody's time, and every run makes the same film.
 */
export async function makeFilm(page: Page, file: string, work: (film: Film) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-film-'));
  const frames: Frame[] = [];
  const titles: Title[] = [];
  const now = (): number => frames.reduce((sum, { ms }) => sum + ms, 0);
  let at: Point = { x: 520, y: 420 };

  async function hold(ms: number): Promise<void> {
    const name = `${String(frames.length).padStart(4, '0')}.png`;
    await page.screenshot({ path: path.join(folder, name), animations: 'disabled' });
    frames.push({ file: name, ms: Math.ceil(ms / stepMs) * stepMs });
  }
  async function moveTo(to: Point): Promise<void> {
    const from = at;
    for (let step = 1; step <= stepsOfAMove; step += 1) {
      const share = step / stepsOfAMove;
      const eased = share * share * (3 - 2 * share);
      at = { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
      await page.mouse.move(at.x, at.y);
      await drawPointer(page, at);
      await hold(stepMs);
    }
  }

  try {
    await drawPointer(page, at);
    await work({
      says: (text) => void titles.push({ text, from: now() }),
      hold,
      press: async (wanted) => {
        await wanted.scrollIntoViewIfNeeded();
        const box = await wanted.boundingBox();
        if (!box) throw new Error(`Nobody sees ${String(wanted)}.`);
        await moveTo({ x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 });
        await hold(240);
        await wanted.click();
      },
      type: async (field, text) => {
        await field.fill('');
        for (let end = 4; end < text.length + 4; end += 4) {
          await field.fill(text.slice(0, end));
          await hold(stepMs);
        }
      },
    });
    await encode(folder, frames, titles, file);
    console.log(`Made ${file}: ${(now() / 1000).toFixed(1)} s, ${frames.length} pictures`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A picture of a page has no pointer: this draws one. */
const drawPointer = (page: Page, { x, y }: Point): Promise<void> =>
  page.evaluate(
    ([left, top]) => {
      const name = 'http://www.w3.org/2000/svg';
      let pointer = document.querySelector<SVGSVGElement>('#pointer-of-film');
      if (!pointer) {
        pointer = document.createElementNS(name, 'svg');
        pointer.id = 'pointer-of-film';
        const arrow = document.createElementNS(name, 'path');
        arrow.setAttribute('d', 'M1 1v17l4.5-4 3 7 3.2-1.4-3-6.8H15z');
        arrow.setAttribute('fill', '#111827');
        arrow.setAttribute('stroke', '#fff');
        arrow.setAttribute('stroke-width', '1.4');
        pointer.append(arrow);
        document.documentElement.append(pointer);
      }
      const shape = { position: 'fixed', width: '24px', height: '28px', zIndex: '99999', pointerEvents: 'none' };
      Object.assign(pointer.style, shape, { left: `${left}px`, top: `${top}px` });
    },
    [x, y],
  );

/** Puts the pictures together, with what is said under them. */
async function encode(folder: string, frames: Frame[], titles: Title[], file: string): Promise<void> {
  const lines = frames.map((frame) => `file '${frame.file}'\nduration ${frame.ms / 1000}`);
  // The list says how long a picture stands by when the next one comes.
  await writeFile(path.join(folder, 'list.txt'), [...lines, `file '${frames.at(-1)!.file}'`].join('\n'));
  const words = await Promise.all(
    titles.map(async ({ text, from }, index) => {
      const name = path.join(folder, `title-${index}.txt`);
      await writeFile(name, text);
      const until = (titles[index + 1]?.from ?? Number.MAX_SAFE_INTEGER) / 1000 - 0.001;
      const place = `x=(w-tw)/2:y=h-${strip / 2}-10:fontsize=21:fontcolor=white`;
      return `drawtext=fontfile=${font}:textfile=${name}:${place}:enable='between(t,${from / 1000},${until})'`;
    }),
  );
  const filters = [`pad=iw:ih+${strip}:0:0:0x1b2033`, ...words].join(',');
  const input = ['-f', 'concat', '-safe', '0', '-i', path.join(folder, 'list.txt')];
  const output = [
    '-fps_mode',
    'vfr',
    '-c:v',
    'libwebp_anim',
    '-quality',
    '85',
    '-compression_level',
    '5',
    '-loop',
    '0',
  ];
  await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...input, '-vf', filters, ...output, file]);
}
