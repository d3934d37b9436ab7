import { useSyncExternalStore } from 'react';
import type { Credentials, Registration } from '../preload/contract/contract.ts';
import type { AppState, Settings } from '../preload/contract/models.ts';
import type { Result } from '../preload/contract/result.ts';
import { createAppStateStore } from './app-state.ts';

const appState = createAppStateStore();
window.events['app.changed'](appState.take);

/** Takes the state out of an answer. A call that main does not serve at all must not leave a screen busy for ever. */
async function answered(call: Promise<Result<AppState>>): Promise<Result<AppState>> {
  try {
    const result = await call;
    if (result.ok) appState.take(result.value);
    return result;
  } catch (cause) {
    return { ok: false, error: { kind: 'bug', id: cause instanceof Error ? cause.message : String(cause) } };
  }
}

/** Everything main can be asked. Each answer has already updated `useAppState` when it arrives. */
export const api = {
  app: {
    state: () => answered(window.api.app.state()),
  },
  session: {
    login: (credentials: Credentials) => answered(window.api.session.login(credentials)),
    register: (registration: Registration) => answered(window.api.session.register(registration)),
    check: () => answered(window.api.session.check()),
    logout: () => answered(window.api.session.logout()),
    cancel: () => answered(window.api.session.cancel()),
  },
  servers: {
    chooseAddress: (address: string) => answered(window.api.servers.useAddress({ address })),
    choose: (id: string) => answered(window.api.servers.use({ id })),
    forget: (id: string) => answered(window.api.servers.forget({ id })),
  },
  settings: {
    change: (change: Partial<Settings>) => answered(window.api.settings.change(change)),
  },
};

/** The newest state of main; undefined until the first answer or event. */
export function useAppState(): AppState | undefined {
  return useSyncExternalStore(appState.subscribe, appState.current);
}

/** The newest state outside of rendering. */
export const currentAppState = appState.current;
