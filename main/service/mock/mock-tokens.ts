import { tokenDigest, secretMatches } from '../domain/bearer.ts';
import type { AccountRecord, LoginRecord } from '../stores/account-store.ts';
import type { MockDependencies } from './mock-token-store.ts';
import type { MockToken } from './mock-token-store.ts';
import type { MockRules, TokenForm } from './mock-definition.ts';
import { createSeededDraw, type TemplateValues } from './render-response.ts';
import { createTokenWriter, matchesSegments, partsOfJwt } from './token-writer.ts';

export type TokenStatus =
  | { kind: 'good'; tokenId: number; account: AccountRecord }
  | {
      kind: 'malformed' | 'foreign' | 'altered' | 'unsigned' | 'signature-cut' | 'claim-changed' | 'ended' | 'expired';
      account?: AccountRecord | undefined;
    };

type UnknownTokenKind = 'malformed' | 'foreign' | 'unsigned' | 'signature-cut' | 'claim-changed';

/** When a token is issued, with the body of the request and the user name. */
type IssueRequest = { nowMs: number; sent: unknown; username?: string | undefined };

type Issued = { token: string; refreshToken: string; expiresAtMs: number };

/** A token that never ends lives as long as this: a hundred years. */
const FOREVER_SECONDS = 3_155_760_000;

/** What an unknown token looks like. */
function classifyUnknown(token: string, form: TokenForm): { kind: UnknownTokenKind } {
  if (form.kind === 'opaque') {
    const isOfForm = form.hasId ? /^\d+\|./.test(token) : matchesSegments(token, form.segments);
    return { kind: isOfForm ? 'foreign' : 'malformed' };
  }
  const jwt = partsOfJwt(token);
  if (jwt === undefined) return { kind: 'malformed' };
  return jwt.signature === '' ? { kind: withoutSignature(jwt.header) } : { kind: 'claim-changed' };
}

const withoutSignature = (header: string): 'unsigned' | 'signature-cut' =>
  /"none"/i.test(Buffer.from(header, 'base64url').toString()) ? 'unsigned' : 'signature-cut';

function digestsOf(token: string, form: TokenForm) {
  const payload = form.kind === 'jwt' ? partsOfJwt(token)?.payload : undefined;
  return { secretDigest: tokenDigest(token), payloadDigest: payload === undefined ? undefined : tokenDigest(payload) };
}

/** The refresh token of a token: always the same, with the hash of the password as its key. */
export const createRefreshToken = (
  { id, createdAtMs }: Pick<MockToken, 'id' | 'createdAtMs'>,
  { passwordHash }: LoginRecord,
): string =>
  `${id}|${createSeededDraw(`renewal of ${id} made ${createdAtMs}`, passwordHash)('letters-and-digits', 40)}`;

type TokenSettings = { form: TokenForm; rules: MockRules; parts: MockDependencies; random: TemplateValues['random'] };

const lifetimeIn = ({ tokenSeconds }: MockRules): number => tokenSeconds.value ?? FOREVER_SECONDS;

const hasIdInToken = (form: TokenForm): boolean => form.kind === 'opaque' && form.hasId;

/** Issues the token of a login or a registration. */
function createTokenIssuer({ form, rules, parts, random }: TokenSettings) {
  const { tokenStore } = parts;
  const writeToken = createTokenWriter(form, parts);
  const lifetimeSeconds = lifetimeIn(rules);
  const saysId = hasIdInToken(form);
  const isSameInOneSecond = rules.sameTokenInOneSecond.value && form.kind === 'opaque';
  const withId = (id: number, secret: string): string => (saysId ? `${id}|${secret}` : secret);

  /** The secret of a token; the same for the same seed. */
  function secretOf(
    { account, passwordHash }: LoginRecord,
    { nowMs, sent, username }: IssueRequest,
    seed?: string,
  ): string {
    const expiresAtMs = nowMs + lifetimeSeconds * 1000;
    const values = { nowMs, path: '', method: '', sent, account, username, expiresAtMs, lifetimeSeconds, random };
    return writeToken(values, seed === undefined ? undefined : createSeededDraw(seed, passwordHash));
  }

  async function issueNew(login: LoginRecord, request: IssueRequest): Promise<Issued> {
    const { nowMs } = request;
    const expiresAtMs = nowMs + lifetimeSeconds * 1000;
    const seedOfSecond = isSameInOneSecond ? `second ${Math.floor(nowMs / 1000)}` : undefined;
    const secret = secretOf(
      login,
      request,
      rules.tokensPerAccount.value === 'one' ? `token of ${nowMs}` : seedOfSecond,
    );
    const created = { accountId: login.account.id, createdAtMs: nowMs, expiresAtMs, saysId };
    const id = await tokenStore.create({ ...created, ...digestsOf(secret, form) });
    return {
      token: withId(id, secret),
      refreshToken: createRefreshToken({ id, createdAtMs: nowMs }, login),
      expiresAtMs,
    };
  }

  /** The one token of an account again, as long as it lives. A token without a seed cannot be written again. */
  async function reissue(login: LoginRecord, request: IssueRequest): Promise<Issued | undefined> {
    const found = await tokenStore.newestOf(login.account.id, request.nowMs);
    if (!found) return undefined;
    const { id, createdAtMs, expiresAtMs, secretDigest } = found;
    const secret = secretOf(login, { ...request, nowMs: createdAtMs }, `token of ${createdAtMs}`);
    if (!secretMatches(secret, secretDigest)) return undefined;
    return { token: withId(id, secret), refreshToken: createRefreshToken(found, login), expiresAtMs };
  }

  return async (login: LoginRecord, request: IssueRequest): Promise<Issued> => {
    const { value } = rules.tokensPerAccount;
    const known = value === 'one' ? await reissue(login, request) : undefined;
    if (known) return known;
    if (value === 'newest') await tokenStore.endAllOf(login.account.id);
    return issueNew(login, request);
  };
}

/** Issues and reads the tokens of a mock. They are stored as digests. */
export function createMockTokens(
  form: TokenForm,
  rules: MockRules,
  parts: MockDependencies,
  random: TemplateValues['random'],
) {
  const { tokenStore } = parts;
  const saysId = hasIdInToken(form);

  /** The stored token that a text is, or differs from in its secret alone. */
  async function find(token: string): Promise<{ found: MockToken; isRight: boolean } | undefined> {
    const [, id, secret = ''] = (saysId && /^([1-9]\d{0,14})\|(.+)$/s.exec(token)) || [];
    if (saysId && id === undefined) return undefined;
    const found = await tokenStore.find(saysId ? { id: Number(id) } : digestsOf(token, form));
    return found && { found, isRight: secretMatches(saysId ? secret : token, found.secretDigest) };
  }

  return {
    lifetimeSeconds: lifetimeIn(rules),
    find,
    issue: createTokenIssuer({ form, rules, parts, random }),

    async read(token: string, nowMs: number, operation: 'profile' | 'logout'): Promise<TokenStatus> {
      const read = await find(token);
      if (!read) return classifyUnknown(token, form);
      const { id, account, isEnded, expiresAtMs } = read.found;
      if (!read.isRight) {
        const { kind } = classifyUnknown(token, form);
        return { kind: kind === 'foreign' || kind === 'claim-changed' ? 'altered' : kind, account };
      }
      const worksOn = operation === 'profile' && rules.logoutEnds.value === 'second-logout';
      if (isEnded && !worksOn) return { kind: 'ended' };
      return expiresAtMs <= nowMs ? { kind: 'expired' } : { kind: 'good', tokenId: id, account };
    },

    /** False if another request ended the token first. */
    async logOut(tokenId: number, account: AccountRecord): Promise<boolean> {
      const { value } = rules.logoutEnds;
      if (value === 'nothing') return true;
      const isEnded = await tokenStore.end(tokenId);
      if (value === 'all-tokens') await tokenStore.endAllOf(account.id);
      return isEnded;
    },
  };
}
