import { describe, expect, it } from 'vitest';
import { createBuiltInServer } from '../../../main/built-in-server/built-in-server.ts';
import { builtInOf, notStarted } from '../../../main/built-in-server/start-service.ts';
import { startBuiltInServer } from '../../service/support/behaviour.ts';
import { makeMain } from '../../support/make-main.ts';

/** Starts a service, and main without it. */
async function running() {
  const watched = { behaviour: { keepRequests: 100 }, clock: 'when-moved', clients: 'watched' } as const;
  const { service } = await startBuiltInServer({}, watched);
  const { state } = await makeMain({ elsewhere: { baseUrl: 'http://127.0.0.1:9' } });
  return { state, service };
}

describe('a built-in server that could not be started', () => {
  it('is started again, and what asks meanwhile waits for it', async () => {
    const { state, service } = await running();
    const starts = [Promise.resolve(notStarted('the disk is full')), Promise.resolve(notStarted('still full'))];
    const builtIn = createBuiltInServer({
      state,
      onRequest: () => undefined,
      start: () => starts.shift() ?? builtInOf(service),
    });
    await builtIn.start();
    const { start: startAgain, counts } = builtIn.handlers;
    expect(await counts()).toEqual({ ok: false, error: { kind: 'built-in-stopped', message: 'the disk is full' } });
    expect(await startAgain()).toEqual({ ok: false, error: { kind: 'built-in-stopped', message: 'still full' } });
    expect(state.get().builtIn).toEqual({ state: 'failed', message: 'still full' });

    const both = [startAgain(), startAgain()];
    expect(state.get().builtIn).toEqual({ state: 'starting' });
    expect(await counts()).toMatchObject({ ok: true });
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(state.get().builtIn).toMatchObject({ state: 'running' });
    expect(await startAgain()).toMatchObject({ ok: true });
  });
});
