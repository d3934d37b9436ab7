import type { Handlers } from '../preload/contract/contract.ts';
import type { WindowState } from '../preload/contract/models.ts';
import { ok } from '../preload/contract/result.ts';
import { SessionStore } from './account/sessions/session-store.ts';
import { createInitialSession } from './account/sessions/initial-session.ts';
import { createAppState } from './account/state/app-state.ts';
import type { InitialPorts } from './ports.ts';

export type InitialState = ReturnType<typeof createInitialState>;

/** It imports only what the first state needs, since the window waits for it (`test/boundaries/start.test.ts`). */
export function createInitialState(ports: InitialPorts) {
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
