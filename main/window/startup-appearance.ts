import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The settings that the window needs before `config.json` is parsed, which takes as long as opening the window. */
export type StartupAppearance = {
  theme: 'system' | 'light' | 'dark';
  /** Not judged: it may be no language. */
  language: unknown;
  zoom: number;
  settings: { presenting: boolean };
  bounds: { x: number; y: number; width: number; height: number; maximized: boolean } | undefined;
};

const themes = ['light', 'dark'] as const;

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Returns the first file that is JSON. */
function read(...files: string[]): unknown {
  for (const file of files) {
    try {
      const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (content !== null) return content;
    } catch {
      // The error is reported when the file is parsed.
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

/** Invalid settings count as absent. */
export function readStartupAppearance(folder: string): StartupAppearance {
  const file = path.join(folder, 'config.json');
  const content = read(file, `${file}.last-good`);
  const settings = at(content, 'settings');
  const zoom = at(content, 'zoom');
  return {
    language: at(settings, 'language'),
    theme: themes.find((theme) => theme === at(settings, 'theme')) ?? 'system',
    zoom: typeof zoom === 'number' && zoom >= 0.5 && zoom <= 3 ? zoom : 1,
    settings: { presenting: at(settings, 'presenting') === true },
    bounds: placeIn(content),
  };
}
