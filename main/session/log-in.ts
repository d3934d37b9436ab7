import { cleanEmail } from '../../preload/contract/clean-email.ts';
import type { Credentials, Registration } from '../../preload/contract/contract.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import { asksToConfirm } from '../client/reading/account-state.ts';
import { canBeSent } from '../client/header-text.ts';
import { createAdopt, type Arrival } from './adopt-token.ts';
import { endingOf } from './session-ends.ts';
import type { BoundClient, SessionParts } from './session-parts.ts';
import type { Turn } from './turns.ts';

/** What becomes of a token of a registration that is none to log in with. */
const ofAnotherKind: ReadonlySet<string> = new Set(['fresh-token-refused', 'token-unsendable']);

/** What goes out is what is kept, whatever the email was copied with. */
const cleaned = <T extends { email: string }>(typed: T): T => ({ ...typed, email: cleanEmail(typed.email) });

/** Logs in and registers, up to a session that is held and shown. */
export function createLogIn(parts: SessionParts) {
  const { state, clientFor, production, held, turns, view, timestamp } = parts;

  const adopt = createAdopt(parts);

  const withToken = (arrival: Arrival): Promise<Result<null>> => {
    const { token } = arrival.answer.reading.meaning;
    if (token !== undefined && canBeSent(token)) return adopt({ ...arrival, token });
    const reason = token === undefined ? 'no-token' : 'token-unsendable';
    return Promise.resolve(fail({ kind: 'unexpected', reason }));
  };

  async function logInAt(
    turn: Turn,
    bound: BoundClient,
    credentials: Credentials,
    replaces?: readonly StoredSession[],
  ): Promise<Result<null>> {
    const { email, password, remember = true } = credentials;
    const answer = await bound.client.login({ email, password }, turn.signal);
    if (answer.reading) turn.learned.push({ reading: answer.reading });
    if (!answer.ok) return fail(answer.error);
    return withToken({ turn, bound, account: email, remember, operation: 'login', answer, replaces });
  }

  async function registerAt(turn: Turn, bound: BoundClient, registration: Registration): Promise<Result<null>> {
    const { email, path, remember = true } = registration;
    const answer = await bound.client.register(registration, turn.signal);
    if (answer.reading) turn.learned.push({ reading: answer.reading, registeredAt: answer.ok ? path : undefined });
    if (!answer.ok) return fail(answer.error);
    if (answer.reading.meaning.token !== undefined) {
      const used = await withToken({ turn, bound, account: email, remember, operation: path, answer });
      // What looked like a bearer token may be for something else, such as a key of the account. It logs in then.
      if (used.ok || used.error.kind !== 'unexpected' || !ofAnotherKind.has(used.error.reason)) return used;
    }
    const says = answer.reading.meaning.message;
    const asks = says !== undefined && asksToConfirm(says);
    const used = asks ? ok(null) : await logInAt(turn, bound, registration);
    // The account exists, so a second try of the registration could only confuse.
    if (asks) view.show(turn, view.signedOut(turn.serverId, { kind: 'confirm-first', email, says }));
    else if (!used.ok)
      view.show(turn, view.signedOut(turn.serverId, { kind: 'registered-not-logged-in', email, error: used.error }));
    return ok(null);
  }

  const inTurn = (
    kind: 'login' | 'register',
    serverId: string,
    work: (turn: Turn, bound: BoundClient) => Promise<Result<null>>,
  ) =>
    turns.take(kind, serverId, async (turn) => {
      const bound = await clientFor(turn.serverId);
      return bound.ok ? work(turn, bound.value) : bound;
    });

  return {
    login: (credentials: Credentials) =>
      inTurn('login', state.get().activeServerId, (turn, bound) => logInAt(turn, bound, cleaned(credentials))),

    /** Logs in at a server, whichever is the active one, in place of the account's sessions that are near their end. */
    logInAgain: ({ serverId, ...credentials }: Credentials & { serverId: string }) =>
      inTurn('login', serverId, (turn, bound) => {
        const at = Date.parse(timestamp());
        const ending = held
          .of(serverId)
          .filter((each) => each.account === cleaned(credentials).email && endingOf(each, at) !== undefined);
        return logInAt(turn, bound, cleaned(credentials), ending);
      }),

    async register(registration: Registration): Promise<Result<null>> {
      const { activeServerId } = state.get();
      const allowed = production.check(activeServerId);
      if (!allowed.ok) return allowed;
      return inTurn('register', activeServerId, (turn, bound) => registerAt(turn, bound, cleaned(registration)));
    },
  };
}
