import { useEffect, useState } from 'react';
import { pendingFocus } from '../move-focus.ts';

/**
 * Moves the focus when the component is unmounted: to a held-back target, or to where it was before. If
 * neither is there, `keepFocusInPage` finds the next line or the home. Mantine returns the focus only for a dialog that
 * stays rendered while it is closed.
 */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const focusPending = pendingFocus();
      // The focus was moved on purpose.
      if (document.activeElement !== document.body) return;
      if (focusPending) {
        focusPending();
        return;
      }
      // A menu item is removed together with its menu.
      const isThere =
        before instanceof HTMLElement &&
        before.isConnected &&
        before !== document.body &&
        !before.closest('[role=menu]');
      if (isThere) before.focus();
    },
    [before],
  );
}
