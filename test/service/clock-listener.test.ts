import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClockControl } from '../../main/service/fault-injection/clock-control.ts';
import { startClockListener } from '../../main/service/fault-injection/clock-listener.ts';
import { createStoreUnavailableError } from '../../main/service/stores/account-store.ts';
import { startWithClock } from './support/clock-service.ts';
import { START_MS, ada } from './support/make-service.ts';

describe('the listener that moves the clock', () => {
  it('answers no other host, and no page, not even one of its own address', async () => {
    const { clock } = (await startWithClock({ file: ':memory:' })).service;
    if (!clock) throw new Error('It has no clock');
    const listener = await startClockListener(clock);
    onTestFinished(() => listener.close());
    const { host, origin } = new URL(listener.url);
    const statusWith = async (headers: Record<string, string>) => {
      const all = { authorization: `Bearer ${listener.key}`, host, ...headers };
      const [answer] = (await once(request(listener.url, { headers: all }).end(), 'response')) as [IncomingMessage];
      return answer.resume().statusCode;
    };
    expect(await statusWith({})).toBe(200);
    for (const headers of [{ origin }, { origin: 'null' }, { host: 'evil.test' }, { host: `evil.test:80` }]) {
      expect([headers, await statusWith(headers)]).toEqual([headers, 403]);
    }
  });

  type Sent = { key?: string; headers?: Record<string, string>; body?: string; method?: string; path?: string };

  async function listen() {
    const service = await startWithClock({ file: ':memory:' });
    const { clock } = service.service;
    if (!clock) throw new Error('It has no clock');
    const listener = await startClockListener(clock);
    onTestFinished(() => listener.close());
    return {
      ...service,
      ask: async ({ key = listener.key, headers = {}, body, method = 'POST', path = '' }: Sent) => {
        const answer = await fetch(listener.url + path, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body }),
        });
        return { status: answer.status, body: (await answer.json()) as unknown };
      },
    };
  }

  it('tells a fault of ours, and a database that is away, from a request that is wrong', async () => {
    const failing = (error: Error): ClockControl => ({
      get: () => ({ nowMs: START_MS, aheadMs: 0 }),
      async move() {
        throw error;
      },
    });
    const statuses = async (error: Error): Promise<number[]> => {
      const listener = await startClockListener(failing(error));
      onTestFinished(() => listener.close());
      const headers = { authorization: `Bearer ${listener.key}`, 'content-type': 'application/json' };
      const bodies = ['{"to":"now"}', '{"to"', '{"to":"then"}'];
      const found: number[] = [];
      for (const body of bodies) found.push((await fetch(listener.url, { method: 'POST', headers, body })).status);
      return found;
    };
    expect(await statuses(new Error('of ours'))).toEqual([500, 400, 422]);
    expect(await statuses(createStoreUnavailableError('unreachable', undefined))).toEqual([503, 400, 422]);
  });

  it('says the time, and moves it', async () => {
    const { ask, token, post } = await listen();
    const at = (aheadSeconds: number) => ({
      status: 200,
      body: { now: new Date(START_MS + aheadSeconds * 1000).toISOString(), aheadSeconds },
    });
    expect(await ask({ method: 'GET' })).toEqual(at(0));
    expect(await ask({ body: '{"advanceSeconds":60}' })).toEqual(at(60));
    expect(await ask({ body: '{"advanceSeconds":0.5}' })).toEqual(at(60.5));
    await post('registro', ada);
    await token();
    expect(await ask({ body: '{"to":"newest-token-end"}' })).toEqual(at(3660.5));
    expect(await ask({ body: '{"to":"now"}' })).toEqual(at(0));
  });

  it('answers bad input with one sentence, and moves nothing', async () => {
    const { ask, ahead } = await listen();
    const huge = '9'.repeat(400);
    for (const [sent, status] of [
      [{ key: 'guess', body: '{"advanceSeconds":60}' }, 401],
      [{ key: '', body: '{"advanceSeconds":60}' }, 401],
      [{ method: 'GET', key: 'guess' }, 401],
      [{ body: '{"advanceSeconds":-1}' }, 422],
      [{ body: '{"advanceSeconds":0}' }, 422],
      [{ body: `{"advanceSeconds":${huge}}` }, 422],
      [{ body: '{"advanceSeconds":3153600001}' }, 422],
      [{ body: '{"advanceSeconds":"60"}' }, 422],
      [{ body: '{"advanceSeconds":null}' }, 422],
      [{ body: '{"advanceSeconds":60,"to":"now"}' }, 422],
      [{ body: '{"to":"then"}' }, 422],
      [{ body: '{"__proto__":{"to":"now"}}' }, 400],
      [{ body: '[]' }, 422],
      [{ body: 'tomorrow' }, 400],
      [{ body: 'to=now', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
      [{ body: JSON.stringify({ to: huge.repeat(10) }) }, 413],
      [{ body: '{"to":"newest-token-end"}' }, 409],
      [{ method: 'DELETE' }, 404],
      [{ method: 'GET', path: '/../x' }, 404],
    ] as const) {
      const answer = await ask(sent);
      expect([sent, answer.status]).toEqual([sent, status]);
      expect(Object.keys(answer.body as object)).toEqual(['message']);
    }
    expect(ahead()).toBe(0);
  });
});
