import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CallStore } from '../../../main/tools/calls/call-store.ts';
import { type CallFilter, type RecordedCall, type RedactedBody, ReplayOf } from '../../../preload/contract/calls.ts';
import type { CallLimits } from '../../../preload/contract/settings.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const all: CallFilter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false };
const roomy: CallLimits = { count: 1000, bytes: 20_000_000 };

function call(number: number, part: Partial<RecordedCall> = {}): RecordedCall {
  return {
    id: `e${number}`,
    serverId: 'shop',
    startedAt: '2026-11-21T10:00:00.000Z',
    request: {
      method: 'GET',
      url: [`http://a.test:8000/api/v1/auth/perfil?n=${number}`],
      head: { text: ['GET / HTTP/1.1\r\nAuthorization: Bearer ', { secret: 'token', id: 's1' }], source: 'as-written' },
    },
    response: {
      status: 200,
      httpVersion: '1.1',
      headers: [['Content-Type', ['application/json']]],
      body: { form: 'text', text: [`{"name":"Ana ${number}"}`], bytes: 20 },
    },
    timings: { totalMs: 12.5 },
    reusedConnection: false,
    ...part,
  };
}

async function makeStore(file?: string) {
  const used = file ?? path.join(await makeTemporaryFolder(), 'calls.sqlite');
  const store = new CallStore(used);
  onTestFinished(() => store.close());
  return Object.assign(store, { file: used });
}

const idsOf = (store: Pick<CallStore, 'list'>, filter = all): string[] =>
  store.list(filter, 0).calls.map(({ id }) => id);

describe('recorded calls', () => {
  it('come back whole, newest first, also after the file was opened again', async () => {
    const store = await makeStore();
    store.add(call(1), roomy);
    store.add(call(2), roomy);
    store.close();
    const again = await makeStore(store.file);
    expect(idsOf(again)).toEqual(['e2', 'e1']);
    expect(again.get('e1')).toEqual(call(1));
    expect(again.list(all, 0).calls[0]).toEqual({
      id: 'e2',
      serverId: 'shop',
      startedAt: '2026-11-21T10:00:00.000Z',
      method: 'GET',
      host: 'a.test:8000',
      path: '/api/v1/auth/perfil?n=2',
      status: 200,
      totalMs: 12.5,
      responseBytes: 20,
      pinned: false,
    });
    expect(again.get('e9')).toBeUndefined();
    expect(statSync(store.file).mode & 0o777).toBe(0o600);
  });

  it('are kept up to a number, the pinned ones beyond it', async () => {
    const store = await makeStore();
    store.add(call(1), roomy);
    store.pin('e1', true);
    for (let number = 2; number <= 20; number += 1) store.add(call(number), { ...roomy, count: 10 });
    expect(idsOf(store)).toEqual(['e20', 'e19', 'e18', 'e17', 'e16', 'e15', 'e14', 'e13', 'e12', 'e1']);
    expect(store.totals().count).toBe(10);
  });

  it('of a person are not pushed out by those of checks, which have the limits for themselves', async () => {
    const store = await makeStore();
    const few = { ...roomy, count: 10 };
    for (let number = 1; number <= 8; number += 1) store.add(call(number), few);
    for (let number = 101; number <= 140; number += 1)
      store.add(call(number, { contractRun: number < 135 ? 1 : 2 }), few);
    expect(idsOf(store, { ...all, checks: 'without' })).toEqual(['e8', 'e7', 'e6', 'e5', 'e4', 'e3', 'e2', 'e1']);
    expect(idsOf(store, { ...all, checks: 'only' })).toHaveLength(10);
    expect(store.totals().count).toBe(18);
    expect(store.list(all, 0).runs).toEqual([
      { contractRun: 1, count: 4 },
      { contractRun: 2, count: 6 },
    ]);
    for (let number = 201; number <= 220; number += 1) store.add(call(number), few);
    expect(store.totals().count, 'nor the other way round').toBe(20);
  });

  it('are kept up to a size', async () => {
    const store = await makeStore();
    const large = (number: number) =>
      call(number, {
        request: { ...call(number).request, body: { form: 'text', text: ['x'.repeat(300_000)], bytes: 300_000 } },
      });
    for (let number = 1; number <= 9; number += 1) store.add(large(number), { count: 1000, bytes: 1_000_000 });
    expect(idsOf(store)).toEqual(['e9', 'e8', 'e7']);
    expect(store.totals().bytes).toBeLessThanOrEqual(1_000_000);
  });

  it('are found by what is in them, in any case, and by their outcome and server', async () => {
    const store = await makeStore();
    store.add(call(1), roomy);
    store.add(call(2, { serverId: 'other' }), roomy);
    store.add(call(3, { response: { ...call(3).response!, status: 422 } }), roomy);
    const { response: _none, ...unanswered } = call(4);
    store.add({ ...unanswered, failure: { kind: 'offline' } }, roomy);
    expect(idsOf(store, { ...all, search: 'ANA 2' })).toEqual(['e2']);
    expect(idsOf(store, { ...all, search: "%' OR 1 --" })).toEqual([]);
    expect(idsOf(store, { ...all, serverId: 'other' })).toEqual(['e2']);
    expect(idsOf(store, { ...all, outcome: 'succeeded' })).toEqual(['e2', 'e1']);
    expect(idsOf(store, { ...all, outcome: 'refused' })).toEqual(['e3']);
    expect(idsOf(store, { ...all, outcome: 'failed' })).toEqual(['e4']);
    store.pin('e3', true);
    expect(idsOf(store, { ...all, pinnedOnly: true })).toEqual(['e3']);
  });

  it('come in pages', async () => {
    const store = await makeStore();
    for (let number = 1; number <= 450; number += 1) store.add(call(number), roomy);
    const pages = [0, 200, 400].map((offset) => store.list(all, offset));
    expect(pages.map(({ calls, more, total }) => [calls.length, more, total])).toEqual([
      [200, true, 450],
      [200, true, 450],
      [50, false, 450],
    ]);
  });

  it('leave the file once they are cleared', async () => {
    const store = await makeStore();
    const body: RedactedBody = { form: 'text', text: ['needle in the file'], bytes: 18 };
    store.add({ ...call(1), request: { ...call(1).request, body } }, roomy);
    store.clear({ pinnedToo: true });
    expect(store.totals()).toEqual({ count: 0, bytes: 0 });
    store.shrink();
    store.close();
    expect(readFileSync(store.file).includes('needle')).toBe(false);
  });

  it('are told from those of a replay and of checks', async () => {
    const store = await makeStore();
    const replayOf = { id: 'e1', change: 'edited' } as const;
    const marked = { replayOf, contractRun: 7 } as const;
    store.add(call(1), roomy);
    store.add(call(2, marked), roomy);
    const [newest, oldest] = store.list(all, 0).calls;
    expect(newest).toMatchObject({ id: 'e2', ...marked });
    for (const name of Object.keys(marked)) expect(oldest).not.toHaveProperty(name);
    expect(store.get('e2')).toEqual(call(2, marked));
    expect(idsOf(store, { ...all, checks: 'without' })).toEqual(['e1']);
    expect(idsOf(store, { ...all, checks: 'only' })).toEqual(['e2']);
  });

  it('of a replay that an earlier build recorded with a named change count as edited', () => {
    expect(ReplayOf.parse({ id: 'e1', change: { change: 'no-token' } })).toEqual({ id: 'e1', change: 'edited' });
    expect(ReplayOf.parse({ id: 'e1' })).toEqual({ id: 'e1' });
  });
});
