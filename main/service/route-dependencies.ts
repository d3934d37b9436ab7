import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { RateLimits } from './limits.ts';
import type { HashQueue } from './domain/hash-queue.ts';
import type { Passwords } from './domain/passwords.ts';
import type { AccountRecord, AccountStore } from './stores/account-store.ts';
import type { RateLimitStore } from './stores/rate-limit-store.ts';
import type { TokenUses } from './token-uses.ts';

/** The application as routes see it. What they answer is checked against their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What routes are made of. */
export type RouteDependencies = {
  accounts: AccountStore;
  rateLimitStore: RateLimitStore;
  passwords: Passwords;
  hashQueue: HashQueue;
  tokenUses: Pick<TokenUses, 'note'>;
  limits: RateLimits;
  tokenLifetimeSeconds: number;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Whether the password of an account is known to everybody; absent where only this computer's programs log in. */
  isPublicPassword?: ((account: Pick<AccountRecord, 'name' | 'email'>, password: string) => boolean) | undefined;
};
