import type { z } from 'zod';
import { contract, type Handlers } from '../../../preload/contract/contract.ts';
import type { Method } from '../../../preload/contract/method.ts';
import { fail, type Result } from '../../../preload/contract/result.ts';

export function createRequestHandler(options: {
  handlers: Handlers;
  report: (error: unknown) => string;
  isLocked: () => boolean;
}): (name: string, input: unknown) => Promise<Result<unknown>> {
  const { handlers, report, isLocked } = options;
  const groups: Record<string, Record<string, Method>> = contract;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- taken by name, the pairs of input and handler that `Handlers` guarantees are lost; `answer` parses each input before its handler sees it.
  const handlerOf = handlers as Record<string, Record<string, (input: unknown) => Promise<Result<unknown>>>>;
  return (name, input) => {
    const [group = '', method = ''] = name.split('.');
    const handler = (parsed: unknown) => handlerOf[group]![method]!(parsed);
    return handleRequest(groups[group]![method]!, handler, input, report, isLocked);
  };
}

/**
 * Parses the input, calls the handler, and turns a throw into the error `bug`. Never rejects.
 * @param report logs an error, without the input, and returns its id in the log
 * @param isLocked is called before and after the handler: the application may have been locked meanwhile
 */
export async function handleRequest<I, O>(
  method: { input: z.ZodType<I>; whileLocked: boolean },
  handler: (input: I) => Result<O> | Promise<Result<O>>,
  input: unknown,
  report: (error: unknown) => string,
  isLocked: () => boolean = () => false,
): Promise<Result<O>> {
  const isRefused = (): boolean => isLocked() && !method.whileLocked;
  try {
    if (isRefused()) return fail({ kind: 'locked' });
    const parsed = method.input.safeParse(input);
    // The issues name paths and types, and never values.
    if (!parsed.success) {
      return fail({
        kind: 'bug',
        id: report(new TypeError(parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join('; '))),
      });
    }
    const result = await handler(parsed.data);
    return isRefused() ? fail({ kind: 'locked' }) : result;
  } catch (error) {
    // A handler fails if the application is locked while it runs.
    if (isRefused()) return fail({ kind: 'locked' });
    return fail({ kind: 'bug', id: report(error) });
  }
}
