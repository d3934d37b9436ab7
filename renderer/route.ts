import { moveFocus } from './move-focus.ts';
import type { CallSummary } from '../preload/contract/calls.ts';
import type { ConnectionReport } from '../preload/contract/models.ts';
import { railPages } from '../preload/contract/rail-pages.ts';
import { api, currentAppState } from './api.ts';
import type { BuiltInTab } from './screens/built-in-server/tabs.ts';
import type { SettingsSection } from './screens/settings/sections.ts';
import { createStore, useStore } from './store.ts';

/**
 * The current page. `editing` is the server that the servers page opens with, `tested` the report of the active
 * server's test.
 */
export type Route =
  | { page: 'account' }
  | { page: 'calls'; call?: CallSummary | undefined }
  /** `starting` opens the form of a new check, `run` the report of one. Each click makes a new route. */
  | {
      page: 'checks';
      starting?: true;
      run?: { serverId: string; number: number | undefined } | undefined;
      tested?: ConnectionReport | undefined;
    }
  | { page: 'built-in'; tab?: BuiltInTab }
  | { page: 'servers'; editing?: string | undefined; tested?: ConnectionReport | undefined }
  /** `leaving` asks whether to end every session. Each click makes a new route. */
  | { page: 'sessions'; leaving?: true }
  | { page: 'settings'; section?: SettingsSection | undefined };

export type PageName = Route['page'];

export const isWorkbenchPage = (page: PageName): boolean =>
  railPages.some(({ name, isTool }) => isTool && name === page);

const account = { page: 'account' } as const;
const here = createStore<Route>(account);
/** The element that had the focus before the navigation to this page. */
let cameFrom: Element | null = null;

/** Navigates to a page. A page of the developer tools turns these on. */
export function navigate(route: Route): void {
  const settings = currentAppState()?.settings;
  if (settings?.workbench === false && isWorkbenchPage(route.page)) void api.settings.change({ workbench: true });
  if (route.page !== here.current().page) cameFrom = document.activeElement;
  here.set(route);
}

/** Shows the account of the active server. A developer tools page stays: it follows the active server by itself. */
export function showActiveServer(): void {
  if (!isWorkbenchPage(here.current().page)) navigate(account);
}

/** Navigates back to the account, and returns the focus to where it was before. */
export function navigateBack(): void {
  const before = cameFrom;
  here.set(account);
  requestAnimationFrame(() => {
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    moveFocus(isThere ? before : document.querySelector<HTMLElement>('main h1'));
  });
}

export const useRoute = (): Route => useStore(here);

/** Returns the route outside of rendering. */
export const currentRoute = here.current;
