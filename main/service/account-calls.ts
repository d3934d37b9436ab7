import { findTotpStep, parseTotpSecret } from '../interface/totp.ts';
import { createPendingLogins, type PendingLogins } from './domain/pending-logins.ts';
import type { AccountCallStore } from './stores/account-call-store.ts';
import type { AccountRecord } from './stores/account-store.ts';
import type { RateLimitRule, RateLimitStore } from './stores/rate-limit-store.ts';

/** The calls that ask for the password of the account. */
export type PasswordCall = 'enable-factor' | 'change-password' | 'delete-account';

/** Checks a code against a secret, and counts its step as used by the account. */
type CodeCheck = (accountId: number, secret: string, code: string) => Promise<boolean>;

/** The rules of the calls, which simulated vulnerabilities replace. */
export type AccountCallRules = {
  /** How many steps before the present one are accepted. */
  stepsBefore: () => number;
  mostWrongCodes: () => number;
  isPendingLoginUsedOnce: () => boolean;
  /** Undefined for a random one. */
  createPendingToken: (account: AccountRecord) => Promise<string | undefined>;
  /** Accepts a code that is wrong. */
  acceptsWrongCode: (accountId: number, code: string, check: CodeCheck) => Promise<boolean>;
  confirmsPassword: (call: PasswordCall, matches: () => Promise<boolean>) => Promise<boolean>;
};

const MOST_WRONG_CODES = 5;

export const defaultRules: AccountCallRules = {
  stepsBefore: () => 1,
  mostWrongCodes: () => MOST_WRONG_CODES,
  isPendingLoginUsedOnce: () => true,
  createPendingToken: async () => undefined,
  acceptsWrongCode: async () => false,
  confirmsPassword: (_call, matches) => matches(),
};

const WINDOW_SECONDS = 300;

/**
 * Wrong codes of one account. Pending logins have a limit of their own, since each login begins a new one: five of five
 * codes, after which all of them wait.
 */
const guessLimits = { login: 1, pending: 5 } as const;

/** What the calls are made of, and what a simulated vulnerability wraps. */
export type AccountCallParts = {
  store: AccountCallStore;
  /** Counts wrong codes, also where logins are not limited. */
  guesses: RateLimitStore;
  now: () => number;
  rules?: AccountCallRules | undefined;
};

/** The account calls, which `ServiceOptions.accountCalls` switches on. */
export type AccountCalls = {
  store: AccountCallStore;
  pendingLogins: PendingLogins;
  /** Counts a code that is about to be checked; a correct one is given back. */
  consumeGuess(kind: keyof typeof guessLimits, accountId: number): ReturnType<RateLimitStore['consume']>;
  hasFactor(accountId: number): Promise<boolean>;
  /** Checks a code of the factor of an account. */
  verifyCode: (accountId: number, code: string) => Promise<boolean>;
  /** Activates a factor with its first code. */
  confirmFactor(accountId: number, code: string): Promise<'confirmed' | 'wrong-code' | 'active'>;
  confirmsPassword: AccountCallRules['confirmsPassword'];
};

export function createAccountCalls({ store, guesses, now, rules = defaultRules }: AccountCallParts): AccountCalls {
  const check: CodeCheck = async (accountId, text, code) => {
    const secret = parseTotpSecret(text);
    const step = secret && findTotpStep(secret, code, now(), { before: rules.stepsBefore() });
    return step !== undefined && store.useStep(accountId, step);
  };

  return {
    store,
    pendingLogins: createPendingLogins({
      now,
      mostWrongCodes: rules.mostWrongCodes,
      isUsedOnce: rules.isPendingLoginUsedOnce,
      createToken: rules.createPendingToken,
    }),
    consumeGuess(kind, accountId) {
      const limit: RateLimitRule = { most: guessLimits[kind] * rules.mostWrongCodes(), windowSeconds: WINDOW_SECONDS };
      return guesses.consume(`${kind}-code|${accountId}`, limit);
    },
    hasFactor: async (accountId) => (await store.findFactor(accountId))?.isActive === true,
    async verifyCode(accountId, code) {
      const factor = await store.findFactor(accountId);
      const isRight = factor?.isActive === true && (await check(accountId, factor.secret, code));
      return isRight || rules.acceptsWrongCode(accountId, code, check);
    },
    async confirmFactor(accountId, code) {
      const factor = await store.findFactor(accountId);
      if (factor?.isActive) return 'active';
      if (!factor || !(await check(accountId, factor.secret, code))) return 'wrong-code';
      return (await store.activateFactor(accountId, factor.secret)) ? 'confirmed' : 'active';
    },
    confirmsPassword: rules.confirmsPassword,
  };
}
