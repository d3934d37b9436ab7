import { randomUUID } from 'node:crypto';
import type { User } from '../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import type { Operation } from '../client/base-url.ts';
import { userOf, type ClientResult } from '../client/client.ts';
import type { StoredSession } from '../config/config.ts';
import { vaultService } from '../vault/vault.ts';
import { tokenIdOf } from './held-sessions.ts';
import { sessionEndOf } from './session-end.ts';
import { known, type BoundClient, type SessionParts } from './session-parts.ts';
import type { Turn } from './turns.ts';

/** A token that a server has just given, and the answer that it came in. */
export type Arrival = {
  turn: Turn;
  bound: BoundClient;
  /** The email that was typed to log in. */
  account: string;
  remember: boolean;
  operation: Exclude<Operation, 'salir'>;
  answer: Extract<ClientResult, { ok: true }>;
};

/** Takes tokens into use: asks for the profile with one while the system seals it. */
export function createAdopt(parts: SessionParts) {
  const { config, vault, held, references, view, tokens, timestamp } = parts;

  return async function adopt(arrival: Arrival & { token: string }): Promise<Result<null>> {
    const { token, turn, bound, account, remember, operation, answer } = arrival;
    const { serverId } = turn;
    const arrivedAt = timestamp();
    const mayRest = remember && !config.get().settings.clearOnQuit;
    // The application was locked in the meantime: what is under the PIN takes no token, and none may stay about.
    if (vault.pin.isClosed()) return fail({ kind: 'cancelled' });
    // Its calls name the token by the same id. A server that gives one token twice means two sessions all the same.
    const { id: referenceId } = references.watch(token, 'token');
    const id = held.find(referenceId) ? randomUUID() : referenceId;
    const entry = { id, serverId, vaultAccount: `${account} ${id}` };
    const [profile, kept] = await Promise.all([
      bound.client.profile(token, turn.signal, answer.loopbackAddress),
      tokens.keep({ ...entry, baseUrl: bound.baseUrl }, token, mayRest).then(
        () => true,
        () => false,
      ),
    ]);
    if (!kept) return fail({ kind: 'cancelled' });
    if (profile.reading) turn.learned.push({ reading: profile.reading });
    const unusable = refusalOf(
      profile,
      config.get().servers.some((server) => server.id === serverId),
    );
    if (unusable) {
      await vault.deletePassword(vaultService(serverId), entry.vaultAccount);
      return fail(unusable);
    }
    const read = userOf(answer.reading);
    const user: User = profile.ok ? userOf(profile.reading) : { ...read, email: read.email ?? account };
    const stored: StoredSession = {
      ...entry,
      account,
      baseUrl: bound.baseUrl,
      way: bound.way,
      loopbackAddress: answer.loopbackAddress,
      user: known(user),
      tokenId: tokenIdOf(token),
      madeAt: timestamp(),
      checkedAt: profile.ok ? timestamp() : undefined,
      end: sessionEndOf({ token, readings: [answer.reading, profile.reading], now: arrivedAt }),
      memoryOnly: remember ? undefined : true,
    };
    tokens.hold(stored);
    held.makeCurrent(serverId, id);
    if (mayRest) config.change({ lastEmails: { ...config.get().lastEmails, [serverId]: account } });
    view.understand(id, operation, answer.reading);
    view.understand(id, 'perfil', profile.reading);
    view.show(turn, view.signedIn(stored, user, profile.ok ? undefined : profile.error));
    return ok(null);
  };
}

/** Says why a fresh token is of no use: its server refuses it, or the server was removed meanwhile. */
function refusalOf(profile: ClientResult, isServerThere: boolean): AppError | undefined {
  if (!profile.ok && profile.error.kind === 'unauthenticated') {
    return { kind: 'unexpected', reason: 'fresh-token-refused', message: profile.error.message };
  }
  return isServerThere ? undefined : { kind: 'cancelled' };
}
