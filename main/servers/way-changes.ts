import { isDeepStrictEqual } from 'node:util';
import type { Way } from '../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { isRunHere, type StoredServer } from '../config/config.ts';
import { wayOf } from '../config/way.ts';
import type { Question, WayChange } from '../dialogs.ts';
import type { HeldSessions } from '../session/held-sessions.ts';
import { filesIn } from './entered-connection.ts';
import { isReachedAlike, type Reached, type ServerList } from './server-list.ts';

export type WayChanges = ReturnType<typeof createWayChanges>;

/**
 * Asks a person before a server that holds sessions, logouts that it was not told of, or values of extra headers, is
 * reached in another way. At another address such values are dropped, so nothing of them is at stake.
 * Sessions go by their own way whatever is set for the server, and by the new one only after the person agreed.
 */
export function createWayChanges(options: {
  list: Pick<ServerList, 'stored'>;
  held: Pick<HeldSessions, 'of' | 'moveTo'>;
  ask: (question: Question) => Promise<Result<null>>;
}) {
  const { list, held, ask } = options;

  /**
   * Asks with a question of one's own, and answers what is to be done once the change is made. Fails when the server
   * was changed while the question was open: it was not about that.
   */
  async function confirmWith(
    before: StoredServer,
    after: Reached,
    question: Question | undefined,
  ): Promise<Result<{ asked: boolean; settle: () => void }>> {
    const sessions = held.of(before.id);
    if (question) {
      const agreed = await ask(question);
      if (!agreed.ok) return agreed;
      const now = list.stored(before.id);
      if (!now || !isReachedAlike(now, before)) return fail({ kind: 'not-now' });
    }
    return ok({
      asked: question !== undefined,
      settle: () => (question ? held.moveTo(sessions, after.baseUrl, wayOf(after)) : undefined),
    });
  }

  return {
    confirmWith,

    /** Asks if there is what others want, and anything changes. */
    confirm(before: StoredServer, after: Reached): ReturnType<typeof confirmWith> {
      const sessions = held.of(before.id).length;
      const changes = isRunHere(before.id) ? [] : changesBetween(before, after);
      const headers = before.baseUrl === after.baseUrl ? before.extraHeaders.filter(({ isSet }) => isSet).length : 0;
      const asks = sessions + headers > 0 && changes.length > 0;
      const question = { kind: 'way', host: hostOf(before), sessions, headers, changes } as const;
      return confirmWith(before, after, asks ? question : undefined);
    },
  };
}

export const hostOf = ({ baseUrl }: Pick<StoredServer, 'baseUrl'>): string => new URL(baseUrl).host;

function changesBetween(before: Reached, after: Reached): WayChange[] {
  const [from, to] = [wayOf(before), wayOf(after)];
  const changes: WayChange[] = [];
  const moved = before.baseUrl !== after.baseUrl;
  if (moved) changes.push({ what: 'address', from: before.baseUrl, to: after.baseUrl });
  if (!isDeepStrictEqual(from.proxy, to.proxy)) changes.push({ what: 'proxy', from: from.proxy, to: to.proxy });
  for (const what of ['authority', 'clientCertificate'] as const) {
    if (!isDeepStrictEqual(from[what], to[what])) {
      changes.push({ what, from: fileOf(from, what), to: fileOf(to, what) });
    }
  }
  // At another address the certificate of this one was dropped in any case.
  if (!moved && to.pins.length < from.pins.length) changes.push({ what: 'distrust' });
  return changes;
}

function fileOf(way: Way, what: 'authority' | 'clientCertificate'): string | undefined {
  const { authority, pfx, certificate } = filesIn(way);
  return what === 'authority' ? authority : (pfx ?? certificate);
}
