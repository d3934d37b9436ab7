import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { lateArrival } from '../arrive.ts';

/** What a button and what it opens know of each other. */
export interface Opened {
  /** That of the button. What it opens has the same with `-dropdown`, which Mantine adds by itself. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/**
 * Makes a button open something whose code is loaded when the button is first pointed at or takes the focus, since most
 * of what can be opened never is. The button stays the same element throughout.
 */
export function useOpener(popup: 'menu' | 'dialog' | 'listbox') {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => (isOpen ? () => lateArrival()?.() : undefined), [isOpen]);
  const want = () => setWanted(true);
  const opened: Opened = { id, button, isOpen, setOpen };
  return {
    opened,
    /** Whether what it opens has to be rendered, open or not. */
    isWanted,
    buttonProps: {
      id,
      ref: button,
      'aria-haspopup': popup,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? `${id}-dropdown` : undefined,
      onPointerEnter: want,
      onFocus: want,
      onClick: () => {
        want();
        setOpen(!isOpen);
      },
    },
  };
}
