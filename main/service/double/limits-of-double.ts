import type { Limits } from '../limits.ts';
import type { ServerModel } from './model.ts';

/**
 * Returns the limits that were measured. Where a limit was not met, the service's own stays, unless the server was seen
 * to allow more.
 */
export function limitsOfDouble({ rules: { failedLogins, registrations } }: ServerModel): Partial<Limits> {
  return {
    ...(failedLogins.calls.length > 0 && { login: failedLogins.value }),
    ...(registrations.calls.length > 0 && { registration: registrations.value }),
  };
}
