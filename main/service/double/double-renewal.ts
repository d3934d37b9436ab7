import type { SentRenewal } from '../../interface/received.ts';
import { digestOf, secretMatches } from '../domain/bearer.ts';
import type { Renew } from '../routes/tokens.ts';
import type { Login } from '../stores/account-store.ts';
import { KEPT_AFTER_END_MS } from '../token-sweep.ts';
import { noteTokens } from '../translate-answer.ts';
import { registeredKey } from './double-registration.ts';
import type { Double } from './double.ts';
import { refreshTokenOf } from './tokens.ts';

/** Makes what renews a session. It is answered as a login is, since no run asks for it at the original. */
export function createDoubleRenewal(double: Double): Renew {
  const { model, parts, tokens } = double;
  const { accounts, kept, now } = parts;

  /** Ends a token that is to be renewed, and returns whose it was; undefined where it is not, or not any more. */
  async function endedBy({ token, isRefreshToken }: SentRenewal): Promise<Login | undefined> {
    const [, id] = /^([1-9]\d{0,14})\|/.exec(token) ?? [];
    const read = isRefreshToken ? undefined : await tokens.find(token);
    const found = isRefreshToken && id !== undefined ? await kept.find({ id: Number(id) }) : read?.found;
    const login = found && (await accounts.findLogin(registeredKey(found.account.email, model.rules)));
    if (!found || !login) return undefined;
    const isRight = isRefreshToken ? secretMatches(token, digestOf(refreshTokenOf(found, login))) : read?.isRight;
    const endsAtMs = found.expiresAtMs + (isRefreshToken ? KEPT_AFTER_END_MS : 0);
    // Of two at once with one refresh token, the second comes too late.
    return isRight && endsAtMs > now() && (await kept.end(found.id)) ? login : undefined;
  }

  return async (request, reply, sent) => {
    const login = await endedBy(sent);
    if (!login) return double.give(request, reply, 'login', 'wrong-password');
    const who = await double.named(login.account);
    const issued = await tokens.issue(login, { nowMs: now(), sent: undefined, username: who.username });
    noteTokens(reply, issued);
    return double.give(request, reply, 'login', 'done', { ...who, ...issued });
  };
}
