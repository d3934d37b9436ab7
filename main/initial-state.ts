import type { EventName, EventPayload, Handlers } from '../preload/contract/contract.ts';
import type { AppState, WindowState } from '../preload/contract/models.ts';
import type { Language } from '../preload/contract/settings.ts';
import { ok } from '../preload/contract/result.ts';
import type { ConfigStore } from './account/config/config.ts';
import type { Pin } from './account/lock/pin.ts';
import { SessionStore } from './account/sessions/session-store.ts';
import { createInitialSession } from './account/sessions/session-presenter.ts';
import { createAppState } from './account/state/app-state.ts';
import type { FileNotices } from './files/file-notices.ts';

/** What the first state is made of: the files as they were opened, and what Electron says of itself. */
export type InitialStatePorts = {
  about: Pick<AppState, 'version' | 'electron'>;
  config: ConfigStore;
  pin: Pin;
  /** What was said of files so far, and what is said of them from now on. */
  notices: FileNotices;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  /** The email of the made-up person of the demo. */
  demoEmail: string;
  /** Tells the window an event, if there is a window. */
  notify: <N extends EventName>(name: N, payload: EventPayload<N>) => void;
  now?: (() => Date) | undefined;
};

export type InitialState = ReturnType<typeof createInitialState>;

/**
 * Makes the state that the window shows first: settings, servers, held sessions, and whether it is locked. It imports
 * nothing of what is done with them, since the window waits for what is read here (`test/boundaries/start.test.ts`).
 */
export function createInitialState(ports: InitialStatePorts) {
  const { config, pin, notices, notify, demoEmail, now = () => new Date() } = ports;
  const sessionStore = new SessionStore(config, demoEmail, now);
  const painted = Promise.withResolvers<void>();
  let follow = (_shown: WindowState): void => undefined;
  const state = createAppState({ ...ports, sessionStore, files: notices, pin: pin.isSet() }, (shown) => {
    notify('app.changed', shown);
    follow(shown);
  });
  state.set({ session: createInitialSession(state.get().activeServerId, sessionStore, config.get()) });
  if (pin.isSet()) state.setLock({ cause: 'start', triesLeft: pin.triesLeft() });
  const handlers: Pick<Handlers['app'], 'state' | 'painted'> = {
    state: () => ok(state.shown()),
    painted() {
      painted.resolve();
      return ok({});
    },
  };
  return {
    sessionStore,
    state,
    answers: handlers,
    /** Resolves when the window has painted its first frame. */
    painted: painted.promise,
    /** Tells of each change, once the window was told. */
    onChange: (next: (shown: WindowState) => void): void => void (follow = next),
  };
}
