import { type RefObject, useRef, useState } from 'react';

export type Pane = 'runs' | 'evidence';

/**
 * Keeps which side pane lies over the report where there is no room beside it. Opened, it takes the focus; closed, it
 * gives the focus back. On a wide window all panes are there, and nothing opens or closes.
 */
export function usePanes() {
  const [open, setOpen] = useState<Pane>();
  const openerRef = useRef<Element>(null);
  const runsRef = useRef<HTMLElement>(null);
  const evidenceRef = useRef<HTMLElement>(null);
  const refs: Record<Pane, RefObject<HTMLElement | null>> = { runs: runsRef, evidence: evidenceRef };

  function show(pane: Pane): void {
    const element = refs[pane].current;
    if (!element || getComputedStyle(element).position !== 'absolute') return;
    openerRef.current = document.activeElement;
    setOpen(pane);
    requestAnimationFrame(() => element.querySelector<HTMLElement>('h2, [tabindex="0"]')?.focus());
  }

  function close(): void {
    if (open === undefined) return;
    setOpen(undefined);
    const opener = openerRef.current;
    requestAnimationFrame(() => {
      const isThere = opener instanceof HTMLElement && opener.isConnected && !opener.closest('[role=menu]');
      (isThere ? opener : document.querySelector<HTMLElement>('main h1'))?.focus();
    });
  }

  return { open, show, close, runsRef, evidenceRef };
}

export type Panes = ReturnType<typeof usePanes>;
