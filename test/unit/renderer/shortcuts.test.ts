import { describe, expect, it } from 'vitest';
import {
  acceleratorOf,
  commandForKey,
  windowCommands,
  keyCapsOf,
  shortcutOf,
  shortcuts,
  type Press,
} from '../../../preload/contract/shortcuts.ts';
import en from '../../../preload/contract/locales/window/en.json';

describe('the table of shortcuts', () => {
  it.each([true, false])('gives no key to two commands (macOS: %s)', (isMac) => {
    const keys = shortcuts.map((shortcut) => acceleratorOf(shortcut, isMac));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('has no command twice', () => {
    expect(new Set(windowCommands).size).toBe(windowCommands.length);
  });

  it('says a shortcut in the form of each that asks for it', () => {
    const [palette, account, check] = [shortcutOf('palette')!, shortcutOf('page-account')!, shortcutOf('check-again')!];
    expect([palette, account, check].map((each) => acceleratorOf(each, false))).toEqual(['CmdOrCtrl+K', 'Alt+1', 'F5']);
    expect([palette, account, check].map((each) => acceleratorOf(each, true)).at(1)).toBe('Control+1');
    expect(keyCapsOf(palette, true)).toEqual(['⌘', 'K']);
    expect(keyCapsOf(account, false)).toEqual(['Alt', '1']);
  });

  it('finds a name for every command', () => {
    const named = new Set(Object.keys(en.shortcuts.name));
    expect(windowCommands.filter((id) => !named.has(id.replace(/^server-\d$/, 'server')))).toEqual([]);
  });
});

const press = (keys: string, key: string, code: string): Press => ({
  key,
  code,
  ctrlKey: keys.includes('ctrl'),
  altKey: keys.includes('alt'),
  metaKey: keys.includes('meta'),
  shiftKey: keys.includes('shift'),
});

describe('a press means the same command on every keyboard', () => {
  it.each([
    ['US', 'ctrl', 'k', 'KeyK', 'palette'],
    ['Russian', 'ctrl', 'л', 'KeyK', 'palette'],
    ['Greek', 'ctrl', 'κ', 'KeyK', 'palette'],
    ['Dvorak, by the sign and not by the place', 'ctrl', 'k', 'KeyV', 'palette'],
    ['with the capitals on', 'ctrl', 'K', 'KeyK', 'palette'],
    ['Spanish, where the sign needs Shift', 'ctrl shift', '/', 'Digit7', 'keys'],
    ['German', 'ctrl shift', '/', 'Digit7', 'keys'],
    ['French, a page', 'alt', 'é', 'Digit2', 'page-calls'],
    ['French, a server', 'ctrl', '&', 'Digit1', 'server-1'],
    ['French, a digit with Shift', 'ctrl shift', '6', 'Digit6', 'server-6'],
    ['US, a page', 'alt', '3', 'Digit3', 'page-checks'],
    ['a key with a name', '', 'F6', 'F6', 'next-region'],
  ])('%s', (_keyboard, keys, key, code, command) => {
    expect(commandForKey(press(keys, key, code), false)).toBe(command);
  });

  it.each([
    ['French, zoom on the key of 6', 'ctrl', '-', 'Digit6', undefined],
    ['another letter on the place of K', 'ctrl', 't', 'KeyK', 'new-check'],
    ['AltGr', 'ctrl alt', 'k', 'KeyK', undefined],
    ['a letter that is typed', '', 'k', 'KeyK', undefined],
    ['Shift with a letter', 'ctrl shift', 'K', 'KeyK', undefined],
    ['a dead key', 'ctrl', 'Dead', 'Quote', undefined],
  ])('or none: %s', (_keyboard, keys, key, code, command) => {
    expect(commandForKey(press(keys, key, code), false)).toBe(command);
  });

  it('with Cmd on macOS', () => {
    expect(commandForKey(press('meta', 'л', 'KeyK'), true)).toBe('palette');
    expect(commandForKey(press('ctrl', '2', 'Digit2'), true)).toBe('page-calls');
    expect(commandForKey(press('ctrl', 'k', 'KeyK'), true)).toBeUndefined();
  });
});
