import type { Limits } from '../limits.ts';
import type { ServerModel } from './model.ts';

/** Returns the limits that the original was seen to have. A double has no others. */
export const limitsOfDouble = ({ rules: { failedLogins, registrations } }: ServerModel): Partial<Limits> => ({
  ...(failedLogins.calls.length > 0 && { login: failedLogins.value }),
  ...(registrations.calls.length > 0 && { registration: registrations.value }),
});
