import type { RateLimitRule } from './stores/rate-limit-store.ts';

/** How much one client may try. */
export type RateLimits = {
  /** Failed logins of one email from one client. */
  login: RateLimitRule;
  /** Registrations of one client that look the email up, whether it is free or taken. */
  registration: RateLimitRule;
  /** Logins and registrations of one client together, whatever they hold and whether they succeed. */
  client: RateLimitRule;
};

/** More than any team needs at once; each costs a file descriptor, of which a process often has 1024. */
export const MOST_CONNECTIONS = 900;
/** More than a browser or a test of many calls at once opens; nine such clients have all there are. */
export const CONNECTIONS_PER_CLIENT = 100;

export const defaultLimits: RateLimits = {
  login: { most: 5, windowSeconds: 60 },
  registration: { most: 10, windowSeconds: 60 },
  client: { most: 300, windowSeconds: 60 },
};

/** The loosest limits where others than this computer's own programs come: above, they would be none. */
export const loosestBeyondLoopback = { login: 50, registration: 100, client: 3000, connectionsPerClient: 300 };

/** Whether the limits can be had beyond loopback. A limit counts by how many attempts it lets through in a minute. */
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

/** A body of more bytes is refused. */
export const MOST_BODY_BYTES = 16 * 1024;
