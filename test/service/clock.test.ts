import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listenForClock } from '../../main/service/clock/control-listener.ts';
import { MOST_AHEAD_MS } from '../../main/service/clock/clock-control.ts';
import { startService, type ServiceOptions } from '../../main/service/server.ts';
import { ada, cheapArgon2, START_MS } from './support/make-service.ts';
import { folder } from './support/serve-process.ts';
import { freshDatabase, realServer, sql, startPglite } from './stores/postgres/databases.ts';

vi.setConfig({ testTimeout: 30_000 });

const MINUTE_MS = 60_000;
const wrong = { email: ada.email, password: 'not the one' };

/** Starts the service on a clock that stands by itself, so that only a move takes it anywhere. */
async function start(database: ServiceOptions['database'], more: Partial<ServiceOptions> = {}) {
  const started = await startService({
    database,
    port: 0,
    argon2: cheapArgon2,
    clock: 'from-start',
    now: () => START_MS,
    tokenLifetimeSeconds: 3600,
    ...more,
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  const { clock } = service;
  const url = (path: string): string => `${service.baseUrl}/api/v1/auth/${path}`;
  const post = (path: string, body: unknown) =>
    fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const login = (credentials: { email: string; password: string } = ada) =>
    post('login', { email: credentials.email, password: credentials.password });
  return {
    service,
    post,
    login,
    move: async (advanceMs: number) => {
      expect(await clock?.move({ advanceMs })).toMatchObject({ ok: true });
    },
    to: (to: 'newest-token-end' | 'now') => clock?.move({ to }),
    ahead: () => clock?.get().aheadMs,
    token: async (): Promise<string> => {
      const { token } = (await (await login()).json()) as { token: string };
      return token;
    },
    statusOf: async (token: string): Promise<number> =>
      (await fetch(url('perfil'), { headers: { authorization: `Bearer ${token}` } })).status,
  };
}

/** What must hold on every database. */
function livesByItsClock(makeDatabase: () => Promise<ServiceOptions['database']>): void {
  it('ends a token at its end, made before the clock was moved or after, and not a second earlier', async () => {
    const service = await start(await makeDatabase());
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
    const service = await start(await makeDatabase());
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
    // The rest of a SQLite window is counted by a clock that goes on.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(15);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
    await service.move(20_000);
    expect((await service.login()).status).toBe(200);
  });

  it('locks nobody out by attempts of a time ahead', async () => {
    const service = await start(await makeDatabase());
    await service.post('registro', ada);
    for (const ahead of [30_000, MINUTE_MS, 400 * 24 * 60 * MINUTE_MS]) {
      await service.move(ahead);
      for (const status of [401, 401, 401, 401, 401, 429]) expect((await service.login(wrong)).status).toBe(status);
      await service.to('now');
      expect([ahead, (await service.login()).status]).toEqual([ahead, 200]);
    }
  });

  it('goes no further than a hundred years, and says what it would not do', async () => {
    const service = await start(await makeDatabase());
    const { clock } = service.service;
    expect(await clock?.move({ advanceMs: MOST_AHEAD_MS + 1 })).toEqual({ ok: false, kind: 'too-far' });
    await service.move(MOST_AHEAD_MS);
    expect(await clock?.move({ advanceMs: 1 })).toEqual({ ok: false, kind: 'too-far' });
    expect(service.ahead()).toBe(MOST_AHEAD_MS);
    await service.post('registro', ada);
    expect(await service.statusOf(await service.token())).toBe(200);
    expect(await service.to('now')).toMatchObject({ ok: true, clock: { aheadMs: 0, nowMs: START_MS } });
  });
}

describe('a clock that can be moved, on SQLite', () => {
  livesByItsClock(async () => ({ file: join(folder(), 'service.sqlite') }));

  it('is at now again after a start, with tokens of the time ahead', async () => {
    const database = { file: join(folder(), 'service.sqlite') };
    const first = await start(database);
    await first.post('registro', ada);
    await first.move(1000 * 24 * 60 * MINUTE_MS);
    const token = await first.token();
    await first.service.close();
    const second = await start(database);
    expect([second.ahead(), await second.statusOf(token)]).toEqual([0, 200]);
    expect((await second.login()).status).toBe(200);
  });

  it('dates its answers by its own time', async () => {
    const service = await start({ file: ':memory:' });
    await service.move(MINUTE_MS);
    const { headers } = await service.login();
    expect(headers.get('date')).toBe(new Date(START_MS + MINUTE_MS).toUTCString());
  });

  it('is refused while another program has the file open, and keeps others out while it can be moved', async () => {
    const file = join(folder(), 'service.sqlite');
    const first = await start({ file }, { clock: undefined });
    await first.service.close();
    const other = await startOther(file);
    const refused = await startService({ database: { file }, port: 0, clock: 'from-start' });
    expect(refused).toMatchObject({ ok: false, kind: 'clock-shared' });
    expect(await other.write()).toBe('wrote');
    // One that asks only when it is moved starts beside it.
    const service = await start({ file }, { clock: 'when-moved' });
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

describe('a clock that can be moved, on PostgreSQL', () => {
  let pglite: Awaited<ReturnType<typeof startPglite>> | undefined;
  beforeAll(async () => {
    // It stands in for a real server where there is none.
    if (!realServer) pglite = await startPglite();
  });
  afterAll(() => pglite?.stop());
  livesByItsClock(async () => {
    if (!pglite) return { url: await freshDatabase() };
    await pglite.empty();
    return { url: `${pglite.url}?sslmode=disable`, connections: 1 };
  });
});

describe.skipIf(!realServer)('a clock that can be moved, beside other instances on PostgreSQL', () => {
  it('is refused beside another instance, which is refused beside it', async () => {
    const url = await freshDatabase();
    const ordinary = { database: { url }, port: 0, argon2: cheapArgon2 };
    const first = await startService(ordinary);
    if (!first.ok) throw new Error(first.message);
    expect(await startService({ ...ordinary, clock: 'from-start' })).toMatchObject({ ok: false, kind: 'clock-shared' });
    await first.service.close();
    const moved = await start({ url });
    expect(await startService(ordinary)).toMatchObject({ ok: false, kind: 'in-use' });
    await moved.service.close();
    const again = await startService(ordinary);
    expect(again.ok).toBe(true);
    if (again.ok) await again.service.close();
  });

  it('is back at now once the connection that keeps others out is lost, and can be moved again', async () => {
    const url = await freshDatabase();
    const service = await start({ url });
    await service.move(MINUTE_MS);
    await sql(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await expect.poll(service.ahead).toBe(0);
    await service.move(MINUTE_MS);
    expect(service.ahead()).toBe(MINUTE_MS);
  });

  it('leaves no rows behind by which an instance without it locks anybody out', async () => {
    const url = await freshDatabase();
    const moved = await start({ url }, { now: Date.now });
    await moved.post('registro', ada);
    await moved.move(MINUTE_MS);
    for (const status of [401, 401, 401, 401, 401, 429]) expect((await moved.login(wrong)).status).toBe(status);
    await moved.service.close();
    const ordinary = await startService({ database: { url }, port: 0, argon2: cheapArgon2 });
    if (!ordinary.ok) throw new Error(ordinary.message);
    onTestFinished(() => ordinary.service.close());
    const answer = await fetch(`${ordinary.service.baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    });
    expect(answer.status).toBe(200);
  });
});

describe('the listener that moves the clock', () => {
  type Sent = { key?: string; headers?: Record<string, string>; body?: string; method?: string; path?: string };

  async function listen() {
    const service = await start({ file: ':memory:' });
    const { clock } = service.service;
    if (!clock) throw new Error('It has no clock');
    const listener = await listenForClock(clock);
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
      [{ body: '{"advanceSeconds":60}', headers: { origin: 'http://127.0.0.1' } }, 403],
      [{ body: '{"advanceSeconds":60}', headers: { origin: 'null' } }, 403],
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
