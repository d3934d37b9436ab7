import { z } from 'zod';
import { method } from './method.ts';
import { AppState } from './models.ts';
import { watchLimits } from './run-limits.ts';

const serverId = z.string().max(100);

/** A watch that a person begins. The password stays in main's memory while the watch lasts. */
const WantedWatch = z.object({
  serverId,
  email: z.string().max(1000),
  password: z.string().max(1000),
  everyMinutes: z.int().min(watchLimits.leastMinutes).max(watchLimits.mostMinutes),
});

/** What measures a server again and again with an account of it. */
export const watchMethods = {
  /** Begins to watch a server, instead of the watch that it has. Nothing is told while notifications are off. */
  start: method(WantedWatch, AppState),
  stop: method(z.object({ serverId }), AppState),
};
