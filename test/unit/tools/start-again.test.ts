import { describe, expect, it } from 'vitest';
import { BuiltInServer } from '../../../main/tools/local-servers/built-in-server.ts';
import type { StartedService } from '../../../main/tools/local-servers/local-server.ts';
import { startBuiltInServer } from '../../service/support/fault-injection.ts';
import { makeMain } from '../../support/make-main.ts';

/** Starts a service, and main without it. */
async function running() {
  const watched = { faultInjection: { keepRequests: 100 }, clock: true, clients: 'watched' } as const;
  const { service } = await startBuiltInServer({}, watched);
  const { state } = await makeMain({ elsewhere: { baseUrl: 'http://127.0.0.1:9' } });
  return { state, service };
}

describe('a built-in server that could not be started', () => {
  it('is started again, and what asks meanwhile waits for it', async () => {
    const { state, service } = await running();
    const starts: StartedService[] = [
      { ok: false, message: 'the disk is full' },
      { ok: false, message: 'still full' },
    ];
    const builtIn = new BuiltInServer({
      state,
      onRequest: () => undefined,
      describe: async () => undefined,
      start: async () => starts.shift() ?? { ok: true, service },
    });
    await builtIn.start();
    const { start: startAgain, counts } = builtIn;
    expect(await counts()).toEqual({ ok: false, error: { kind: 'built-in-stopped', message: 'the disk is full' } });
    expect(await startAgain()).toEqual({ ok: false, error: { kind: 'built-in-stopped', message: 'still full' } });
    expect(state.get().builtIn).toEqual({ state: 'failed', message: 'still full' });

    const both = Promise.all([startAgain(), startAgain()]);
    await Promise.resolve();
    expect(state.get().builtIn).toEqual({ state: 'starting' });
    expect(await counts()).toMatchObject({ ok: true });
    expect(await both).toMatchObject([{ ok: true }, { ok: true }]);
    expect(state.get().builtIn).toMatchObject({ state: 'running' });
    expect(await startAgain()).toMatchObject({ ok: true });
  });
});
