import { randomUUID } from 'node:crypto';
import type { User } from '../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import type { Operation } from '../client/base-url.ts';
import type { ClientResult } from '../client/client.ts';
import { userOf } from '../client/user-of.ts';
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
  /** The sessions whose place the new one takes. Their end is near, so their server is not told. */
  replaces?: readonly StoredSession[] | undefined;
};

/** What the server said when it was asked for the profile, and when, in ISO 8601. */
type Asked = { answer: ClientResult; at: string };

/** A token that is taken into use: the id of its session, and when it came, in ISO 8601. */
type Arrived = Arrival & { token: string; id: string; arrivedAt: string };

/**
 * Takes tokens into use: asks for the profile with one while the system seals it. A login whose answer says who the
 * person is shows that once the token is sealed, as a session that is being checked, since the profile may be a second
 * away.
 */
export function createAdopt(parts: SessionParts) {
  const { config, vault, held, references, turns, view, tokens, timestamp } = parts;
  const isThere = (serverId: string): boolean => config.get().servers.some((server) => server.id === serverId);

  /** Holds a session, and makes it the one that its server shows if it is to be shown. */
  function hold(stored: StoredSession, mayRest: boolean, isCurrent = true): void {
    const { serverId, account, id } = stored;
    tokens.hold(stored);
    if (isCurrent) held.makeCurrent(serverId, id);
    if (mayRest) config.change({ lastEmails: { ...config.get().lastEmails, [serverId]: account } });
  }

  /** Shows a session before its profile is there. A check may be ended by a logout, so the turn goes on as one. */
  function showEarly(arrival: Arrived, user: User, mayRest: boolean): void {
    const { id, turn, answer } = arrival;
    view.keepSent(id, answer.reading);
    hold(sessionOf(arrival, user), mayRest);
    turn.kind = 'check';
    view.show(turn, { step: 'restoring', sessionId: id, user });
  }

  /** Takes in what the server said of the token when it was asked for the profile. */
  async function settle(
    arrival: Arrived,
    profile: ClientResult,
    mayRest: boolean,
    shown?: { before: string | undefined },
  ) {
    const { id, turn, account, answer } = arrival;
    if (profile.reading) turn.learned.push({ reading: profile.reading });
    const read = userOf(answer.reading);
    const user: User = profile.ok ? userOf(profile.reading) : { ...read, email: read.email ?? account };
    const stored = sessionOf(arrival, user, { answer: profile, at: timestamp() });
    const unusable = refusalOf(profile, isThere(turn.serverId));
    if (unusable) {
      if (shown) await undo(parts, turn, stored, { ...shown, error: unusable });
      else await vault.deletePassword(vaultService(turn.serverId), stored.vaultAccount);
      return fail(unusable);
    }
    const isCurrent = shown !== undefined || isForScreen(arrival, held);
    if (shown) held.update(stored);
    else hold(stored, mayRest, isCurrent);
    view.keepSent(id, answer.reading);
    view.keepSent(id, profile.reading);
    if (isCurrent) view.show(turn, view.signedIn(stored, user, profile.ok ? undefined : profile.error));
    await tokens.forgetAll(arrival.replaces ?? []);
    return ok(null);
  }

  return async function adopt(given: Arrival & { token: string }): Promise<Result<null>> {
    const { token, turn, bound, remember, answer } = given;
    const mayRest = remember && !config.get().settings.clearOnQuit;
    // The application was locked in the meantime: what is under the PIN takes no token, and none may stay about.
    if (vault.pin.isClosed()) return fail({ kind: 'cancelled' });
    // Its calls name the token by the same id. A server that gives one token twice means two sessions all the same.
    const { id: referenceId } = references.watch(token, 'token');
    const id = held.find(referenceId) ? randomUUID() : referenceId;
    const arrival: Arrived = { ...given, id, arrivedAt: timestamp() };
    const mayBeShown = saysWho(given);
    let isConfirmed = false;
    const asking = profileOf(given);
    void asking.then((profile) => (isConfirmed = profile.ok)).catch(() => undefined);
    const entry = { serverId: turn.serverId, vaultAccount: vaultAccountOf(arrival), baseUrl: bound.baseUrl };
    const keeping = tokens.keep(entry, token, mayRest).then(
      () => true,
      () => false,
    );
    const before = held.current(turn.serverId)?.id;
    const isKept = mayBeShown && (await keeping);
    // A profile that is there by then is drawn at once, and not after what the login said of the person.
    const wasShown = isKept && !isConfirmed && turns.isUnderway(turn) && isThere(turn.serverId);
    if (wasShown) showEarly(arrival, userOf(answer.reading), mayRest);
    const profile = await asking;
    const now = held.find(id);
    // Somebody logged out meanwhile, or removed the server.
    const isGone = wasShown && (!now || now.loggedOutAt !== undefined);
    if (isGone || !(await keeping)) return fail({ kind: 'cancelled' });
    return settle(arrival, profile, mayRest, wasShown ? { before } : undefined);
  };
}

/** Ends a session that was shown before its server refused the token. The one in whose place it came is there again. */
async function undo(
  { held, tokens, view }: SessionParts,
  turn: Turn,
  stored: StoredSession,
  { before, error }: { before: string | undefined; error: AppError },
): Promise<void> {
  await tokens.forget(stored);
  if (held.find(before) && !held.current(turn.serverId)) held.makeCurrent(turn.serverId, before);
  view.show(turn, view.signedOut(turn.serverId, { kind: 'not-logged-in', error }));
}

/** Makes what is kept of a session, with what its answers say until now. */
function sessionOf(arrival: Arrived, user: User, profile?: Asked): StoredSession {
  const { id, token, arrivedAt, turn, account, bound, remember, answer } = arrival;
  return {
    id,
    serverId: turn.serverId,
    vaultAccount: vaultAccountOf(arrival),
    account,
    baseUrl: bound.baseUrl,
    way: bound.way,
    loopbackAddress: answer.loopbackAddress,
    user: known(user),
    tokenId: tokenIdOf(token),
    madeAt: arrivedAt,
    checkedAt: profile?.answer.ok ? profile.at : undefined,
    end: sessionEndOf({ token, readings: [answer.reading, profile?.answer.reading], now: arrivedAt }),
    memoryOnly: remember ? undefined : true,
  };
}

/** Says whether a login was answered with who the person is. A registration may be answered with a token of another kind. */
function saysWho({ operation, replaces, answer }: Arrival): boolean {
  const { name, email } = userOf(answer.reading);
  return operation === 'login' && !replaces && (name ?? email) !== undefined;
}

/** Says whether the new session is to be shown: in the place of another one only where that was. */
function isForScreen({ turn: { serverId }, replaces }: Arrival, held: SessionParts['held']): boolean {
  const before = held.current(serverId);
  return !replaces || !before || replaces.some(({ id }) => id === before.id);
}

const vaultAccountOf = ({ account, id }: Arrived): string => `${account} ${id}`;

/** Asks for the profile. No call is made for a person who has cancelled or logged out meanwhile. */
async function profileOf({ token, turn, bound, answer }: Arrival & { token: string }): Promise<ClientResult> {
  if (turn.signal.aborted) return { ok: false, error: { kind: 'cancelled' } };
  return bound.client.profile(token, turn.signal, answer.loopbackAddress);
}

/** Says why a fresh token is of no use: its server refuses it, or the server was removed meanwhile. */
function refusalOf(profile: ClientResult, isServerThere: boolean): AppError | undefined {
  if (!profile.ok && profile.error.kind === 'unauthenticated') {
    return { kind: 'unexpected', reason: 'fresh-token-refused', message: profile.error.message };
  }
  return isServerThere ? undefined : { kind: 'cancelled' };
}
