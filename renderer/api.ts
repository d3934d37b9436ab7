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

/** Subscribes to an event of main, and returns the function that ends the subscription. */
export const onEvent = <N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): (() => void) =>
  window.events[name]((payload: EventPayload<N>) => listener(redactIfPresenting(payload)));

/** What main says as the window may show it: while the person presents, it has no email. */
const redactIfPresenting = <T>(value: T): T => (appState.current()?.settings.presenting ? redact(value) : value);

window.events['app.changed']((state: WindowState) => {
  appState.take(state);
  // The dialog with the question is gone with everything else.
  if (state.locked) {
    productionQuestion.answer('cancelled');
    logInAgain.set(undefined);
  }
});

type Ask = (input: unknown) => Promise<Result<unknown>>;

/** Wraps a method: what it answers is as the window may show it, and where main rejects, it is a failure. */
function shownAnswers(ask: Ask): Ask {
  return async (input) => {
    try {
      return redactIfPresenting(await ask(input));
    } catch (cause) {
      // A method that main does not serve at all must not leave a screen busy for ever.
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
 * Calls a method that main refuses on a production server until its host was typed, and asks for the host then.
 * @param act what the question is about
 * @param decline what is done instead when the person would rather not
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

/** Has every method of main. When an answer arrives, `useAppState` has the state that main told before it. */
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
    takeFile: (input) => confirmHost('logout', () => plain.servers.takeFile(input)),
  },
  interfaces: {
    ...plain.interfaces,
    try: (input) => confirmHost('try', () => plain.interfaces.try(input)),
  },
  calls: {
    ...plain.calls,
    replay: (input) => confirmHost('replay', () => plain.calls.replay(input)),
  },
};

/** Asks for the state that the window begins with. Later states come as events. */
export async function takeFirstState(): Promise<WindowState | undefined> {
  const first = await window.api.app.state().catch(() => undefined);
  if (first?.ok) appState.take(first.value);
  return appState.current();
}

/**
 * Returns the newest state of main, as it may be shown: its emails are masked while the person presents. It is undefined
 * until the first answer or event.
 */
export function useWindowState(): WindowState | undefined {
  return useSyncExternalStore(appState.subscribe, appState.shown, appState.shown);
}

const theme = (): Settings['theme'] => appState.current()?.settings.theme ?? 'system';

/** Returns the theme that was chosen, and nothing else of the state. */
export const useTheme = (): Settings['theme'] => useSyncExternalStore(appState.subscribe, theme, theme);

const unlocked = (state: WindowState | undefined): AppState | undefined =>
  state?.locked === false ? state : undefined;

/** Returns the newest state, or undefined while the application is locked. */
export const useAppState = (): AppState | undefined => unlocked(useWindowState());

/** The state of the unlocked application. The shell provides it to everything below it. */
export const AppContext = createContext<AppState | undefined>(undefined);

/** Returns the newest state, masked while the person presents. Throws outside the shell, which is a bug. */
export function useApp(): AppState {
  const state = useContext(AppContext);
  if (!state) throw new Error('useApp needs the shell above it.');
  return state;
}

/** Returns a listed server by its id, or undefined if it is no longer listed. */
export const useServer = (id: string | undefined): Server | undefined =>
  useApp().servers.find((server) => server.id === id);

/** Returns the server that was chosen. Main always lists it. */
export function useActiveServer(): Server {
  const { servers, activeServerId } = useApp();
  const active = servers.find(({ id }) => id === activeServerId);
  if (!active) throw new Error('The active server is not listed.');
  return active;
}

/** Says whether a program listens that reads the window to a person. */
export const isReadAloud = (): boolean => appState.current()?.screenReader === true;

/**
 * Returns the newest state outside of rendering, to act by. It is not masked: nothing of it is shown. A test lists who
 * may ask for it (`test/boundaries/imports.test.ts`).
 */
export const currentAppState = (): AppState | undefined => unlocked(appState.current());
