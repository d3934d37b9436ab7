import type { WindowState } from '../preload/contract/models.ts';
import { SessionStore } from './account/sessions/session-store.ts';
import { createInitialSession } from './account/sessions/initial-session.ts';
import { createAppState } from './account/state/app-state.ts';
import type { InitialPorts } from './ports.ts';

export type InitialState = ReturnType<typeof createInitialState>;

/** It imports only what the first state needs, since the window waits for it (`test/boundaries/start.test.ts`). */
export function createInitialState(ports: InitialPorts) {
  const { config, pin, notices, notify, demoEmail, now = () => new Date() } = ports;
  const sessionStore = new SessionStore(config, demoEmail, now);
  let onChange = (_state: WindowState): void => undefined;
  const state = createAppState({ ...ports, sessionStore, files: notices, pin: pin.isSet() }, (shown) => {
    notify('app.changed', shown);
    onChange(shown);
  });
  state.set({ session: createInitialSession(state.get().activeServerId, sessionStore, config.get()) });
  if (pin.isSet()) state.setLock({ cause: 'start', triesLeft: pin.triesLeft() });
  return {
    sessionStore,
    state,
    /** The listener is called after the window was sent the state. */
    onChange: (listener: (shown: WindowState) => void): void => void (onChange = listener),
  };
}
