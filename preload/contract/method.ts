import { z } from 'zod';

/** One thing that the window can ask of main. */
export interface Method<I extends z.ZodType = z.ZodType, O = unknown> {
  /** Every string, list and record in it has a maximum length. */
  input: I;
  whileLocked: boolean;
  /** The others return null. */
  hasOutput: boolean;
  /** It carries the type alone: what main returns is not parsed. */
  output?: O;
}

type MethodWithoutOutput<I extends z.ZodType> = Method<I, null> & { returns: <O>() => Method<I, O> };

/** @param whileLocked whether main takes it while the application is locked, when it refuses every other method */
export function method<I extends z.ZodType>(input: I, { whileLocked = false } = {}): MethodWithoutOutput<I> {
  const shared = { input, whileLocked };
  return { ...shared, hasOutput: false, returns: () => ({ ...shared, hasOutput: true }) };
}

/**
 * A text that somebody typed. The limit is larger than anything a form needs, and so small that a runaway page cannot
 * fill main's memory. What a field may hold is for the server to say: the client sends what was typed.
 */
export const userText = z.string().max(65_536);

export const byId = z.object({ id: z.string().max(100) });
