import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunOptions } from '../../../preload/contract/report-run.ts';
import type { BehaviourSettings } from '../../../main/service/behaviour/settings.ts';
import { startBuiltInServer } from '../support/behaviour.ts';
import { mainWith } from '../support/main-with-runs.ts';
import { ada } from '../support/make-service.ts';

vi.setConfig({ testTimeout: 60_000 });

const minute = 60_000;
const wanted = { serverId: 'there', email: ada.email, password: ada.password, everyMinutes: 15 };
const outlives = { wrong: ['token-outlives-logout'] } as const satisfies Partial<BehaviourSettings>;

// Only what waits for minutes is moved: the runs go at their own pace, over sockets.
const realTimeout = globalThis.setTimeout;
let waiting: (() => void)[] = [];
let waits: number[] = [];
beforeEach(() => {
  waiting = [];
  waits = [];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...more: unknown[]) => {
    if ((ms ?? 0) < minute) return realTimeout(run, ms, ...more);
    const timer = realTimeout(() => undefined, 0);
    waits.push(ms ?? 0);
    waiting.push(run);
    return timer;
    // The types of Node and of the page differ in what a timer is.
  }) as typeof setTimeout);
});
afterEach(() => vi.restoreAllMocks());

async function make() {
  const { service, behaviour } = await startBuiltInServer();
  const told: string[] = [];
  const main = await mainWith(
    { there: service, away: { baseUrl: 'http://127.0.0.1:1' } },
    { ports: { notifications: { isFocused: () => true, show: (text) => told.push(text) } } },
  );
  main.config.change({ settings: { ...main.config.get().settings, notifications: true, callsPerSecond: 100 } });
  const status = () => main.application.parts.state.get().watches[0];
  const step = () => status()?.state.step;
  const settled = () => vi.waitFor(() => expect(step()).not.toBe('running'), { timeout: 30_000, interval: 20 });
  /** Lets the wait for the next run be over, and waits until that has ended. */
  async function again(): Promise<void> {
    const next = waiting.pop();
    expect(next).toBeDefined();
    next?.();
    await settled();
  }
  return { main, behaviour, told, status, settled, again };
}

describe('a watch in the application', () => {
  it('tells a change once by the system and nothing else, and leaves no account and no report on the screen', async () => {
    const { main, behaviour, told, status, settled, again } = await make();
    expect(main.state().reports).toEqual([]);
    expect(await main.handlers.watch.start(wanted)).toMatchObject({ ok: true });
    await settled();
    expect([told, status()]).toMatchObject([[], { changes: 0, state: { step: 'waiting' } }]);
    behaviour.set(outlives);
    await again();
    expect(told).toEqual(['A watched server answers differently than before.']);
    await again();
    expect(told).toHaveLength(1);
    expect(status()?.changes).toBeGreaterThan(0);
    for (const ms of waits) expect(Math.abs(ms - 15 * minute)).toBeLessThanOrEqual(1.5 * minute);
    expect(main.steps).toEqual([]);
    expect(main.state().reports).toEqual([]);
    // What the window was told has no password in it.
    expect(JSON.stringify(main.shown)).not.toContain(ada.password);
    main.application.parts.contract.lock();
  });

  it('is refused at production, while notifications are off, and for a password that could not be hidden', async () => {
    const { main } = await make();
    const { start } = main.handlers.watch;
    const refused = (problem: string) => ({ ok: false, error: { kind: 'run-refused', problem } });
    expect(await start({ ...wanted, password: 'short' })).toMatchObject(refused('short-password'));
    main.mark('there', true);
    expect(await start(wanted)).toMatchObject(refused('production'));
    main.mark('there', false);
    main.config.change({ settings: { ...main.config.get().settings, notifications: false } });
    expect(await start(wanted)).toMatchObject(refused('notifications-off'));
    expect(waits).toEqual([]);
  });

  it('ends after five runs that measured nothing, and says so once', async () => {
    const { main, told, status, settled, again } = await make();
    await main.handlers.watch.start({ ...wanted, serverId: 'away' });
    await settled();
    for (let run = 1; run < 5; run += 1) await again();
    expect(status()?.state).toMatchObject({ step: 'ended', why: 'failures' });
    expect(told).toEqual(['The watch of a server has ended: it could not be measured.']);
    expect(waiting).toEqual([]);
  });

  it('ends at the first refusal of its password, which is sent once', async () => {
    const { main, told, status, settled } = await make();
    await main.handlers.watch.start({ ...wanted, password: 'not the right one' });
    await settled();
    expect(status()?.state).toMatchObject({ step: 'ended', why: 'account-refused' });
    expect(told).toHaveLength(1);
    expect(waiting).toEqual([]);
  });

  it('ends with its server, which is measured no more', async () => {
    const { main, status, settled } = await make();
    await main.handlers.watch.start(wanted);
    await settled();
    await main.servers.remove('there');
    expect(status()).toBeUndefined();
  });

  it('ends with a lock, and before a run at a server that became production or moved', async () => {
    const { main, status, settled, again } = await make();
    const { start } = main.handlers.watch;
    await start(wanted);
    await settled();
    main.application.lock('by-hand');
    await main.handlers.lock.unlock({});
    expect(status()?.state).toMatchObject({ step: 'ended', why: 'locked' });
    waiting = [];
    await start(wanted);
    await settled();
    main.mark('there', true);
    await again();
    expect(status()?.state).toMatchObject({ step: 'ended', why: 'production' });
    expect(waiting).toEqual([]);
  });

  it('waits a minute while a person’s run is under way, and gives way to one that begins', async () => {
    const { main, status, settled } = await make();
    await main.handlers.watch.start(wanted);
    const first = main.when(({ underWay }) => underWay !== undefined);
    const ended = main.ended();
    const options = { callsPerSecond: 100, only: ['token.missing' as const], variant: 'none' as const };
    expect(main.contractRuns.start({ serverId: 'there', options: RunOptions.parse(options) })).toMatchObject({
      ok: true,
    });
    await first;
    await settled();
    expect(waits).toEqual([minute]);
    expect(status()?.lastAt).toBeUndefined();
    await ended;
    main.application.parts.contract.lock();
  });
});
