/** Headers in which a login may give its token. An answer of a mock has them for that alone. */
export const tokenHeaders = [
  'access-token',
  'set-auth-token',
  'authorization',
  'x-auth-token',
  'x-access-token',
  'x-subject-token',
  'x-session-token',
  'st-access-token',
] as const;

/** The only headers that an answer of a mock has beside those of the connection. */
export const allowedHeaders = [
  ...tokenHeaders,
  'content-type',
  /** A path of the mock's own. */
  'location',
  'www-authenticate',
  'retry-after',
  'allow',
  'cache-control',
  'server',
  'x-powered-by',
  'deprecation',
  'sunset',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
] as const;
