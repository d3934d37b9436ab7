import { z } from 'zod';

/** Why a watch has ended by itself. */
export const WatchEnd = z.enum([
  /** Too many runs in a row measured nothing. */
  'failures',
  /** The server does not take the password, which is not tried again. */
  'account-refused',
  /** The server is production now. */
  'production',
  /** The server is at another address now, or is reached by another way. */
  'moved',
  /** The application was locked, and the password is gone. */
  'locked',
]);
export type WatchEnd = z.infer<typeof WatchEnd>;

/** How a watch of a server stands. Times are in ISO 8601. */
export const WatchStatus = z.object({
  serverId: z.string(),
  email: z.string(),
  everyMinutes: z.int(),
  /** The number of changes that were told. */
  changes: z.int(),
  /** When the last run ended that measured something. */
  lastAt: z.string().optional(),
  state: z.discriminatedUnion('step', [
    z.object({ step: z.literal('running') }),
    z.object({ step: z.literal('waiting'), nextAt: z.string() }),
    z.object({ step: z.literal('ended'), why: WatchEnd, at: z.string() }),
  ]),
});
export type WatchStatus = z.infer<typeof WatchStatus>;
