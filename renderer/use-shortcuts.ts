import { useHotkeys } from '@mantine/hooks';
import { type Command, hotkeyOf, shortcuts } from '../preload/contract/shortcuts.ts';

export const isMac = navigator.userAgent.includes('Mac');

/** Says whether a question or a menu is open, to which all keys belong. */
const isAsked = (): boolean => document.querySelector('[role=dialog]') !== null;

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
  const notAtOnce = { preventDefault: false };
  useHotkeys(
    [
      ...shortcuts.map((shortcut) => [hotkeyOf(shortcut, isMac), on(shortcut.id), notAtOnce] as const),
      ['F1', on('keys'), notAtOnce] as const,
    ].map(([keys, handler, options]) => [keys, handler, options]),
    [],
    true,
  );
  useHotkeys([['shift+?', on('keys'), notAtOnce]]);
}
