import type { ReplayChange } from '../../../preload/contract/calls.ts';
import type { HeldSession } from '../../../preload/contract/models.ts';
import { t } from '../../i18n.ts';

/** Says what was different in a replay, or that the request was only sent again. The session that a change names may be gone. */
export function sayChange(change: ReplayChange | undefined, sessions: readonly HeldSession[]): string {
  if (!change) return t('replay.resent');
  if ('field' in change) return t(`replay.change.${change.change}`, { field: change.field });
  if (!('sessionId' in change)) return t(`replay.change.${change.change}`);
  const session = sessions.find(({ id }) => id === change.sessionId);
  if (!session) return t('replay.change.other-token-gone');
  // Two sessions may be of one account, and the number of the token tells them apart.
  const account = session.tokenId === undefined ? session.account : `${session.account} (${session.tokenId})`;
  return t('replay.change.other-token', { account });
}

/** The same as a title of its own, such as "Replay: Without a token". */
export const sayReplay = (change: ReplayChange | undefined, sessions: readonly HeldSession[]): string =>
  change ? t('replay.of', { change: sayChange(change, sessions) }) : t('replay.resent');
