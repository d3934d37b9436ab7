/* oxlint-disable typescript/no-unsafe-type-assertion -- `Object.keys` loses the names of what it is given. */
import { contract, type EventName, type MethodName } from './contract.ts';

// The preload script may bundle no zod. Its build takes the values that this file exports, and none of its imports: see
// `contractNames` in vite.config.ts. So everything exported here must be plain data.

export const methodNames = Object.entries(contract).flatMap(([group, methods]) =>
  Object.keys(methods).map((method) => `${group}.${method}` as MethodName),
);

const events: Record<EventName, true> = {
  'app.changed': true,
  'app.command': true,
  'app.idle': true,
  'app.answered': true,
  'call.recorded': true,
  'calls.counted': true,
  'builtIn.requested': true,
  'checks.progressed': true,
};
/** Every event of main for the window. */
export const eventNames = Object.keys(events) as EventName[];
