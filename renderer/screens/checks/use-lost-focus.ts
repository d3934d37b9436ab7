import { type RefObject, useEffect, useRef } from 'react';

/** Gives the focus to what takes the place of the element that had it, unless the focus is somewhere else by now. */
export function useLostFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) ref.current?.focus();
  }, []);
  return ref;
}
