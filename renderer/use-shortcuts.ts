import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { type Command, commandOf, keyCapsOf, type Shortcut, shortcuts } from '../preload/contract/shortcuts.ts';
import { useEffect, useEffectEvent } from 'react';
import { onEvent } from './api.ts';

export const isMac = navigator.userAgent.includes('Mac');

/** Returns the keys of a command as they are printed, such as `Ctrl K`, or `⌘ K` on macOS. */
export function keysOf(id: Shortcut['id'], between = ' '): string {
  const shortcut = shortcuts.find((each) => each.id === id);
  return shortcut ? keyCapsOf(shortcut, isMac).join(between) : '';
}

/** Returns the keys that switch to the server at a place in the list. Only the first nine have some. */
export const serverKeysOf = (place: number): string | undefined => {
  const shortcut = shortcuts.find(({ id }) => id === `server-${place}`);
  return shortcut && keysOf(shortcut.id);
};

/** Says whether a question or a menu is open, to which all keys belong. */
const isAsked = (): boolean => document.querySelector('[role=dialog]') !== null;

/** It shows all keys, too. */
export const otherKeyOfKeys = 'F1';

/** What a handler does not take is left to the browser. */
const leftToHandler = { preventDefault: false };

/**
 * Runs a command when its keys are pressed, also while a field has the focus, and not while a dialog is open. F1, and
 * a question mark outside of fields, show all keys.
 */
export function useShortcuts(run: (command: Command) => void): void {
  const on = (command: Command) => (event: KeyboardEvent) => {
    if (event.repeat || isAsked()) return;
    event.preventDefault();
    run(command);
  };
  useWindowEvent('keydown', (event) => {
    const command = event.key === otherKeyOfKeys ? 'keys' : commandOf(event, isMac);
    if (command !== undefined) on(command)(event);
  });
  useHotkeys([['shift+?', on('keys'), leftToHandler]]);
}

/** Calls `onCommand` for each command that the person chose in a native menu. */
export function useCommands(onCommand: (command: Command) => void): void {
  const run = useEffectEvent(onCommand);
  useEffect(() => onEvent('app.command', (command) => run(command)), []);
}
