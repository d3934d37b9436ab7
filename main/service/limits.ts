import type { RateLimitRule } from './stores/rate-limit-store.ts';

export type RateLimits = {
  /** Failed logins of one email from one client. */
  login: RateLimitRule;
  /** Registrations of one client whose email was looked up. */
  registration: RateLimitRule;
  /** All logins and registrations of one client, successful ones too. */
  client: RateLimitRule;
};

/** Each needs a file descriptor, of which a process often has 1024. */
export const MOST_CONNECTIONS = 900;
/** More than a browser or a test of many calls at once opens; a ninth of all. */
export const CONNECTIONS_PER_CLIENT = 100;

export const defaultLimits: RateLimits = {
  login: { most: 5, windowSeconds: 60 },
  registration: { most: 10, windowSeconds: 60 },
  client: { most: 300, windowSeconds: 60 },
};

/** The upper bounds of the limits beyond loopback. */
export const loosestBeyondLoopback = { login: 50, registration: 100, client: 3000, connectionsPerClient: 300 };

/** Whether the limits are allowed beyond loopback. They are compared by attempts per minute. */
export function areStrictEnough({
  rateLimit,
  limits,
  connectionsPerClient = 0,
}: {
  rateLimit?: 'on' | 'off' | undefined;
  limits?: Partial<RateLimits> | undefined;
  connectionsPerClient?: number | undefined;
}): boolean {
  const all = { ...defaultLimits, ...limits };
  return (
    rateLimit !== 'off' &&
    (['login', 'registration', 'client'] as const).every(
      (name) => (all[name].most * 60) / all[name].windowSeconds <= loosestBeyondLoopback[name],
    ) &&
    connectionsPerClient <= loosestBeyondLoopback.connectionsPerClient
  );
}

export const MOST_BODY_BYTES = 16 * 1024;
