import { type RefObject, useEffect, useState } from 'react';
import { pendingFocus } from '../move-focus.ts';

/**
 * Gives the focus to what came meanwhile, or back to where it was, when this is no longer shown, or else to `instead`, or
 * else to the first `data-home`, or to the heading. Mantine does so only when a dialog stays rendered while it is closed.
 */
export function useFocusReturn(instead?: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const focusPending = pendingFocus();
      // Somebody gave the focus to this element on purpose.
      if (document.activeElement !== document.body) return;
      if (focusPending) {
        focusPending();
        return;
      }
      // The item of a menu goes away with its menu.
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
