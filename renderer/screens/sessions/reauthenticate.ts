import type { SessionInfo } from '../../../preload/contract/models.ts';
import { currentAppState } from '../../api.ts';
import { logInAgain } from '../../log-in-again.ts';

/** Opens the login dialog for the account of a session. Reads the unmasked state, since the email is sent. */
export function reauthenticate({ id }: Pick<SessionInfo, 'id'>): void {
  const held = currentAppState()?.sessions.find((each) => each.id === id);
  if (held) logInAgain.set({ serverId: held.serverId, account: held.account, remember: !held.inMemory });
}

/** Opens the login dialog for the account whose session ended last on the active server. */
export function reauthenticateLast(): void {
  const state = currentAppState();
  if (state?.session.step !== 'signed-out' || state.session.email === undefined) return;
  logInAgain.set({ serverId: state.activeServerId, account: state.session.email, remember: true });
}
