import { describe, expect, it } from 'vitest';
import type { CallFilter, CallPage, CallSummary } from '../../../../../preload/contract/calls.ts';
import type { Result } from '../../../../../preload/contract/result.ts';
import { createCallList } from '../../../../../renderer/screens/calls/call-list.ts';

const all: CallFilter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false };

const summary = (number: number): CallSummary => ({
  id: `x${number}`,
  serverId: 'e',
  startedAt: '2026-11-21T08:00:00.000Z',
  method: 'GET',
  path: '/',
  host: 'example.test',
  totalMs: 1,
  responseBytes: 0,
  pinned: false,
});

/** Makes a main that holds numbered calls, the newest first, in pages of three, and answers when it is told to. */
function createFakeMain(count: number) {
  let kept = Array.from({ length: count }, (_, index) => summary(count - index));
  let newest = count;
  const asked: [search: string, offset: number][] = [];
  let waiting: (() => void)[] = [];
  return {
    asked,
    record: () => void (kept = [summary((newest += 1)), ...kept]),
    prune: () => void (kept = kept.slice(0, -1)),
    list: ({ filter, offset }: { filter: CallFilter; offset: number }): Promise<Result<CallPage>> => {
      asked.push([filter.search, offset]);
      const page = kept.slice(offset, offset + 3);
      const value = { calls: page, total: kept.length, more: offset + page.length < kept.length, runs: [] };
      return new Promise((resolve) => waiting.push(() => resolve({ ok: true, value })));
    },
    async answer() {
      const [first, ...rest] = waiting;
      waiting = rest;
      first?.();
      // What follows an answer follows in promises, never in timers.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
  };
}

async function shown(count: number) {
  const main = createFakeMain(count);
  const list = createCallList(main.list);
  void list.show(all);
  await main.answer();
  return { main, list, numbers: () => list.current().calls.map(({ id }) => Number(id.slice(1))) };
}

describe('the list of calls', () => {
  it('is loaded page by page, without a gap and none twice, also when others come in meanwhile', async () => {
    const { main, list, numbers } = await shown(7);
    expect(numbers()).toEqual([7, 6, 5]);
    void list.loadOlder();
    await main.answer();
    expect(numbers()).toEqual([7, 6, 5, 4, 3, 2]);
    main.record();
    void list.loadOlder();
    await main.answer();
    expect(numbers()).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(list.current().more).toBe(false);
    void list.loadNewest();
    await main.answer();
    expect(numbers()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(list.current()).toMatchObject({ total: 8, arrived: 1 });
  });

  it('asks for the newest of what was typed only, and shows no answer to an older question', async () => {
    const { main, list } = await shown(2);
    void list.show({ ...all, search: 'a' });
    void list.show({ ...all, search: 'ab' });
    void list.show({ ...all, search: 'abc' });
    await main.answer();
    expect(list.current().filter?.search).toBe('');
    await main.answer();
    expect(list.current().filter?.search).toBe('abc');
    expect(main.asked.map(([search]) => search)).toEqual(['', 'a', 'abc']);
  });

  it('starts over when more came in than a page holds', async () => {
    const { main, list, numbers } = await shown(4);
    for (let each = 0; each < 5; each += 1) main.record();
    void list.loadNewest();
    await main.answer();
    expect(numbers()).toEqual([9, 8, 7]);
    expect(list.current()).toMatchObject({ arrived: 0, more: true, total: 9 });
  });

  it('lets those go that main let go, but no pinned one', async () => {
    const { main, list, numbers } = await shown(3);
    list.replace({ ...summary(1), pinned: true });
    main.record();
    main.prune();
    void list.loadNewest();
    await main.answer();
    expect(numbers()).toEqual([4, 3, 1]);
  });

  it('shows a pin at once, and no unpinned one among the pinned', async () => {
    const { main, list, numbers } = await shown(2);
    list.replace({ ...summary(2), pinned: true });
    expect(list.current().calls[0]?.pinned).toBe(true);
    void list.show({ ...all, pinnedOnly: true });
    await main.answer();
    list.replace(summary(2));
    expect(numbers()).toEqual([1]);
    expect(list.current().total).toBe(1);
  });

  it('keeps what it has and says the error when main cannot answer', async () => {
    let ok = true;
    const list = createCallList(() =>
      Promise.resolve(
        ok
          ? { ok, value: { calls: [summary(1)], total: 1, more: false, runs: [] } }
          : { ok, error: { kind: 'bug' as const, id: 'b-1' } },
      ),
    );
    await list.show(all);
    ok = false;
    await list.loadNewest();
    expect(list.current()).toMatchObject({ total: 1, error: { kind: 'bug' } });
  });
});
