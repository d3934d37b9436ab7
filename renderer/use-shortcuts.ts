import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import {
  type WindowCommand,
  commandForKey,
  keyCapsOf,
  type Shortcut,
  shortcuts,
} from '../preload/contract/shortcuts.ts';
import { useEffect, useEffectEvent } from 'react';
import { onEvent } from './api.ts';

export const isMac = navigator.userAgent.includes('Mac');

/** Returns the keys of a command as they are printed, such as `Ctrl K`, or `⌘ K` on macOS. */
export function keysOf(id: Shortcut['id'], between = ' '): string {
  const shortcut = shortcuts.find((each) => each.id === id);
  return shortcut ? keyCapsOf(shortcut, isMac).join(between) : '';
}

/** Returns the keys that switch to the server at a position; undefined after the ninth. */
export const serverKeysOf = (place: number): string | undefined => {
  const shortcut = shortcuts.find(({ id }) => id === `server-${place}`);
  return shortcut && keysOf(shortcut.id);
};

/** True while a dialog is open, which receives all keys. */
const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null;

/** A second key for the list of shortcuts. */
export const otherKeyOfKeys = 'F1';

/** `on` prevents the default only for keys that it handles. */
const leftToHandler = { preventDefault: false };

/**
 * Runs commands by their keys, also while a field has the focus, but not while a dialog is open. F1, and a question
 * mark outside of fields, show all shortcuts.
 */
export function useShortcuts(run: (command: WindowCommand) => void): void {
  const on = (command: WindowCommand) => (event: KeyboardEvent) => {
    if (event.repeat || isDialogOpen()) return;
    event.preventDefault();
    run(command);
  };
  useWindowEvent('keydown', (event) => {
    const command = event.key === otherKeyOfKeys ? 'keys' : commandForKey(event, isMac);
    if (command !== undefined) on(command)(event);
  });
  useHotkeys([['shift+?', on('keys'), leftToHandler]]);
}

/** Calls `onCommand` for each command chosen in a native menu. */
export function useCommands(onCommand: (command: WindowCommand) => void): void {
  const run = useEffectEvent(onCommand);
  useEffect(() => onEvent('app.command', (command) => run(command)), []);
}
