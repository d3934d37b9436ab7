import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { loadPaneWidth, paneStyle } from '../../pane-width.ts';
import { navigate, type PageName, useRoute } from '../../route.ts';
import classes from './calls-dock.module.css';

/** The calls of the active server beside the account. Loaded when they are docked for the first time. */
export const CallsDock = lazyComponent(
  () => import('./docked-calls.tsx').then((loaded) => loaded.DockedCalls),
  // It takes its width from the first frame on, so that the layout does not shift.
  () => <div className={classes.dock} style={paneStyle(loadPaneWidth('dock'))} />,
);

/** Least width of a window for the dock beside the account. */
const wideEnough = '(min-width: 1320px)';
const key = 'calls-dock';
const listeners = new Set<() => void>();
let docked: boolean | undefined;
/** The focused element when the calls were docked. */
let focusBefore: Element | null = null;

/** Stored in localStorage, not with the settings. */
function isDocked(): boolean {
  // localStorage is read from the disk: a narrow window need not, and a wide one reserves the place at once.
  if (docked === undefined && matchMedia(wideEnough).matches) {
    docked = localStorage.getItem(key) === 'docked';
  }
  return docked ?? false;
}

function setDocked(next: boolean): void {
  docked = next;
  localStorage.setItem(key, next ? 'docked' : 'away');
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns the focus to where it was when the calls were docked. */
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

export function useCallsDock(workbench: boolean): boolean {
  const isWide = useMediaQuery(wideEnough, undefined, { getInitialValueInEffect: false }) ?? false;
  const isOn = useSyncExternalStore(subscribe, isDocked);
  const { page } = useRoute();
  return workbench && isWide && page === 'account' && isOn;
}

/** Docks or undocks the calls on a wide account page in Tools mode, and otherwise opens their page. */
export function toggleCalls({ workbench, page }: { workbench: boolean; page: PageName }): void {
  if (!workbench || page !== 'account' || !matchMedia(wideEnough).matches) navigate({ page: 'calls' });
  else if (isDocked()) undock();
  else {
    focusBefore = document.activeElement;
    setDocked(true);
  }
}
