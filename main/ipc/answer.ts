import type { z } from 'zod';
import type { contract } from '../../preload/contract/contract.ts';
import { fail, type Result } from '../../preload/contract/result.ts';

type Contract = typeof contract;

/** What main does for each call of the contract. */
export type Handlers = {
  [G in keyof Contract]: {
    [K in keyof Contract[G]]: Contract[G][K] extends {
      input: infer I extends z.ZodType;
      output: infer O extends z.ZodType;
    }
      ? (input: z.output<I>) => Result<z.output<O>> | Promise<Result<z.output<O>>>
      : never;
  };
};

/** What can be done in front of a locked window; `settings.change` itself takes no more than language and theme then. */
export const whileLocked: ReadonlySet<string> = new Set([
  'app.state',
  'app.painted',
  'lock.now',
  'lock.unlock',
  'settings.change',
]);

/**
 * Answers one call: the input is parsed, the failure of a handler becomes a value whose id is in the log. Never rejects.
 * @param report logs what went wrong, without the input, and answers the id under which it can be found
 * @param isRefused asked before the handler and again after it, since what a call found may no longer be shown then
 */
export async function answer<I, O>(
  call: { input: z.ZodType<I> },
  handler: (input: I) => Result<O> | Promise<Result<O>>,
  input: unknown,
  report: (error: unknown) => string,
  isRefused: () => boolean = () => false,
): Promise<Result<O>> {
  try {
    if (isRefused()) return fail({ kind: 'locked' });
    const parsed = call.input.safeParse(input);
    // The issues name paths and types, never values.
    if (!parsed.success) {
      return fail({
        kind: 'bug',
        id: report(new TypeError(parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join('; '))),
      });
    }
    const result = await handler(parsed.data);
    return isRefused() ? fail({ kind: 'locked' }) : result;
  } catch (error) {
    // What was under way while everything was closed could not but fail.
    if (isRefused()) return fail({ kind: 'locked' });
    return fail({ kind: 'bug', id: report(error) });
  }
}
