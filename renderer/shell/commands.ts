import type { AppState } from '../../preload/contract/models.ts';
import type { AppError, Result } from '../../preload/contract/result.ts';
import type { Settings } from '../../preload/contract/settings.ts';
import {
  type WindowCommand,
  isPageCommand,
  isServerCommand,
  pageOf,
  serverPlaceOf,
} from '../../preload/contract/shortcuts.ts';
import { api, currentAppState } from '../api.ts';
import { nothingMisbehaves } from '../behaviour-text.ts';
import type { During } from '../error-text.ts';
import { focusable } from '../focus-home.ts';
import { currentRoute, isWorkbenchPage, navigate, type PageName, showActiveServer } from '../route.ts';
import { toggleCalls } from '../screens/calls/calls-dock.tsx';
import { createStore } from '../store.ts';

export const overlay = createStore<'palette' | 'keys' | undefined>(undefined);

/** The last failure of an action below, for an `ErrorMessage` above the page. */
export const actionFailure = createStore<{ error: AppError; during: During } | undefined>(undefined);

/** Several may run at the same time; the newest failure is shown. */
async function run(during: During, call: () => Promise<Result<unknown>>): Promise<void> {
  actionFailure.set(undefined);
  const result = await call();
  // The user cancelled the question for the host, so no error is shown.
  if (!result.ok && result.error.kind !== 'cancelled') actionFailure.set({ error: result.error, during });
}

/** Ends the welcome screen after a success, so that the account page is shown. */
async function runAndShowAccount(during: During, call: () => Promise<Result<unknown>>): Promise<void> {
  await run(during, async () => {
    const result = await call();
    const isWelcomed = currentAppState()?.settings.welcomed;
    return result.ok && isWelcomed === false ? api.settings.change({ welcomed: true }) : result;
  });
}

const shownSessionId = ({ session }: AppState): string | undefined =>
  session.step === 'signed-out' ? undefined : session.sessionId;

/** Actions of the header, the shortcuts, the native menus and the palette. One that is not possible does nothing. */
export const actions = {
  chooseServer: (id: string): void => {
    showActiveServer();
    void runAndShowAccount('server', () => api.servers.choose({ id }));
  },
  showAccount: (id: string): void => {
    const state = currentAppState();
    navigate({ page: 'account' });
    if (state && (id !== shownSessionId(state) || !state.settings.welcomed))
      void runAndShowAccount('check', () => api.sessions.choose({ id }));
  },
  addAccount: (): void => {
    navigate({ page: 'account' });
    void runAndShowAccount('check', () => api.session.addAccount());
  },
  startDemo: (): void => {
    navigate({ page: 'account' });
    void runAndShowAccount('server', () => api.demo.start());
  },
  checkAgain: (): void => {
    const session = currentAppState()?.session;
    if (session?.step === 'signed-in') void run('check', () => api.sessions.check({ id: session.sessionId }));
  },
  logOut: (): void => {
    const state = currentAppState();
    const id = state && shownSessionId(state);
    if (id !== undefined) void run('logout', () => api.sessions.logout({ id, tellServer: true }));
  },
  lock: (): void => void run('server', () => api.lock.now()),
  changeSettings: (settings: Partial<Settings>): void => void run('server', () => api.settings.change(settings)),
  turnFaultsOff: (): void => void run('server', () => api.builtIn.setBehaviour(nothingMisbehaves)),
  /** Switching the developer tools off on one of their pages shows the account. */
  toggleWorkbench: (): void => {
    const workbench = isWorkbench();
    if (workbench && isWorkbenchPage(currentRoute().page)) navigate({ page: 'account' });
    actions.changeSettings({ workbench: !workbench });
  },
};

const isWorkbench = (): boolean => currentAppState()?.settings.workbench === true;

/** Without the developer tools, the account is shown in place of their pages. */
function shownPage(): PageName {
  const { page } = currentRoute();
  return isWorkbench() || !isWorkbenchPage(page) ? page : 'account';
}

/** Runs a command of a shortcut, a native menu or the palette. */
export function runWindowCommand(command: WindowCommand): void {
  if (isServerCommand(command)) {
    const server = currentAppState()?.servers[serverPlaceOf(command) - 1];
    if (server) actions.chooseServer(server.id);
    return;
  }
  if (isPageCommand(command)) navigate({ page: pageOf(command) });
  else others[command]();
}

const others: Record<Exclude<WindowCommand, `server-${number}` | `page-${string}`>, () => void> = {
  palette: () => overlay.set('palette'),
  keys: () => overlay.set('keys'),
  workbench: actions.toggleWorkbench,
  'next-region': focusNextRegion,
  lock: actions.lock,
  calls: () => toggleCalls({ workbench: isWorkbench(), page: shownPage() }),
  'new-check': () => navigate({ page: 'checks', starting: true }),
  'built-in': () => navigate({ page: 'built-in' }),
  settings: () => navigate({ page: 'settings' }),
  about: () => navigate({ page: 'settings', section: 'about' }),
  find: () => document.querySelector<HTMLInputElement>('main input[type=search], main [data-find]')?.focus(),
  'check-again': actions.checkAgain,
};

/** Header, rail, page, dock, status bar, and around again (F6, as in browsers). A page is focused at its heading. */
function focusNextRegion(): void {
  const regions = Array.from(document.querySelectorAll<HTMLElement>('[data-region]'));
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(at + step) % regions.length];
    const target = region?.querySelector<HTMLElement>('h1[tabindex]') ?? region?.querySelector<HTMLElement>(focusable);
    if (target) {
      target.focus();
      return;
    }
  }
}
