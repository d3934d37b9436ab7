import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Limits } from './limits.ts';
import type { HashQueue } from './domain/hash-queue.ts';
import type { Passwords } from './domain/passwords.ts';
import type { Account, AccountStore } from './stores/account-store.ts';
import type { AttemptStore } from './stores/attempt-store.ts';
import type { TokenUses } from './token-uses.ts';

/** The application as routes see it. What they answer is checked against their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Answers to a request without doing what it asks for. */
export type Refusals = Record<
  'unauthenticated' | 'throttled' | 'failed',
  (request: FastifyRequest, reply: FastifyReply, waitSeconds: number) => void
>;

/** What routes are made of. */
export type Parts = {
  accounts: AccountStore;
  attempts: AttemptStore;
  passwords: Passwords;
  hashing: HashQueue;
  uses: Pick<TokenUses, 'note'>;
  limits: Limits;
  tokenLifetimeSeconds: number;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Whether the password of an account is known to everybody; absent where only this computer's programs log in. */
  isPublicPassword?: ((account: Pick<Account, 'name' | 'email'>, password: string) => boolean) | undefined;
  /** Makes the secret of a token: a random one, unless the service misbehaves on purpose and makes it guessable. */
  createSecret?: () => string;
  /** How a double of another server refuses, where the service itself would answer in its own words. */
  refusals?: Refusals | undefined;
  /** Says whether `/register` does without the repeated password, as only a service that misbehaves on purpose does. */
  ignoresCpassword?: () => boolean;
};
