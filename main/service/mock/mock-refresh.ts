import type { RenewalRequest } from '../../interface/server-request.ts';
import { tokenDigest, secretMatches } from '../domain/bearer.ts';
import type { RefreshHandler } from '../routes/issue-token.ts';
import type { LoginRecord } from '../stores/account-store.ts';
import { EXPIRED_TOKEN_RETENTION_MS } from '../token-sweep.ts';
import { recordTokens } from '../translate-response.ts';
import { registrationKey } from './mock-registration.ts';
import type { MockContext } from './mock-context.ts';
import { createRefreshToken } from './mock-tokens.ts';

type Refusal = 'renewal-missing' | 'renewal-unknown' | 'renewal-used';

/** Renews a session. Where the run tried none, the answer is that of a login. */
export function createMockRefresh(mock: MockContext): RefreshHandler {
  const { model, parts, tokens, answers } = mock;
  const isAsked = answers.measured('refresh', 'done') ?? answers.measured('refresh', 'renewal-unknown');
  const worksAgain = model.rules.renewsAgain?.value === true;
  const { accounts, tokenStore, now } = parts;

  /** Ends a token for its renewal. Returns whose it was, or why it is not renewed. */
  async function endForRenewal({ token, isRefreshToken }: RenewalRequest): Promise<LoginRecord | Refusal> {
    if (token === '') return 'renewal-missing';
    const [, id] = /^([1-9]\d{0,14})\|/.exec(token) ?? [];
    const read = isRefreshToken ? undefined : await tokens.find(token);
    const found = isRefreshToken && id !== undefined ? await tokenStore.find({ id: Number(id) }) : read?.found;
    const login = found && (await accounts.findLogin(registrationKey(found.account.email, model.rules)));
    if (!found || !login) return 'renewal-unknown';
    const isRight = isRefreshToken
      ? secretMatches(token, tokenDigest(createRefreshToken(found, login)))
      : read?.isRight;
    const endsAtMs = found.expiresAtMs + (isRefreshToken ? EXPIRED_TOKEN_RETENTION_MS : 0);
    if (!isRight) return 'renewal-unknown';
    if (endsAtMs <= now()) return 'renewal-used';
    if (worksAgain) return login;
    // Of two at once with one refresh token, the second comes too late.
    return (await tokenStore.end(found.id)) ? login : 'renewal-used';
  }

  return async (request, reply, sent) => {
    const login = await endForRenewal(sent);
    if (typeof login === 'string')
      return isAsked
        ? mock.respond(request, reply, 'refresh', login)
        : mock.respond(request, reply, 'login', 'wrong-password');
    const user = await mock.withUsername(login.account);
    const issued = await tokens.issue(login, { nowMs: now(), sent: undefined, username: user.username });
    recordTokens(reply, issued);
    const operation = answers.measured('refresh', 'done') ? 'refresh' : 'login';
    return mock.respond(request, reply, operation, 'done', { ...user, ...issued });
  };
}
