import { type RefObject, useEffect, useState } from 'react';
import { pendingFocus } from '../move-focus.ts';

/**
 * Moves the focus when the component is unmounted: to a held-back target, to where it was before, to `instead`, to the
 * first `data-home` or to the heading. Mantine does so only for a dialog that stays rendered while it is closed.
 */
export function useFocusReturn(instead?: RefObject<HTMLElement | null>): void {
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
      const home = () => document.querySelector<HTMLElement>('main [data-home]') ?? document.querySelector('h1');
      (isThere ? before : (instead?.current ?? home()))?.focus();
    },
    [before, instead],
  );
}
