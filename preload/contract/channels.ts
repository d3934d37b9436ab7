import type { Api } from './contract.ts';
import type { EventName } from './events.ts';

/** Channel names as plain data, so that the sandboxed preload bundles no zod. */
export const channels = {
  app: ['state'],
  session: ['login', 'register', 'check', 'logout', 'addAccount', 'cancel'],
  sessions: ['use', 'check', 'logout', 'forget', 'revoke'],
  environments: [
    'useAddress',
    'use',
    'create',
    'edit',
    'duplicate',
    'move',
    'remove',
    'confirmProduction',
    'trust',
    'distrust',
    'test',
    'chooseFile',
    'importFile',
    'exportFile',
  ],
  exchanges: ['list', 'get', 'pin', 'copy', 'exportFile', 'importHar', 'clear'],
  conformance: [
    'state',
    'plan',
    'start',
    'cancel',
    'again',
    'evidence',
    'copy',
    'exportFile',
    'compare',
    'compareFile',
  ],
  settings: ['change'],
} as const satisfies { [G in keyof Api]: readonly (keyof Api[G])[] };

export const eventNames = [
  'app.changed',
  'exchange.recorded',
  'conformance.progressed',
] as const satisfies readonly EventName[];

type UnlistedCalls = { [G in keyof Api]: Exclude<keyof Api[G], (typeof channels)[G][number]> };
type UnlistedEvents = Exclude<EventName, (typeof eventNames)[number]>;

/** These do not compile while the contract has a call or an event that the lists above forget. */
export const everyCallIsListed: { [G in keyof Api]: [UnlistedCalls[G]] extends [never] ? true : UnlistedCalls[G] } = {
  app: true,
  session: true,
  sessions: true,
  environments: true,
  exchanges: true,
  conformance: true,
  settings: true,
};
export const everyEventIsListed: [UnlistedEvents] extends [never] ? true : UnlistedEvents = true;
