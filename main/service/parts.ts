import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Passwords } from './domain/passwords.ts';
import type { AccountStore } from './stores/account-store.ts';
import type { AttemptLimit, AttemptStore } from './stores/attempt-store.ts';

/** The application as routes see it: what they answer is checked against their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What routes are made of. */
export type Parts = {
  accounts: AccountStore;
  attempts: AttemptStore;
  passwords: Passwords;
  limits: { login: AttemptLimit; registration: AttemptLimit };
  tokenLifetimeSeconds: number;
  /** Milliseconds since 1970. */
  now: () => number;
};
