import type { SessionNotice, AuthState } from '../../../preload/contract/models.ts';
import type { Config } from '../config/config.ts';
import type { SessionStore } from './session-store.ts';

/** The log-in form of a server, with what there is to say on it. */
export const createSignedOutSession = (
  serverId: string,
  { lastEmails }: Config,
  notice?: SessionNotice,
): AuthState => ({
  step: 'signed-out',
  notice,
  email: lastEmails[serverId],
});

/** What is shown of a server before it was asked anything. */
export function createInitialSession(serverId: string, sessionStore: SessionStore, config: Config): AuthState {
  const stored = sessionStore.current(serverId);
  if (!stored) return createSignedOutSession(serverId, config);
  return { step: 'restoring', sessionId: stored.id, user: { ...stored.user, rest: [] } };
}
