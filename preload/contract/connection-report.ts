import { z } from 'zod';
import { AppError } from './result.ts';

/** What answers at an address. It was found without credentials, and nothing was created. */
export const ConnectionReport = z.discriminatedUnion('reached', [
  z.object({ reached: z.literal(false), error: AppError }),
  z.object({
    reached: z.literal(true),
    baseUrl: z.string(),
    /** Whether the connection was encrypted and its certificate trusted. */
    secure: z.boolean(),
    status: z.number(),
    milliseconds: z.number(),
    /** What the answer to `perfil` without a token says. */
    answered: z.enum([
      'asks-for-token',
      'profile-without-token',
      'path-missing',
      'web-page',
      'captive-portal',
      'protection-page',
      'redirect',
      'server-fault',
      'something-else',
    ]),
    /** The response header `Server`. */
    software: z.string().optional(),
  }),
]);
export type ConnectionReport = z.infer<typeof ConnectionReport>;
