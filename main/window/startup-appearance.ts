import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What the window is made with before `config.json` is judged as a whole, which takes as long as the window itself. */
export type StartupAppearance = {
  theme: 'system' | 'light' | 'dark';
  zoom: number;
  settings: { presenting: boolean };
  bounds: { x: number; y: number; width: number; height: number; maximized: boolean } | undefined;
};

const themes = ['light', 'dark'] as const;

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Reads the one or the other of two files; undefined when neither holds JSON. */
function read(...files: string[]): unknown {
  for (const file of files) {
    try {
      const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (content !== null) return content;
    } catch {
      // What is wrong with it is found and said when it is judged.
    }
  }
  return undefined;
}

function placeIn(content: unknown): StartupAppearance['bounds'] {
  const window = at(content, 'window');
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => at(window, name));
  if (!isNumber(x) || !isNumber(y) || !isNumber(width) || !isNumber(height)) return undefined;
  return { x, y, width, height, maximized: at(window, 'maximized') === true };
}

/** Looks into the files of the user-data folder, so that the window opens in its colours, size and place. What is wrong there counts as not there. */
export function readStartupAppearance(folder: string): StartupAppearance {
  const file = path.join(folder, 'config.json');
  const content = read(file, `${file}.last-good`);
  const settings = at(content, 'settings');
  const zoom = at(content, 'zoom');
  return {
    theme: themes.find((theme) => theme === at(settings, 'theme')) ?? 'system',
    zoom: typeof zoom === 'number' && zoom >= 0.5 && zoom <= 3 ? zoom : 1,
    settings: { presenting: at(settings, 'presenting') === true },
    bounds: placeIn(content),
  };
}
