import type { Api } from './contract.ts';
import type { EventName } from './events.ts';

/** Channel names as plain data, so that the sandboxed preload bundles no zod. */
export const channels = {
  app: ['state', 'painted'],
  session: ['login', 'register', 'check', 'logout', 'addAccount', 'cancel'],
  sessions: ['use', 'check', 'logout', 'forget', 'revoke'],
  servers: [
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
    'cancelTest',
    'openInBrowser',
    'chooseFile',
    'importFile',
    'exportFile',
  ],
  calls: [
    'list',
    'get',
    'pin',
    'copy',
    'exportFile',
    'importHar',
    'replayChanges',
    'replay',
    'cancelReplay',
    'clear',
    'limits',
    'setLimits',
  ],
  vault: ['retry'],
  lock: ['now', 'unlock', 'setPin', 'removePin'],
  builtIn: [
    'choices',
    'behave',
    'accounts',
    'sessions',
    'expire',
    'revoke',
    'signEveryoneOut',
    'requests',
    'clearRequests',
    'copies',
    'reset',
    'undo',
    'snapshot',
    'restore',
    'removeSnapshot',
  ],
  demo: ['start', 'reset', 'signInAs'],
  contractRun: [
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
  storage: ['overview', 'diagnostics', 'copyDiagnostics', 'eraseEverything'],
  settings: ['change'],
} as const satisfies { [G in keyof Api]: readonly (keyof Api[G])[] };

export const eventNames = [
  'app.changed',
  'call.recorded',
  'builtIn.requested',
  'contractRun.progressed',
] as const satisfies readonly EventName[];

type UnlistedCalls = { [G in keyof Api]: Exclude<keyof Api[G], (typeof channels)[G][number]> };
type UnlistedEvents = Exclude<EventName, (typeof eventNames)[number]>;

/** These do not compile while the contract has a call or an event that the lists above forget. */
export const everyCallIsListed: { [G in keyof Api]: [UnlistedCalls[G]] extends [never] ? true : UnlistedCalls[G] } = {
  app: true,
  session: true,
  sessions: true,
  servers: true,
  calls: true,
  vault: true,
  lock: true,
  builtIn: true,
  demo: true,
  contractRun: true,
  storage: true,
  settings: true,
};
export const everyEventIsListed: [UnlistedEvents] extends [never] ? true : UnlistedEvents = true;
