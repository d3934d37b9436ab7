import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MOST_AHEAD_MS } from '../../main/service/fault-injection/clock-control.ts';
import { startExtendedService } from '../../main/service/fault-injection/extended-service.ts';
import { startWithClock } from './support/clock-service.ts';
import { ada, START_MS } from './support/make-service.ts';
import { folder } from './support/serve-process.ts';

const MINUTE_MS = 60_000;
const wrong = { email: ada.email, password: 'not the one' };

describe('a clock that can be moved', () => {
  const makeDatabase = () => ({ file: join(folder(), 'service.sqlite') });

  it('ends a token at its end, made before the clock was moved or after, and not a second earlier', async () => {
    const service = await startWithClock(makeDatabase());
    await service.post('registro', ada);
    const before = await service.token();
    await service.move(30 * MINUTE_MS);
    const after = await service.token();
    await service.move(30 * MINUTE_MS - 1000);
    expect([await service.statusOf(before), await service.statusOf(after)]).toEqual([200, 200]);
    await service.move(1000);
    expect([await service.statusOf(before), await service.statusOf(after)]).toEqual([401, 200]);
    expect(await service.to('newest-token-end')).toMatchObject({ ok: true, clock: { aheadMs: 90 * MINUTE_MS } });
    expect([await service.statusOf(before), await service.statusOf(after)]).toEqual([401, 401]);
    expect(await service.to('newest-token-end')).toEqual({ ok: false, kind: 'no-token' });
    // Back at now, the end of both is still to come.
    await service.to('now');
    expect([await service.statusOf(before), await service.statusOf(after)]).toEqual([200, 200]);
  });

  it('ends the windows of limits on time', async () => {
    const service = await startWithClock(makeDatabase());
    await service.post('registro', ada);
    const statuses = async (count: number) => {
      const all: number[] = [];
      for (let done = 0; done < count; done += 1) all.push((await service.login(wrong)).status);
      return all;
    };
    expect(await statuses(6)).toEqual([401, 401, 401, 401, 401, 429]);
    await service.move(MINUTE_MS - 20_000);
    const refused = await service.login();
    expect(refused.status).toBe(429);
    // The rest of a window is counted by a clock that goes on.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(15);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
    await service.move(20_000);
    expect((await service.login()).status).toBe(200);
  });

  it('goes no further than a hundred years, and says what it would not do', async () => {
    const service = await startWithClock(makeDatabase());
    const { clock } = service.service;
    expect(await clock?.move({ advanceMs: MOST_AHEAD_MS + 1 })).toEqual({ ok: false, kind: 'too-far' });
    await service.move(MOST_AHEAD_MS);
    expect(await clock?.move({ advanceMs: 1 })).toEqual({ ok: false, kind: 'too-far' });
    expect(service.ahead()).toBe(MOST_AHEAD_MS);
    await service.post('registro', ada);
    expect(await service.statusOf(await service.token())).toBe(200);
    expect(await service.to('now')).toMatchObject({ ok: true, clock: { aheadMs: 0, nowMs: START_MS } });
  });

  it('is at now again after a start, with tokens of the time ahead', async () => {
    const database = makeDatabase();
    const first = await startWithClock(database);
    await first.post('registro', ada);
    await first.move(1000 * 24 * 60 * MINUTE_MS);
    const token = await first.token();
    await first.service.close();
    const second = await startWithClock(database);
    expect([second.ahead(), await second.statusOf(token)]).toEqual([0, 200]);
    expect((await second.login()).status).toBe(200);
  });

  it('dates its answers by its own time', async () => {
    const service = await startWithClock({ file: ':memory:' });
    await service.move(MINUTE_MS);
    const { headers } = await service.login();
    expect(headers.get('date')).toBe(new Date(START_MS + MINUTE_MS).toUTCString());
  });

  it('is not moved while another program has the file open, and keeps others out while it is ahead', async () => {
    const file = join(folder(), 'service.sqlite');
    const first = await startWithClock({ file }, { clock: undefined });
    await first.service.close();
    const other = await startOther(file);
    const service = await startWithClock({ file });
    expect(await service.service.clock?.move({ advanceMs: 1 })).toEqual({ ok: false, kind: 'shared' });
    expect((await service.post('registro', ada)).status).toBe(201);
    await other.end();

    await service.move(1);
    const late = await startOther(file);
    expect(await late.write()).toContain('locked');
    expect(await service.statusOf(await service.token())).toBe(200);
    await service.to('now');
    expect(await late.write()).toBe('wrote');
    expect((await service.login()).status).toBe(200);

    // A second time is as the first.
    await late.end();
    await service.move(1);
    const last = await startOther(file);
    expect(await last.write()).toContain('locked');
    await service.to('now');
    expect(await last.write()).toBe('wrote');
  });
});

/** Starts a process with the file open, which writes when it is told to. */
async function startOther(file: string) {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 });
    const write = () => {
      try {
        db.exec('UPDATE accounts SET updated_at_ms = updated_at_ms + 1');
        return 'wrote';
      } catch (error) {
        return error.message;
      }
    };
    process.stdin.on('data', () => console.log(write()));
    process.stdin.on('end', () => process.exit());
    try {
      db.prepare('SELECT count(*) FROM accounts').get();
    } catch {}
    console.log('open');`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const line = async () => String((await once(child.stdout, 'data'))[0]).trim();
  await line();
  const write = async (): Promise<string> => {
    child.stdin.write('x');
    return line();
  };
  return {
    write,
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

it.each([
  ['a clock that can be moved', { clock: true }],
  ['something wrong on purpose', { faultInjection: {} }],
] as const)('a PostgreSQL, which others may share, gets no service with %s', async (_what, options) => {
  // Nothing listens there: what is refused was not even asked for.
  const database = { url: 'postgres://ada@127.0.0.1:1/none' };
  expect(await startExtendedService({ database, port: 0, ...options })).toMatchObject({
    ok: false,
    kind: 'shared-database',
  });
});
