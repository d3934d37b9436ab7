import type { z } from 'zod';

/** One thing that the window can ask of main. */
export interface Method<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** What main takes. Every string, list and record in it has a greatest length. */
  input: I;
  /** What main answers when nothing fails. */
  output: O;
  /** Whether main answers it while the application is locked. It refuses every other method then. */
  whileLocked: boolean;
}

/** Makes one thing that the window can ask of main. */
export const method = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  { whileLocked = false } = {},
): Method<I, O> => ({ input, output, whileLocked });
