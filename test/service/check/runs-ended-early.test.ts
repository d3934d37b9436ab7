import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RunOptions } from '../../../preload/contract/report.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { mainWith } from '../support/main-with-runs.ts';

const options = RunOptions.parse({ callsPerSecond: 100 });

describe('a run of the application that is ended early', () => {
  it('logs out everywhere when it is cancelled, also where that takes longer than a command would wait', async () => {
    const foreign = await startForeignServer({
      override: ({ path: called }) => (called.endsWith('/salir') ? setTimeout(400, undefined) : undefined),
    });
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } });
    const end = main.ended();
    await main.checks.start({ serverId: 'foreign', options });
    await expect.poll(() => foreign.tokens.size, { interval: 5 }).toBeGreaterThan(3);
    main.checks.cancel();
    await end;
    expect([...foreign.tokens.keys()]).toEqual([]);
  });

  it('ends with the application', async () => {
    const foreign = await startForeignServer();
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } });
    await main.checks.start({ serverId: 'foreign', options });
    await main.when(({ running }) => (running?.results.length ?? 0) > 0);
    await main.checks[Symbol.asyncDispose]();
    expect(main.state().running).toBeUndefined();
    const calls = foreign.calls.length;
    await main.checks[Symbol.asyncDispose]();
    expect(foreign.calls.length).toBe(calls);
  });

  it.each([
    ['the end', Symbol.asyncDispose],
    ['a lock', 'lock'],
  ] as const)('ends at %s also while it logs out after it was cancelled', async (_at, how) => {
    const foreign = await startForeignServer({
      override: ({ path: called }) => (called.endsWith('/salir') ? 'no answer' : undefined),
    });
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } });
    await main.checks.start({ serverId: 'foreign', options });
    await expect.poll(() => foreign.tokens.size).toBeGreaterThan(0);
    main.checks.cancel();
    await expect.poll(() => foreign.waiting.size).toBe(1);
    const done = main.checks[how]();
    // It would take fifteen seconds otherwise.
    await expect.poll(() => foreign.waiting.size, { timeout: 10_000 }).toBe(0);
    await done;
    await expect.poll(() => main.state().running).toBeUndefined();
  });
});
