import type { RateLimits } from '../limits.ts';
import type { MockDefinition } from './mock-definition.ts';

/** Returns the limits that the original was seen to have. A mock has no others. */
export const mockRateLimits = ({ rules: { failedLogins, registrations } }: MockDefinition): Partial<RateLimits> => ({
  ...(failedLogins.calls.length > 0 && { login: failedLogins.value }),
  ...(registrations.calls.length > 0 && { registration: registrations.value }),
});
