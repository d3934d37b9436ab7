import { z } from 'zod';
import {
  AccountPage,
  BehaviourChange,
  BehaviourChoices,
  BuiltInCounts,
  BuiltInData,
  ClientLine,
  ClockMove,
  LoggedRequest,
  Page,
  SeedName,
  SessionPage,
} from './built-in-server.ts';
import { byId, method } from './method.ts';
import { AppState } from './models.ts';

const byNumber = z.object({ id: z.int().min(0) });

/** How the built-in server behaves, what it was asked, and what it holds. */
export const builtInMethods = {
  /** Starts it once more where it could not be started. */
  start: method(z.void(), AppState),
  /** Answers what can be chosen for its behaviour. */
  choices: method(z.void(), BehaviourChoices),
  behave: method(BehaviourChange, AppState),
  accounts: method(Page, AccountPage),
  sessions: method(Page, SessionPage),
  /** Makes one token expire now. `done` is false when the token was gone already. */
  expire: method(byNumber, z.object({ done: z.boolean() })),
  /** Removes one token. `done` is false when it was gone already. */
  revoke: method(byNumber, z.object({ done: z.boolean() })),
  /** Removes every token, and answers how many there were. */
  signEveryoneOut: method(z.void(), z.object({ ended: z.int() })),
  /** Answers the newest request first. */
  requests: method(z.void(), z.array(LoggedRequest)),
  /** Forgets the requests, and what clients did wrong. */
  clearRequests: method(z.void(), z.array(LoggedRequest)),
  /** Answers what clients did wrong, as far as the server can see it. */
  clientReport: method(z.void(), z.array(ClientLine)),
  /** Moves the clock of the built-in server. It is back at the next start. */
  moveClock: method(z.object({ to: ClockMove }), AppState),
  counts: method(z.void(), BuiltInCounts),
  data: method(z.void(), BuiltInData),
  /** Replaces everything that the built-in server holds with a set of accounts. Undo brings the rest back. */
  reset: method(z.object({ set: SeedName, seed: z.int().min(0).max(4_294_967_295) }), BuiltInData),
  /** Brings back what the last reset or restore replaced. */
  undo: method(z.void(), BuiltInData),
  snapshot: method(z.void(), BuiltInData),
  /** Replaces everything that the built-in server holds with a snapshot. Undo brings the rest back. */
  restore: method(byId, BuiltInData),
  removeSnapshot: method(byId, BuiltInData),
} as const;

/** Made-up people at the built-in server, whose passwords nobody types. */
export const demoMethods = {
  /** Makes the built-in server the active one, and signs in there as the demo person. */
  start: method(z.void(), AppState),
  /** Ends every session of the demo person, and begins anew. Other accounts stay. */
  reset: method(z.void(), AppState),
  /** Signs in as an account of a set, by its id. */
  signInAs: method(byNumber, AppState),
} as const;
