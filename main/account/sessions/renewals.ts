import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import type { Wire } from '../../interface/wire.ts';
import { endingOf } from './ending.ts';
import { sessionEndOf, tokenIdOf } from './expiry.ts';
import type { BoundClient, SessionsOptions } from './options.ts';
import type { SessionCredential, SessionTokens } from './tokens.ts';

type Options = Pick<SessionsOptions, 'config' | 'held' | 'now'> & { tokens: SessionTokens };

/** What says of a session whether it is renewed by itself. */
export const renewsBy = (wire: Wire, held: SessionCredential): Pick<StoredSession, 'renews'> => ({
  renews: wire.canRefresh(held) || undefined,
});

/**
 * Renews sessions that are about to end, where their description has a call for it. A mark is written before the call and
 * removed once what came is sealed, or the server has said no: it may take the old keys once, so that the session may be
 * lost where its answer was, or where the application ended in between, and that is told.
 */
export class Renewals {
  readonly #options: Options;
  /** One for each session, for all that wait for it. */
  readonly #underWay = new Map<string, Promise<Result<SessionCredential>>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * What a call of a session goes out with. Fails with `unauthenticated` alone: what else keeps a session from being
   * renewed ends nothing.
   */
  async fresh(stored: StoredSession, held: SessionCredential, bound: BoundClient): Promise<Result<SessionCredential>> {
    const underWay = this.#underWay.get(stored.id);
    if (underWay) return underWay;
    // One that was logged out here is still to be ended at its server, which takes no token that is over.
    const isEnding = endingOf({ ...stored, loggedOutAt: undefined }, this.#options.now().getTime()) !== undefined;
    if (!isEnding || !bound.wire.canRefresh(held)) return ok(held);
    const renewal = this.#renew(stored, held, bound).finally(() => this.#underWay.delete(stored.id));
    this.#underWay.set(stored.id, renewal);
    return renewal;
  }

  async #renew(stored: StoredSession, held: SessionCredential, bound: BoundClient): Promise<Result<SessionCredential>> {
    const { config, tokens, now } = this.#options;
    this.#put(stored, { renewing: true });
    await config.save();
    const answer = await bound.client.refresh(held, stored.loopbackAddress);
    if (!answer.ok) {
      const isLost = 'perhapsDone' in answer.error && answer.error.perhapsDone === true;
      if (!isLost) this.#put(stored, { renewing: undefined });
      return answer.error.kind === 'unauthenticated' ? fail(answer.error) : ok(held);
    }
    const turned = await tokens.turn(stored, held, answer.credential);
    // With nothing new to keep, or a vault that was closed meanwhile, the mark stays.
    if (turned === held) return ok(held);
    const at = now().toISOString();
    const end = sessionEndOf({ token: turned.token, readings: [answer.reading], now: at });
    this.#put(stored, {
      renewing: undefined,
      renewedAt: at,
      end,
      tokenId: tokenIdOf(turned.token),
      ...renewsBy(bound.wire, turned),
    });
    return ok(turned);
  }

  /** Changes a session that is still there. */
  #put({ id }: StoredSession, changes: Partial<StoredSession>): void {
    const { held } = this.#options;
    const session = held.find(id);
    if (session) held.change({ put: [{ session: { ...session, ...changes } }] });
  }
}
