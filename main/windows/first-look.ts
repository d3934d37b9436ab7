import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The server that the log-in form of the first frame is for. */
export type FirstServer = { builtIn: boolean; name: string; baseUrl: string; colour: string; email: string };

/** What the window is made with before `config.json` is judged as a whole, which takes as long as the window itself. */
export type FirstLook = {
  theme: 'system' | 'light' | 'dark';
  /** A code, or `system`. */
  language: string;
  zoom: number;
  settings: { presenting: boolean };
  place: { x: number; y: number; width: number; height: number; maximized: boolean } | undefined;
  /** It is undefined where anything but the plain log-in form may come. */
  server: FirstServer | undefined;
};

const themes = ['light', 'dark'] as const;

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

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

function placeIn(content: unknown): FirstLook['place'] {
  const window = at(content, 'window');
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => at(window, name));
  if (!isNumber(x) || !isNumber(y) || !isNumber(width) || !isNumber(height)) return undefined;
  return { x, y, width, height, maximized: at(window, 'maximized') === true };
}

/** Returns the server of the log-in form, where nothing else can be the first thing to show. */
function serverIn(content: unknown): FirstServer | undefined {
  const settings = at(content, 'settings');
  const isPlain =
    at(content, 'version') === 2 &&
    at(settings, 'welcomed') === true &&
    !['workbench', 'presenting', 'clearOnQuit'].some((name) => at(settings, name) === true) &&
    isEmpty(at(content, 'sessions'));
  if (!isPlain) return undefined;
  const listed = at(content, 'environments');
  const id = at(content, 'activeEnvironmentId');
  const stored: unknown = Array.isArray(listed) ? listed.find((each: unknown) => at(each, 'id') === id) : undefined;
  const builtIn = stored === undefined || id === 'built-in';
  const baseUrl = text(at(stored, 'baseUrl'));
  // A label or a warning would have to be there as well.
  const isOther = at(stored, 'production') === true || !isEmpty(at(stored, 'pins')) || !baseUrl.startsWith('https://');
  if (!builtIn && isOther) return undefined;
  const colour = text(at(stored, 'colour'));
  return {
    builtIn,
    name: text(at(stored, 'name')),
    baseUrl,
    colour: /^[a-z]+$/.test(colour) ? colour : 'gray',
    email: text(at(at(content, 'lastEmails'), builtIn ? 'built-in' : text(id))),
  };
}

/** Looks into the files of the user-data folder. Whatever is wrong with them counts as not there. */
export function firstLook(folder: string): FirstLook {
  const file = path.join(folder, 'config.json');
  const content = read(file, `${file}.last-good`);
  const settings = at(content, 'settings');
  const zoom = at(content, 'zoom');
  return {
    theme: themes.find((theme) => theme === at(settings, 'theme')) ?? 'system',
    language: text(at(settings, 'language')) || 'system',
    zoom: typeof zoom === 'number' && zoom >= 0.5 && zoom <= 3 ? zoom : 1,
    settings: { presenting: at(settings, 'presenting') === true },
    place: placeIn(content),
    server:
      existsSync(path.join(folder, 'lock.json')) || existsSync(path.join(folder, 'lock.json.last-good'))
        ? undefined
        : serverIn(content),
  };
}
