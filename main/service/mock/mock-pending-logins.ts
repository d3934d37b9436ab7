import type { FastifyRequest } from 'fastify';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { cookieIn } from '../../interface/server-request.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import { originalCookies } from '../translate-request.ts';

/** The oldest is dropped. Each needs a correct password. */
const MOST_PENDING = 10_000;
/** Wrong codes of an account count for so long, unless the original was seen to count them in a pending login. */
const WINDOW_MS = 300_000;

export type MockPendingLogin = {
  account: AccountRecord;
  expiresAtMs: number;
  wrongCodes: number;
  /** What its response gave: it is found by each of them. */
  values: readonly string[];
  /** Whether its token is that of the session, for which the profile asks for a code. */
  isSession: boolean;
};

/** What a request has in the place of a session and in the cookies of a pending login: either may carry one. */
export function pendingValuesIn(request: FastifyRequest, { description }: ApiAdapter): string[] {
  const { cookies = [] } = description.secondFactor ?? {};
  const token = request.headers.authorization?.replace(/^\S+ +/, '');
  const values = cookies.flatMap((name) => cookieIn(originalCookies(request), name) ?? []);
  return token === undefined ? values : [token, ...values];
}

/** Logins of a mock that wait for a code. They are in memory, so a restart ends them. */
export function createMockPendingLogins({ now, lifetimeSeconds }: { now: () => number; lifetimeSeconds: number }) {
  const byValue = new Map<string, MockPendingLogin>();
  const wrongCodes = new Map<number, { count: number; sinceMs: number }>();

  function end({ values }: MockPendingLogin): void {
    for (const value of values) byValue.delete(value);
  }

  return {
    begin(account: AccountRecord, values: readonly string[], { isSession = false } = {}): void {
      const expiresAtMs = isSession ? Infinity : now() + lifetimeSeconds * 1000;
      const login: MockPendingLogin = { account, expiresAtMs, wrongCodes: 0, values, isSession };
      for (const value of values) byValue.set(value, login);
      for (const oldest of byValue.values()) {
        if (byValue.size <= MOST_PENDING) break;
        end(oldest);
      }
    },

    /** The login that gave one of the values, unless it has ended. */
    find(values: readonly string[]): MockPendingLogin | undefined {
      const found = values.map((value) => byValue.get(value)).find((each) => each !== undefined);
      if (!found || found.expiresAtMs > now()) return found;
      end(found);
      return undefined;
    },

    end,

    endAllOf(accountId: number): void {
      for (const login of byValue.values()) if (login.account.id === accountId) end(login);
    },

    /** How many wrong codes an account sent lately. */
    wrongCodesOf(accountId: number): number {
      const { count = 0, sinceMs = 0 } = wrongCodes.get(accountId) ?? {};
      return now() - sinceMs < WINDOW_MS ? count : 0;
    },

    countWrongCode(accountId: number): void {
      const count = this.wrongCodesOf(accountId);
      const sinceMs = count === 0 ? now() : (wrongCodes.get(accountId)?.sinceMs ?? now());
      wrongCodes.set(accountId, { count: count + 1, sinceMs });
    },
  };
}
