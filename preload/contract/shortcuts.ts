import { type RailPage, railPages } from './rail-pages.ts';

/** What is held together with the key: `mod` is Ctrl, or Cmd on macOS; `alt` is Alt, or Ctrl on macOS. */
type Modifier = 'mod' | 'alt' | 'none';

/** Where the sheet of keys lists it: the whole window, the pages of the rail, the servers, or the page that is shown. */
export type ShortcutGroup = 'window' | 'pages' | 'servers' | 'page';

interface Entry {
  id: string;
  /** The key as `KeyboardEvent.key` has it, letters in lower case. */
  key: string;
  modifier: Modifier;
  group: ShortcutGroup;
}

const entry = <I extends string>(id: I, key: string, modifier: Modifier, group: ShortcutGroup) => ({
  id,
  key,
  modifier,
  group,
});

/**
 * Every key of the window, in the order of the sheet of keys. The native menus, the window and the sheet are made of
 * this table. Their names are under `shortcuts.name` in the locale files.
 */
export const shortcuts = [
  entry('palette', 'k', 'mod', 'window'),
  entry('keys', '/', 'mod', 'window'),
  entry('workbench', 'j', 'mod', 'window'),
  entry('next-region', 'F6', 'none', 'window'),
  entry('lock', 'l', 'mod', 'window'),
  ...railPages.map(({ name }, index) => entry(`page-${name}`, String(index + 1), 'alt', 'pages')),
  entry('calls', 'e', 'mod', 'pages'),
  entry('new-check', 't', 'mod', 'pages'),
  entry('built-in', 'b', 'mod', 'pages'),
  entry('settings', ',', 'mod', 'pages'),
  entry('server-1', '1', 'mod', 'servers'),
  entry('server-2', '2', 'mod', 'servers'),
  entry('server-3', '3', 'mod', 'servers'),
  entry('server-4', '4', 'mod', 'servers'),
  entry('server-5', '5', 'mod', 'servers'),
  entry('server-6', '6', 'mod', 'servers'),
  entry('server-7', '7', 'mod', 'servers'),
  entry('server-8', '8', 'mod', 'servers'),
  entry('server-9', '9', 'mod', 'servers'),
  entry('find', 'f', 'mod', 'page'),
  entry('check-again', 'F5', 'none', 'page'),
] as const satisfies readonly Entry[];

export type Shortcut = (typeof shortcuts)[number];

/** What the native menus can ask of the window: everything that has a key, and what is in a menu only. */
export const windowCommands = [...shortcuts.map(({ id }) => id), 'about'] as const;
export type WindowCommand = (typeof windowCommands)[number];

/** The command that switches to the server at a place, from 1 to 9. */
type ServerCommand = Extract<WindowCommand, `server-${number}`>;

export const isServerCommand = (command: WindowCommand): command is ServerCommand => command.startsWith('server-');

/** The command that shows a page of the rail. */
type PageCommand = Extract<WindowCommand, `page-${RailPage}`>;

export const isPageCommand = (command: WindowCommand): command is PageCommand => command.startsWith('page-');

export const pageOf = (command: PageCommand): RailPage =>
  railPages.find(({ name }) => command === `page-${name}`)!.name;

/** Returns the place of the server that a command switches to. */
export const serverPlaceOf = (command: ServerCommand): number => Number(command.slice('server-'.length));

/** Returns the shortcut of a command, if it has one. */
export const shortcutOf = (command: WindowCommand): Shortcut | undefined => shortcuts.find(({ id }) => id === command);

/** What is looked at of a press. It is a part of `KeyboardEvent`. */
export type Press = Record<'key' | 'code', string> & Record<'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey', boolean>;

/** With these a page is zoomed, and on a French keyboard one of them is on the key of 6. */
const ofZoom: ReadonlySet<string> = new Set(['-', '+', '=', '_']);

/** The letter or digit that a US keyboard has on a key. */
const onKey = (code: string): string | undefined =>
  /^(?:Key([A-Z])|Digit(\d))$/.exec(code)?.slice(1).find(Boolean)?.toLowerCase();

/**
 * Returns the command that a press means. A key is known by its sign; where that is no ASCII letter or digit, as with
 * Cyrillic and Greek letters and on the row of digits of a French keyboard, by its place. Shift tells letters apart, and
 * nothing else: on a Spanish keyboard `/` needs it.
 */
export function commandForKey(press: Press, isMac: boolean): WindowCommand | undefined {
  const { code, ctrlKey, altKey, metaKey, shiftKey } = press;
  const key = press.key.toLowerCase();
  const modifier: Record<Modifier, boolean> = {
    mod: isMac ? metaKey && !ctrlKey && !altKey : ctrlKey && !metaKey && !altKey,
    alt: isMac ? ctrlKey && !metaKey && !altKey : altKey && !ctrlKey && !metaKey,
    none: !ctrlKey && !altKey && !metaKey,
  };
  const find = (sign: string): WindowCommand | undefined =>
    shortcuts.find((each) => modifier[each.modifier] && each.key.toLowerCase() === sign)?.id;
  if (/^[a-z]$/.test(key) || /^f\d/.test(key)) return shiftKey ? undefined : find(key);
  const place = /^\d$/.test(key) || ofZoom.has(key) || shiftKey ? undefined : onKey(code);
  return find(key) ?? (place === undefined ? undefined : find(place));
}

/** Returns the shortcut in the form of Electron's accelerators: `CmdOrCtrl+K`, `Alt+1`, `F5`. */
export function acceleratorOf({ key, modifier }: Shortcut, isMac: boolean): string {
  const prefix: Record<Modifier, string> = { mod: 'CmdOrCtrl+', alt: isMac ? 'Control+' : 'Alt+', none: '' };
  return `${prefix[modifier]}${key.toUpperCase()}`;
}

/** Returns the parts of the shortcut as they are printed on keys: `['Ctrl', 'K']`, or `['⌘', 'K']` on macOS. */
export function keyCapsOf({ key, modifier }: Shortcut, isMac: boolean): string[] {
  const caps: Record<Modifier, string[]> = {
    mod: [isMac ? '⌘' : 'Ctrl'],
    alt: [isMac ? 'Ctrl' : 'Alt'],
    none: [],
  };
  return [...caps[modifier], key.toUpperCase()];
}
