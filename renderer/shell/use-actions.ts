import { useState } from 'react';
import type { Settings } from '../../preload/contract/settings.ts';
import type { Result } from '../../preload/contract/result.ts';
import { api, useApp } from '../api.ts';
import { navigate, showActiveServer } from '../route.ts';
import { nothingMisbehaves } from '../behaviour-text.ts';
import type { During } from '../error-text.ts';
import type { Failure } from '../use-action.ts';

/** What can be done from every room, by the header, the keys, the native menus and the palette. */
export type Actions = ReturnType<typeof useActions>['actions'];

/**
 * Makes what can be done from every room. Several may be under way at the same time; the newest failure is shown over
 * the room, whatever the person looks at.
 */
export function useActions() {
  const { session, settings } = useApp();
  const [failed, setFailed] = useState<Failure & { during: During }>();

  async function tell<T>(during: During, call: () => Promise<Result<T>>): Promise<void> {
    const result = await call();
    // A person who cancels at a production server knows it.
    if (result.ok || result.error.kind === 'cancelled') setFailed(undefined);
    else setFailed({ error: result.error, seenAt: Date.now(), during });
  }

  /** Puts an account or its form on the screen. The doors of the first start would stand before it. */
  async function arrive<T>(during: During, call: () => Promise<Result<T>>): Promise<void> {
    await tell<unknown>(during, async () => {
      const result = await call();
      return result.ok && !settings.welcomed ? api.settings.change({ welcomed: true }) : result;
    });
  }

  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  const actions = {
    chooseServer: (id: string): void => {
      showActiveServer();
      void arrive('server', () => api.servers.choose({ id }));
    },
    showAccount: (id: string): void => {
      navigate({ room: 'account' });
      if (id !== shownId || !settings.welcomed) void arrive('check', () => api.sessions.choose({ id }));
    },
    addAccount: (): void => {
      navigate({ room: 'account' });
      void arrive('check', () => api.session.addAccount());
    },
    startDemo: (): void => {
      navigate({ room: 'account' });
      void arrive('server', () => api.demo.start());
    },
    checkAgain: (): void => {
      if (session.step === 'signed-in') void tell('check', () => api.sessions.check({ id: session.sessionId }));
    },
    logOut: (): void => {
      if (shownId !== undefined) void tell('logout', () => api.sessions.logout({ id: shownId, tellServer: true }));
    },
    lock: () => void tell('server', () => api.lock.now()),
    change: (settings: Partial<Settings>) => void tell('server', () => api.settings.change(settings)),
    turnMisbehaviourOff: () => void tell('server', () => api.builtIn.behave(nothingMisbehaves)),
  };
  return { actions, failed, dismiss: () => setFailed(undefined) };
}
