import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { loadPaneWidth, paneStyle } from '../../pane-width.ts';
import { navigate, type PageName, useRoute } from '../../route.ts';
import classes from './calls-dock.module.css';

/** The calls of the active server beside the account. Their code is loaded once they are docked. */
export const CallsDock = lazyComponent(
  () => import('./docked-calls.tsx').then((loaded) => loaded.DockedCalls),
  // Its place is there from the first frame on, so that nothing moves when the rest comes.
  () => <div className={classes.dock} style={paneStyle(loadPaneWidth('dock'))} />,
);

/** The dock stands beside the account from this width on. */
const wideEnough = '(min-width: 1320px)';
const key = 'calls-dock';
const listeners = new Set<() => void>();
let docked: boolean | undefined;
/** Where the focus was when the person docked the calls. */
let focusBefore: Element | null = null;

/** Stored for this window alone, not with the settings. Where there is no storage, it is forgotten. */
function isDocked(): boolean {
  // It is read from the disk, so a window without room for the dock never asks. The others have its place at once.
  if (docked === undefined && matchMedia(wideEnough).matches) {
    try {
      docked = localStorage.getItem(key) === 'docked';
    } catch {
      docked = false;
    }
  }
  return docked ?? false;
}

function setDocked(next: boolean): void {
  docked = next;
  try {
    localStorage.setItem(key, next ? 'docked' : 'away');
  } catch {
    // Only the place of the calls is lost.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Gives the focus back to where it was when the calls were docked. */
export function undock(): void {
  const hadFocus = Boolean(document.activeElement?.closest('#calls-dock'));
  setDocked(false);
  if (!hadFocus) return;
  const before = focusBefore;
  requestAnimationFrame(() => {
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    (isThere ? before : document.querySelector<HTMLElement>('main h1'))?.focus();
  });
}

/** Whether the dock is shown now. */
export function useCallsDock(workbench: boolean): boolean {
  const isWide = useMediaQuery(wideEnough, undefined, { getInitialValueInEffect: false }) ?? false;
  const isOn = useSyncExternalStore(subscribe, isDocked);
  const { page } = useRoute();
  return workbench && isWide && page === 'account' && isOn;
}

/** Docks the calls beside the account or takes them away, where there is room for them, and else opens their page. */
export function toggleCalls({ workbench, page }: { workbench: boolean; page: PageName }): void {
  if (!workbench || page !== 'account' || !matchMedia(wideEnough).matches) navigate({ page: 'calls' });
  else if (isDocked()) undock();
  else {
    focusBefore = document.activeElement;
    setDocked(true);
  }
}
