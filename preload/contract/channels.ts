import type { Api } from './contract.ts';
import type { EventName } from './events.ts';

/** Channel names as plain data, so that the sandboxed preload bundles no zod. */
export const channels = {
  app: ['state'],
  session: ['login', 'register', 'check', 'logout', 'cancel'],
  servers: ['useAddress', 'use', 'forget'],
  settings: ['change'],
} as const satisfies { [G in keyof Api]: readonly (keyof Api[G])[] };

export const eventNames = ['app.changed'] as const satisfies readonly EventName[];

type Unlisted =
  | { [G in keyof Api]: Exclude<keyof Api[G], (typeof channels)[G][number]> }[keyof Api]
  | Exclude<EventName, (typeof eventNames)[number]>;

/** Does not compile while the contract has a call or an event that the lists above forget. */
export const everyCallIsListed: [Unlisted] extends [never] ? true : Unlisted = true;
