import { useHotkeys } from '@mantine/hooks';

/**
 * Keys pressed together with Ctrl or Cmd, also while a field has the focus. They do nothing while a dialog is open.
 * @param shortcuts what each key does
 */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  useHotkeys(
    Object.entries(shortcuts).map(([key, run]) => [
      `mod+${key}`,
      (event) => {
        if (event.repeat || document.querySelector('[role=dialog]')) return;
        event.preventDefault();
        run();
      },
      { preventDefault: false },
    ]),
    [],
    true,
  );
}
