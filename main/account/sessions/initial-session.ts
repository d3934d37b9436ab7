import type { AuthState, SessionNotice } from '../../../preload/contract/models.ts';
import type { Config } from '../config/config.ts';
import type { SessionStore } from './session-store.ts';

/** The login form of a server. */
export const createSignedOutSession = (
  serverId: string,
  { lastEmails }: Config,
  notice?: SessionNotice,
): AuthState => ({
  step: 'signed-out',
  notice,
  email: lastEmails[serverId],
});

/** The stored session of a server before any request, or its login form. */
export function createInitialSession(serverId: string, sessionStore: SessionStore, config: Config): AuthState {
  const stored = sessionStore.current(serverId);
  if (!stored) return createSignedOutSession(serverId, config);
  return { step: 'restoring', sessionId: stored.id, user: { ...stored.user, rest: [] } };
}
