import { digestOf, secretMatches } from '../domain/bearer.ts';
import type { Parts } from '../parts.ts';
import { chosenIdOf } from '../stores/account-rows.ts';
import type { Account, Login, Session } from '../stores/account-store.ts';
import type { Rules, TokenForm } from './model.ts';
import { drawFrom, type Filling } from './say.ts';
import { createTokenTexts, isOfSegments, partsOfJwt } from './token-texts.ts';

/** What a token that was sent turns out to be. */
export type ReadToken =
  | { kind: 'good'; tokenId: number; account: Account }
  | {
      kind: 'malformed' | 'foreign' | 'altered' | 'unsigned' | 'signature-cut' | 'claim-changed' | 'ended' | 'expired';
      account?: Account | undefined;
    };

type StrangeKind = 'malformed' | 'foreign' | 'unsigned' | 'signature-cut' | 'claim-changed';

/** When a token is given, and the body that asked for it. */
type Asked = { nowMs: number; sent: unknown };

type Issued = { token: string; expiresAtMs: number };

/** A token that never ends lives as long as this: a hundred years. */
const FOREVER_SECONDS = 3_155_760_000;
/** An id that is in use by another token is a chance of one in 140 million millions. */
const mostTries = 5;

/** Says what a token looks like that is none of ours. */
function strangerOf(token: string, form: TokenForm): { kind: StrangeKind } {
  if (form.kind === 'opaque') {
    const isOfForm = form.hasId ? /^\d+\|./.test(token) : isOfSegments(token, form.segments);
    return { kind: isOfForm ? 'foreign' : 'malformed' };
  }
  const jwt = partsOfJwt(token);
  if (jwt === undefined) return { kind: 'malformed' };
  return jwt.signature === '' ? { kind: withoutSignature(jwt.header) } : { kind: 'claim-changed' };
}

const withoutSignature = (header: string): 'unsigned' | 'signature-cut' =>
  /"none"/i.test(Buffer.from(header, 'base64url').toString()) ? 'unsigned' : 'signature-cut';

/**
 * Makes the tokens of a double and reads them, in the form that was learned. They rest in the store as those of the
 * service do, as digests, and nothing of them is kept in memory: so they outlive the process, also where a token does
 * not say its id. Then the id is made of the token itself; that of a JSON Web Token is made of its payload, by which one
 * is known whose signature was changed.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one way to write and find tokens; its functions are short.
export function createTokens(form: TokenForm, rules: Rules, parts: Parts, random: Filling['random']) {
  const { accounts } = parts;
  const textOf = createTokenTexts(form, parts);
  const lifetimeSeconds = rules.tokenSeconds.value ?? FOREVER_SECONDS;
  const saysId = form.kind === 'opaque' && form.hasId;
  const isSameInOneSecond = rules.sameTokenInOneSecond.value && form.kind === 'opaque';

  /** Returns the ids under which a token may be kept, the likelier one first. */
  const idsOf = (token: string): number[] => {
    const whole = chosenIdOf(digestOf(token));
    const payload = form.kind === 'jwt' ? partsOfJwt(token)?.payload : undefined;
    return payload === undefined ? [whole] : [chosenIdOf(digestOf(payload)), whole];
  };

  /** Writes the secret of a token; with a seed it is always the same one. */
  function secretOf({ account, passwordHash }: Login, { nowMs, sent }: Asked, seed?: string): string {
    const expiresAtMs = nowMs + lifetimeSeconds * 1000;
    const filling = { nowMs, path: '', method: '', sent, account, expiresAtMs, lifetimeSeconds, random };
    return textOf(filling, seed === undefined ? undefined : drawFrom(seed, passwordHash));
  }

  /** Keeps a token under an id of its own making; undefined where others are in the way. */
  async function keep(token: string, made: { accountId: number; createdAtMs: number; expiresAtMs: number }) {
    const secretDigest = digestOf(token);
    for (const id of idsOf(token)) {
      if (await accounts.createTokenAs(id, { ...made, secretDigest })) return id;
      const session = await accounts.findSession(id);
      if (session && (session.account.id !== made.accountId || !secretMatches(token, session.secretDigest))) continue;
      if (session && session.expiresAtMs > made.createdAtMs && session.boundTo.length === 0) return id;
      // The same token is given again after its end, as by a server whose tokens say who and when, and no more.
      await accounts.revokeToken(id);
      if (await accounts.createTokenAs(id, { ...made, secretDigest })) return id;
    }
    return undefined;
  }

  async function make(login: Login, asked: Asked): Promise<Issued> {
    const { nowMs } = asked;
    const expiresAtMs = nowMs + lifetimeSeconds * 1000;
    const made = { accountId: login.account.id, createdAtMs: nowMs, expiresAtMs };
    const ofSecond = isSameInOneSecond ? `second ${Math.floor(nowMs / 1000)}` : undefined;
    const seed = rules.tokensPerAccount.value === 'one' ? `token of ${nowMs}` : ofSecond;
    if (saysId) {
      const secret = secretOf(login, asked, seed);
      const tokenId = await accounts.createToken({ ...made, secretDigest: digestOf(secret) });
      return { token: `${tokenId}|${secret}`, expiresAtMs };
    }
    for (let tries = 0; tries < mostTries; tries += 1) {
      const token = secretOf(login, asked, seed);
      if ((await keep(token, made)) !== undefined) return { token, expiresAtMs };
    }
    throw new Error('No id was free for a token of a double');
  }

  /** Writes the one token of an account again, as long as it lives. What was not made of a seed cannot be. */
  async function oneOf(login: Login, asked: Asked): Promise<Issued | undefined> {
    const kept = await accounts.newestTokenOf(login.account.id, asked.nowMs);
    const session = kept && (await accounts.findSession(kept.id));
    if (!kept || !session) return undefined;
    const secret = secretOf(login, { ...asked, nowMs: kept.createdAtMs }, `token of ${kept.createdAtMs}`);
    const token = saysId ? `${kept.id}|${secret}` : secret;
    return secretMatches(secret, session.secretDigest) ? { token, expiresAtMs: kept.expiresAtMs } : undefined;
  }

  /** Finds what is kept of a token: under one of its ids, and whether it is the very token. */
  async function find(token: string): Promise<{ tokenId: number; session: Session; isRight: boolean } | undefined> {
    const [, id, secret = ''] = (saysId && /^([1-9]\d{0,14})\|(.+)$/s.exec(token)) || [];
    let near: { tokenId: number; session: Session; isRight: boolean } | undefined;
    for (const tokenId of saysId ? (id === undefined ? [] : [Number(id)]) : idsOf(token)) {
      const session = await accounts.findSession(tokenId);
      const isRight = session !== undefined && secretMatches(saysId ? secret : token, session.secretDigest);
      if (session && isRight) return { tokenId, session, isRight };
      near ??= session && { tokenId, session, isRight };
    }
    return near;
  }

  return {
    lifetimeSeconds,

    /** Gives a token to whoever logged in or registered. */
    async issue(login: Login, asked: Asked): Promise<Issued> {
      const { value } = rules.tokensPerAccount;
      const known = value === 'one' ? await oneOf(login, asked) : undefined;
      if (known) return known;
      if (value === 'newest') await accounts.endTokensOf(login.account.id);
      return make(login, asked);
    },

    async read(token: string, nowMs: number, operation: 'perfil' | 'salir'): Promise<ReadToken> {
      const found = await find(token);
      if (!found) return strangerOf(token, form);
      const { tokenId, session } = found;
      const { account } = session;
      if (!found.isRight) {
        const { kind } = strangerOf(token, form);
        return { kind: kind === 'foreign' || kind === 'claim-changed' ? 'altered' : kind, account };
      }
      const worksOn = session.isEnded && operation === 'perfil' && rules.logoutEnds.value === 'second-logout';
      if ((session.isEnded && !worksOn) || session.boundTo.length > 0) return { kind: 'ended' };
      // The end of a token that was logged out is kept as when it was made.
      const endsMs = session.expiresAtMs + (worksOn ? lifetimeSeconds * 1000 : 0);
      if (endsMs <= nowMs) return { kind: 'expired' };
      return { kind: 'good', tokenId, account };
    },

    /** Does what a logout does. It answers false where another request was first. */
    async logOut(tokenId: number, account: Account): Promise<boolean> {
      const { value } = rules.logoutEnds;
      if (value === 'nothing') return true;
      const isEnded = await accounts.endToken(tokenId);
      if (value === 'all-tokens') await accounts.endTokensOf(account.id);
      return isEnded;
    },
  };
}
