import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AccountCalls } from './account-calls.ts';
import type { RateLimits } from './limits.ts';
import type { HashQueue } from './domain/hash-queue.ts';
import type { Passwords } from './domain/passwords.ts';
import type { AccountRecord, AccountStore } from './stores/account-store.ts';
import type { RateLimitStore } from './stores/rate-limit-store.ts';
import type { TokenUses } from './token-uses.ts';

/** Responses are checked against the zod schemas of their routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type RouteDependencies = {
  accounts: AccountStore;
  rateLimitStore: RateLimitStore;
  passwords: Passwords;
  hashQueue: HashQueue;
  tokenUses: Pick<TokenUses, 'note'>;
  limits: RateLimits;
  tokenLifetimeSeconds: number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** True for the public password of a demo user; absent if only this computer's programs log in. */
  isPublicPassword?: ((account: Pick<AccountRecord, 'name' | 'email'>, password: string) => boolean) | undefined;
  /** The calls beyond the default API, if they are on. */
  accountCalls?: AccountCalls | undefined;
};
