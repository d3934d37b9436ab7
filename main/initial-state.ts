import type { EventName, EventPayload, Handlers } from '../preload/contract/contract.ts';
import type { AppState, WindowState } from '../preload/contract/models.ts';
import type { Language } from '../preload/contract/settings.ts';
import { ok } from '../preload/contract/result.ts';
import type { ConfigStore } from './account/config/config.ts';
import type { Pin } from './account/lock/pin.ts';
import { SessionStore } from './account/sessions/session-store.ts';
import { createInitialSession } from './account/sessions/initial-session.ts';
import { createAppState } from './account/state/app-state.ts';
import type { FileNotices } from './files/file-notices.ts';

/** What the first state needs. */
export type InitialStatePorts = {
  about: Pick<AppState, 'version' | 'electron'>;
  config: ConfigStore;
  pin: Pin;
  notices: FileNotices;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  demoEmail: string;
  /** Does nothing if the window is closed. */
  notify: <N extends EventName>(name: N, payload: EventPayload<N>) => void;
  now?: (() => Date) | undefined;
};

export type InitialState = ReturnType<typeof createInitialState>;

/** It imports only what the first state needs, since the window waits for it (`test/boundaries/start.test.ts`). */
export function createInitialState(ports: InitialStatePorts) {
  const { config, pin, notices, notify, demoEmail, now = () => new Date() } = ports;
  const sessionStore = new SessionStore(config, demoEmail, now);
  const painted = Promise.withResolvers<void>();
  let onChange = (_state: WindowState): void => undefined;
  const state = createAppState({ ...ports, sessionStore, files: notices, pin: pin.isSet() }, (shown) => {
    notify('app.changed', shown);
    onChange(shown);
  });
  state.set({ session: createInitialSession(state.get().activeServerId, sessionStore, config.get()) });
  if (pin.isSet()) state.setLock({ cause: 'start', triesLeft: pin.triesLeft() });
  const answers: Pick<Handlers['app'], 'state' | 'painted'> = {
    state: () => ok(state.shown()),
    painted() {
      painted.resolve();
      return ok({});
    },
  };
  return {
    sessionStore,
    state,
    answers,
    /** Resolves when the window has painted its first frame. */
    painted: painted.promise,
    /** The listener is called after the window was sent the state. */
    onChange: (listener: (shown: WindowState) => void): void => void (onChange = listener),
  };
}
