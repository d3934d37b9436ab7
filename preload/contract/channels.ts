/* oxlint-disable typescript/no-unsafe-type-assertion -- `Object.keys` loses the names of what it is given. */
import { contract, type MethodName, events, type EventName } from './contract.ts';

// The preload script may bundle no zod. Its build takes the values that this file exports, and none of its imports: see
// `contractNames` in vite.config.ts. So everything exported here must be plain data.

/** Every method of the contract, as `group.method`. */
export const methodNames = Object.entries(contract).flatMap(([group, methods]) =>
  Object.keys(methods).map((method) => `${group}.${method}` as MethodName),
);

/** Every event that main tells the window. */
export const eventNames = Object.keys(events) as EventName[];
