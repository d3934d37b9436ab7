import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ok } from '../../../preload/contract/result.ts';
import { handleRequest } from '../../../main/window/ipc/handle-request.ts';

const method = { input: z.object({ email: z.string() }), whileLocked: false };
const report = (into: unknown[]) => (error: unknown) => {
  into.push(error);
  return 'id-1';
};

describe('answering the window', () => {
  it('hands the parsed input to the handler and its result back', async () => {
    const handed: unknown[] = [];
    const handler = (input: { email: string }) => {
      handed.push(input);
      return ok(input.email.length);
    };
    expect(await handleRequest(method, handler, { email: 'ana', more: 1 }, report([]))).toEqual(ok(3));
    expect(handed).toEqual([{ email: 'ana' }]);
  });

  it.each([undefined, null, 7, [], { email: 7 }, { email: null }, JSON.parse('{"__proto__":{"email":"x"}}')])(
    'refuses an input of another shape without calling the handler: %j',
    async (input: unknown) => {
      const reported: unknown[] = [];
      const result = await handleRequest(method, () => expect.unreachable(), input, report(reported));
      expect(result).toEqual({ ok: false, error: { kind: 'bug', id: 'id-1' } });
      expect(reported).toHaveLength(1);
    },
  );

  it('makes a value of a throw, and reports no input', async () => {
    const reported: unknown[] = [];
    const handler = (): never => {
      throw new Error('broken');
    };
    expect(await handleRequest(method, handler, { email: 'secret' }, report(reported))).toEqual({
      ok: false,
      error: { kind: 'bug', id: 'id-1' },
    });
    await handleRequest(method, handler, { email: { secret: 1 } }, report(reported));
    expect(reported.map(String).join()).not.toContain('secret');
  });
});
