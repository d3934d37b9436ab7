import type { Notice, Session } from '../../../preload/contract/models.ts';
import type { Config } from '../config/config.ts';
import type { HeldSessions } from './held.ts';

/** The log-in form of a server, with what there is to say on it. */
export const signedOut = (serverId: string, { lastEmails }: Config, notice?: Notice): Session => ({
  step: 'signed-out',
  notice,
  email: lastEmails[serverId],
});

/** What is shown of a server before it was asked anything. */
export function initialSession(serverId: string, held: HeldSessions, config: Config): Session {
  const stored = held.current(serverId);
  if (!stored) return signedOut(serverId, config);
  return { step: 'restoring', sessionId: stored.id, user: { ...stored.user, rest: [] } };
}
