import { digestOf, secretMatches } from '../domain/bearer.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../stores/account-store.ts';
import type { Rules, TokenForm } from './model.ts';
import type { Filling } from './say.ts';
import { createTokenTexts, isOfSegments, partsOfJwt } from './token-texts.ts';

/** What a token that was sent turns out to be. */
export type ReadToken =
  | { kind: 'good'; tokenId: number; account: Account }
  | {
      kind: 'malformed' | 'foreign' | 'altered' | 'unsigned' | 'signature-cut' | 'claim-changed' | 'ended' | 'expired';
      account?: Account | undefined;
    };

/** A token that never ends lives as long as this: a hundred years. */
const FOREVER_SECONDS = 3_155_760_000;
/** So many tokens that ended are told from those that never were. */
const mostEnded = 10_000;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Says what a token that is none of ours looks like. */
function strangerOf(
  token: string,
  form: TokenForm,
  { ended, payloads }: { ended: ReadonlySet<string>; payloads: ReadonlyMap<string, Account> },
): ReadToken {
  if (ended.has(token)) return { kind: 'ended' };
  if (form.kind === 'opaque') {
    const isOfForm = form.hasId ? /^\d+\|./.test(token) : isOfSegments(token, form.segments);
    return { kind: isOfForm ? 'foreign' : 'malformed' };
  }
  const jwt = partsOfJwt(token);
  if (jwt === undefined) return { kind: 'malformed' };
  const account = payloads.get(jwt.payload);
  if (jwt.signature === '') {
    const header = Buffer.from(jwt.header, 'base64url').toString();
    return { kind: /"none"/i.test(header) ? 'unsigned' : 'signature-cut', account };
  }
  return account === undefined ? { kind: 'claim-changed' } : { kind: 'altered', account };
}

/**
 * Makes the tokens of a double and reads them, in the form that was learned. The ids of tokens without an id in them are
 * kept in memory, so those tokens end with the process.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one set of maps, whose functions are short.
export function createTokens(form: TokenForm, rules: Rules, parts: Parts, random: Filling['random']) {
  const { accounts } = parts;
  const ids = new Map<string, number>();
  const ended = new Set<string>();
  /** The payloads that were given out, with whose they are. */
  const payloads = new Map<string, Account>();
  const ofAccount = new Map<number, { token: string; tokenId: number; expiresAtMs: number }[]>();
  const textOf = createTokenTexts(form, parts);
  const lifetimeSeconds = rules.tokenSeconds.value ?? FOREVER_SECONDS;

  function keep(digest: Uint8Array, tokenId: number, account: Account, token: string): void {
    ids.set(hexOf(digest), tokenId);
    const payload = partsOfJwt(token)?.payload;
    if (form.kind === 'jwt' && payload !== undefined) payloads.set(payload, account);
  }

  function end(token: string): void {
    ended.add(token);
    const [oldest] = ended;
    if (ended.size > mostEnded && oldest !== undefined) ended.delete(oldest);
  }

  async function endAllOf(account: Account): Promise<void> {
    for (const { token, tokenId } of ofAccount.get(account.id) ?? []) {
      await accounts.revokeToken(tokenId);
      end(token);
    }
    ofAccount.delete(account.id);
  }

  async function make(account: Account, nowMs: number): Promise<{ token: string; expiresAtMs: number }> {
    const expiresAtMs = nowMs + lifetimeSeconds * 1000;
    const filling = { nowMs, path: '', method: '', account, expiresAtMs, lifetimeSeconds, random };
    const secret = textOf(filling);
    const digest = digestOf(secret);
    const again = ids.get(hexOf(digest));
    const hasId = form.kind === 'opaque' && form.hasId;
    // Tokens that say nothing but who and when are the same in one second, and none of them is made twice.
    const isAgain = again !== undefined && (await accounts.findSession(again)) !== undefined;
    const tokenId = isAgain
      ? again
      : await accounts.createToken({ accountId: account.id, secretDigest: digest, createdAtMs: nowMs, expiresAtMs });
    const token = hasId ? `${tokenId}|${secret}` : secret;
    if (!hasId) keep(digest, tokenId, account, token);
    ended.delete(token);
    const kept = ofAccount.get(account.id) ?? [];
    ofAccount.set(account.id, [
      ...kept.filter((each) => each.token !== token).slice(-99),
      { token, tokenId, expiresAtMs },
    ]);
    return { token, expiresAtMs };
  }

  return {
    lifetimeSeconds,

    /** Gives a token to whoever logged in or registered. */
    async issue(account: Account, nowMs: number): Promise<{ token: string; expiresAtMs: number }> {
      const { value } = rules.tokensPerAccount;
      const [last] = (ofAccount.get(account.id) ?? []).slice(-1);
      const isAlive = last !== undefined && last.expiresAtMs > nowMs && (await accounts.findSession(last.tokenId));
      if (value === 'one' && last && isAlive) return last;
      if (value === 'newest') await endAllOf(account);
      return make(account, nowMs);
    },

    async read(token: string, nowMs: number): Promise<ReadToken> {
      const hasId = form.kind === 'opaque' && form.hasId;
      const [, id, withId] = hasId ? (/^([1-9]\d{0,14})\|(.+)$/s.exec(token) ?? []) : [];
      const secret = hasId ? withId : token;
      const tokenId = hasId ? Number(id) : ids.get(hexOf(digestOf(token)));
      const session =
        secret !== undefined && tokenId !== undefined && tokenId > 0 && (await accounts.findSession(tokenId));
      if (!session || tokenId === undefined || secret === undefined)
        return strangerOf(token, form, { ended, payloads });
      if (!secretMatches(secret, session.secretDigest)) {
        const stranger = strangerOf(token, form, { ended, payloads });
        return stranger.kind === 'foreign' ? { kind: 'altered' } : stranger;
      }
      if (session.boundTo.length > 0) return { kind: 'ended' };
      if (session.expiresAtMs <= nowMs) return { kind: 'expired' };
      return { kind: 'good', tokenId, account: session.account };
    },

    /** Does what a logout does. It answers false where another request was first. */
    async logOut(token: string, tokenId: number, account: Account): Promise<boolean> {
      const { value } = rules.logoutEnds;
      if (value === 'nothing') return true;
      const isEnded = await accounts.revokeToken(tokenId);
      if (isEnded) end(token);
      if (value === 'all-tokens') await endAllOf(account);
      return isEnded;
    },
  };
}
