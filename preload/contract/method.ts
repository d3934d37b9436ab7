import { z } from 'zod';

/** One thing that the window can ask of main. */
export interface Method<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** What main takes. Every string, list and record in it has a greatest length. */
  input: I;
  /** What main answers when nothing fails. */
  output: O;
  /** Whether main answers it while the application is locked. It refuses every other method then. */
  whileLocked: boolean;
}

/** Makes a method of the contract. */
export const method = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  { whileLocked = false } = {},
): Method<I, O> => ({ input, output, whileLocked });

/**
 * A text that somebody typed. The limit is larger than anything a form needs, and so small that a runaway page cannot
 * fill main's memory. What a field may hold is for the server to say: the client sends what was typed.
 */
export const userText = z.string().max(65_536);

export const byId = z.object({ id: z.string().max(100) });
