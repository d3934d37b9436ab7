import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus at a row whose buttons go away because its server was told by itself: the row itself gets it, and reads
 * what has happened.
 */
export function useFocusWhenTold<T extends HTMLElement>(isTold: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const row = ref.current;
    if (isTold && row?.contains(document.activeElement)) row.focus();
  }, [isTold]);
  return ref;
}
