import { describe, expect, it } from 'vitest';
import {
  commands,
  hotkeyOf,
  acceleratorOf,
  keyCapsOf,
  shortcutOf,
  shortcuts,
} from '../../../preload/contract/shortcuts.ts';
import en from '../../../renderer/locales/en.json';

describe('the table of shortcuts', () => {
  it.each([true, false])('gives no key to two commands (macOS: %s)', (isMac) => {
    const keys = shortcuts.map((shortcut) => hotkeyOf(shortcut, isMac));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('has no command twice', () => {
    expect(new Set(commands).size).toBe(commands.length);
  });

  it('says a shortcut in the form of each that asks for it', () => {
    const [palette, account, check] = [shortcutOf('palette')!, shortcutOf('room-account')!, shortcutOf('check-again')!];
    expect([palette, account, check].map((each) => hotkeyOf(each, false))).toEqual(['mod+k', 'alt+1', 'F5']);
    expect([palette, account, check].map((each) => acceleratorOf(each, false))).toEqual(['CmdOrCtrl+K', 'Alt+1', 'F5']);
    expect([palette, account, check].map((each) => acceleratorOf(each, true)).at(1)).toBe('Control+1');
    expect(keyCapsOf(palette, true)).toEqual(['⌘', 'K']);
    expect(keyCapsOf(account, false)).toEqual(['Alt', '1']);
  });

  it('finds a name for every command', () => {
    const named = new Set(Object.keys(en.shortcuts.name));
    expect(commands.filter((id) => !named.has(id.replace(/^server-\d$/, 'server')))).toEqual([]);
  });
});
