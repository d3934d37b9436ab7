import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import { drawerMemory } from './drawer-memory.ts';

type Open = 'no' | 'by the person' | 'since the last time';

/** Keeps whether the drawer of calls is open. The next start remembers it. */
export function useCallsDock() {
  const [open, setOpen] = useState<Open>('no');
  const [isKnown, setIsKnown] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const cameFrom = useRef<Element>(null);
  const [wanted, setWanted] = useState<CallSummary>();

  useEffect(() => {
    // The first frame must wait neither for the drawer nor for the storage, which is read from the disk.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        if (drawerMemory.read().open) setOpen((now) => (now === 'no' ? 'since the last time' : now));
        setIsKnown(true);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);

  const close = useCallback(() => {
    const before = cameFrom.current;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    else buttonRef.current?.focus();
    drawerMemory.write({ open: false });
    setWanted(undefined);
    setOpen('no');
  }, []);

  const isOpen = open !== 'no';
  const toggle = useCallback(() => {
    if (isOpen) {
      close();
      return;
    }
    cameFrom.current = document.activeElement;
    drawerMemory.write({ open: true });
    setOpen('by the person');
  }, [isOpen, close]);

  /** Opens the drawer with this call. */
  const show = useCallback((call: CallSummary) => {
    drawerMemory.write({ open: true });
    setWanted(call);
    setOpen('by the person');
  }, []);

  /** `isKnown` is true once the memory was read. Until then the drawer may still take its place. */
  return { dock: { open, isOpen, isKnown, wanted, toggle, show, close }, buttonRef };
}

export type Dock = ReturnType<typeof useCallsDock>['dock'];
