import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Api, EventName, EventPayload } from '../preload/contract/contract.ts';
import type { AppState, Server, WindowState } from '../preload/contract/models.ts';
import type { Settings } from '../preload/contract/settings.ts';
import type { Result } from '../preload/contract/result.ts';
import { createAppStateStore } from './app-state.ts';
import { logInAgain } from './log-in-again.ts';
import { redact } from './redact.ts';
import { type GuardedAction, productionQuestion } from './production-question.ts';

const appState = createAppStateStore();

/** Subscribes to an event of main. Returns the unsubscribe function. */
export const onEvent = <N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): (() => void) =>
  window.events[name]((payload: EventPayload<N>) => listener(redactIfPresenting(payload)));

/** Masks emails in what main sends while the presenter's view is on. */
const redactIfPresenting = <T>(value: T): T => (appState.current()?.settings.presenting ? redact(value) : value);

window.events['app.changed']((state: WindowState) => {
  appState.take(state);
  // Locking unmounts every dialog.
  if (state.locked) {
    productionQuestion.answer('cancelled');
    logInAgain.set(undefined);
  }
});

type Ask = (input: unknown) => Promise<Result<unknown>>;

/** Wraps a method: redacts its result, and turns a rejection into an error of kind `bug`. */
function shownAnswers(ask: Ask): Ask {
  return async (input) => {
    try {
      return redactIfPresenting(await ask(input));
    } catch (cause) {
      // A method that main does not handle rejects, which must not leave a screen pending for ever.
      return { ok: false, error: { kind: 'bug', id: cause instanceof Error ? cause.message : String(cause) } };
    }
  };
}

const mapValues = <A, B>(object: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/* oxlint-disable typescript/no-unsafe-type-assertion -- Walked by name, the methods lose their types; `shownAnswers` passes inputs and answers on as they are. */
const bridge = window.api as unknown as Record<string, Record<string, Ask>>;
const plain = mapValues(bridge, (group) => mapValues(group, shownAnswers)) as unknown as Api;
/* oxlint-enable typescript/no-unsafe-type-assertion */

/**
 * Calls a method. If main refuses it because the host of a production server is not confirmed, asks for the host and
 * retries.
 * @param act the action that the question names
 * @param decline runs instead if the user skips the request to the server
 */
async function confirmHost<T>(
  act: GuardedAction,
  call: () => Promise<Result<T>>,
  decline?: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await call();
  if (result.ok || result.error.kind !== 'production-not-confirmed') return result;
  const { serverId, host } = result.error;
  const answer = await productionQuestion.ask({ serverId, host, act, canSkip: decline !== undefined });
  if (answer === 'confirmed') return confirmHost(act, call, decline);
  if (answer === 'declined' && decline) return decline();
  return { ok: false, error: { kind: 'cancelled' } };
}

/** The methods of main. When a response resolves, `useAppState` already has the state that main sent before it. */
export const api: Api = {
  ...plain,
  session: {
    ...plain.session,
    register: (input) => confirmHost('register', () => plain.session.register(input)),
  },
  sessions: {
    ...plain.sessions,
    logout: (input) =>
      confirmHost(
        'logout',
        () => plain.sessions.logout(input),
        () => plain.sessions.logout({ ...input, tellServer: false }),
      ),
    logoutEverywhere: () => confirmHost('everywhere', () => plain.sessions.logoutEverywhere()),
    revoke: (input) => confirmHost('revoke', () => plain.sessions.revoke(input)),
  },
  servers: {
    ...plain.servers,
    edit: (input) => confirmHost('logout', () => plain.servers.edit(input)),
    importFile(input) {
      let { again } = input;
      return confirmHost('logout', () => {
        const imported = plain.servers.importFile({ again });
        // The user does not choose the file again after typing a host.
        again = true;
        return imported;
      });
    },
  },
  interfaces: {
    ...plain.interfaces,
    runTrial: (input) => confirmHost('try', () => plain.interfaces.runTrial(input)),
  },
  calls: {
    ...plain.calls,
    replay: (input) => confirmHost('replay', () => plain.calls.replay(input)),
  },
};

/** Requests the initial state. Later states arrive as events. */
export async function takeFirstState(): Promise<WindowState | undefined> {
  const first = await window.api.app.state().catch(() => undefined);
  if (first?.ok) appState.take(first.value);
  return appState.current();
}

/**
 * Returns the newest state of main, with emails masked while the presenter's view is on; undefined until the first
 * response or event.
 */
export function useWindowState(): WindowState | undefined {
  return useSyncExternalStore(appState.subscribe, appState.shown, appState.shown);
}

const theme = (): Settings['theme'] => appState.current()?.settings.theme ?? 'system';

/** Returns the theme setting. Re-renders only when it changes. */
export const useTheme = (): Settings['theme'] => useSyncExternalStore(appState.subscribe, theme, theme);

const unlocked = (state: WindowState | undefined): AppState | undefined =>
  state?.locked === false ? state : undefined;

/** Returns the newest state, or undefined while the application is locked. */
export const useAppState = (): AppState | undefined => unlocked(useWindowState());

/** State of the unlocked application. The shell provides it to everything below. */
export const AppContext = createContext<AppState | undefined>(undefined);

/** Returns the newest state, redacted like `useWindowState`. Throws outside the shell, which is a bug. */
export function useApp(): AppState {
  const state = useContext(AppContext);
  if (!state) throw new Error('useApp needs the shell above it.');
  return state;
}

/** Returns a server by its id, or undefined if it is no longer listed. */
export const useServer = (id: string | undefined): Server | undefined =>
  useApp().servers.find((server) => server.id === id);

/** Returns the active server. Main always lists it, so a missing one throws. */
export function useActiveServer(): Server {
  const { servers, activeServerId } = useApp();
  const active = servers.find(({ id }) => id === activeServerId);
  if (!active) throw new Error('The active server is not listed.');
  return active;
}

/** True while a screen reader is running. */
export const isReadAloud = (): boolean => appState.current()?.screenReader === true;

/**
 * Returns the newest state outside of rendering. It is not masked, so it must not be shown: a test lists the files that
 * may use it (`test/boundaries/imports.test.ts`).
 */
export const currentAppState = (): AppState | undefined => unlocked(appState.current());
