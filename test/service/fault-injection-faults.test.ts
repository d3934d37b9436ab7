import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startExtendedService } from '../../main/service/fault-injection/extended-service.ts';
import { makeCertificate } from '../support/certificates.ts';
import { ada } from './support/make-service.ts';
import { openSocket, readAnswer } from './support/raw-socket.ts';
import { fault, startBuiltInServer } from './support/fault-injection.ts';

const request = (port: number, token: string): string =>
  `GET /api/v1/auth/perfil HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

describe('a service with faults', () => {
  it('answers 500 and 429 so many times, and then as ever', async () => {
    const { login, behaviour } = await startBuiltInServer({ faults: [fault('login:500:1'), fault('login:429=7:2')] });
    const failed = await login();
    expect([failed.status, Object.keys((await failed.json()) as object)]).toEqual([500, ['message', 'request_id']]);
    for (const left of [1, 0]) {
      const throttled = await login();
      expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '7']);
      expect(behaviour.get().left).toEqual([0, left]);
    }
    expect((await login()).status).toBe(200);
  });

  it('does not do what it answers 500 and 429 to', async () => {
    const { post } = await startBuiltInServer({ faults: [fault('registro:500:1'), fault('registro:429:1')] });
    const eve = { ...ada, email: 'eve@example.test' };
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await post('registro', eve)).status);
    expect(statuses).toEqual([500, 429, 201]);
  });

  it('calls a token expired that lives on', async () => {
    const { perfil, salir, token } = await startBuiltInServer({
      faults: [fault('profile:expired:1'), fault('logout:expired:1')],
    });
    const refused = await perfil(token);
    expect([refused.status, refused.headers.get('www-authenticate'), await refused.json()]).toEqual([
      401,
      'Bearer',
      { message: 'Unauthenticated.' },
    ]);
    expect((await perfil(token)).status).toBe(200);
    expect([(await salir(token)).status, (await salir(token)).status]).toEqual([401, 200]);
  });

  it('waits as long as it is told', async () => {
    const { perfil, token } = await startBuiltInServer({ faults: [fault('profile:latency=120:1')] });
    const startedAt = performance.now();
    expect((await perfil(token)).status).toBe(200);
    // By another clock, timers may fire a little early.
    expect(performance.now() - startedAt).toBeGreaterThan(110);
  });

  it('closes in time although a request still waits', async () => {
    const { perfil, token, service } = await startBuiltInServer(
      { faults: [fault('profile:latency=60000:1')] },
      { closeWithinMs: 1000 },
    );
    const waiting = perfil(token).then(
      ({ status }) => status,
      () => 'lost',
    );
    await expect.poll(() => service.faultInjection?.get().left).toEqual([0]);
    const startedAt = performance.now();
    await service.close();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect([200, 'lost']).toContain(await waiting);
  });

  it('resets the connection without a byte of an answer, after it did what was asked', async () => {
    const { service, behaviour, post, token } = await startBuiltInServer({ faults: [fault('profile:reset:1')] });
    const socket = await openSocket(service.port);
    socket.write(request(service.port, token));
    expect(await socket.untilClosed()).toBe('');

    behaviour.set({ faults: [fault('registro:reset:1')] });
    const eve = { ...ada, email: 'eve@example.test' };
    await expect(post('registro', eve)).rejects.toThrow('fetch failed');
    expect((await post('registro', eve)).status).toBe(422);
    expect((await post('login', eve)).status).toBe(200);
  });

  it('breaks the body off in the middle of what it announced', async () => {
    const { service, token } = await startBuiltInServer({ faults: [fault('profile:truncated:1')] });
    const socket = await openSocket(service.port);
    socket.write(request(service.port, token));
    const [head = '', body = ''] = (await socket.untilClosed()).split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(body.length).toBe(Math.floor(length / 2));
    expect(body).toMatch(/^\{"id":1,/);
  });

  it('answers a page of HTML in the place of JSON', async () => {
    const { perfil, token } = await startBuiltInServer({
      faults: [fault('profile:html:1'), fault('profile:html=200:1')],
    });
    for (const status of [502, 200]) {
      const page = await perfil(token);
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      expect(await page.text()).toMatch(/^<html>/);
    }
    expect((await perfil(token)).status).toBe(200);
  });

  it('drips the body byte by byte, whole in the end', async () => {
    const { service, token } = await startBuiltInServer({ faults: [fault('profile:drip=1:1')] });
    const socket = await openSocket(service.port);
    socket.write(request(service.port, token));
    await socket.until(/\r\n\r\n\{"id":1,$/);
    const whole = readAnswer(await socket.until(/\}$/));
    expect([whole.status, whole.body]).toMatchObject([200, { id: 1, email: ada.email }]);
    // The connection is as good as ever.
    socket.write(request(service.port, token));
    await socket.until(/\}HTTP\/1\.1 200 OK/);
  });

  it('speaks its dialect in a fault too', async () => {
    const { login, perfil, token } = await startBuiltInServer({
      dialect: 'nestjs',
      faults: [fault('login:429=9:1'), fault('profile:expired:1')],
    });
    const throttled = await login();
    expect([throttled.headers.get('x-ratelimit-reset'), throttled.headers.get('retry-after')]).toEqual(['9', null]);
    expect(await (await perfil(token)).json()).toMatchObject({ statusCode: 401 });
  });

  it('follows what was set last, from the next request on', async () => {
    const { perfil, token, behaviour } = await startBuiltInServer({ faults: [fault('profile:500:100')] });
    expect(behaviour.get()).toMatchObject({ isOn: true, defects: [], left: [100] });
    expect((await perfil(token)).status).toBe(500);
    expect(behaviour.set({ defects: ['password-hash-in-profile'] }).left).toEqual([99]);
    expect(behaviour.set({ faults: [] })).toMatchObject({ isOn: true, left: [] });
    expect(await (await perfil(token)).json()).toHaveProperty('password_hash');
    expect(behaviour.set({ defects: [] }).isOn).toBe(false);
    expect(await (await perfil(token)).json()).not.toHaveProperty('password_hash');
  });

  it.each([
    ['profile:reset:1', /^$/],
    ['profile:truncated:1', /^HTTP\/1\.1 401 [^]*\r\n\r\n\{"message":"Una$/],
  ])('cuts connections over TLS too: %s', async (text, received) => {
    const { cert, key } = makeCertificate({ commonName: 'server', names: ['127.0.0.1'] });
    const tls = { cert: Buffer.from(cert), key: Buffer.from(key) };
    const { service } = await startBuiltInServer({ faults: [fault(text)] }, { isEmpty: true, tls });
    const socket = connect({ port: service.port, host: '127.0.0.1', ca: cert });
    onTestFinished(() => void socket.destroy());
    let bytes = '';
    socket.setEncoding('utf8').on('data', (part: string) => (bytes += part));
    socket.on('error', () => {});
    socket.write(request(service.port, 'none'));
    await new Promise((settle) => socket.once('close', settle));
    expect(bytes).toMatch(received);
  });

  it('answers a request as was decided when it came', async () => {
    const { post, behaviour } = await startBuiltInServer({
      dialect: 'tutorial',
      faults: [fault('register:latency=100:1')],
    });
    const answered = post('register', {});
    await expect.poll(() => behaviour.get().left).toEqual([0]);
    behaviour.set({ dialect: undefined, faults: [] });
    expect(await (await answered).json()).toMatchObject({ name: ['El campo nombre es obligatorio.'] });
    expect(await (await post('register', {})).json()).toHaveProperty('message');
  });

  it('has no fault for what is no operation, nor for who asks under a foreign name', async () => {
    const { service } = await startBuiltInServer({ faults: [fault('profile:500:1.0')], dialect: 'spring' });
    expect(await (await fetch(`${service.baseUrl}/health`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${service.baseUrl}/api/v1/auth/nothing`)).status).toBe(404);
    const socket = await openSocket(service.port);
    socket.write('GET /api/v1/auth/perfil HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n');
    expect(await socket.untilClosed()).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('listens on loopback only', async () => {
    const options = { database: { file: ':memory:' }, port: 0, allowHosts: ['a.test'], listen: '0.0.0.0' };
    const started = await startExtendedService({ ...options, faultInjection: {} });
    expect(started).toMatchObject({ ok: false, kind: 'behaviour-beyond-loopback' });
  });
});

describe('the log of requests', () => {
  it('holds the last ones, the newest first, without anything that a client chose', async () => {
    const { service, behaviour, perfil, login, token } = await startBuiltInServer();
    expect(behaviour.requests()).toEqual([]);
    behaviour.set({ keepRequests: 3 });
    await login();
    await perfil(token);
    await perfil('9|secret');
    await fetch(`${service.baseUrl}/api/v1/auth/${token}?token=${token}`);
    await expect.poll(() => behaviour.requests().length).toBe(3);
    const logged = behaviour.requests();
    expect(logged.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', null, 404],
      ['GET', '/api/v1/auth/perfil', 401],
      ['GET', '/api/v1/auth/perfil', 200],
    ]);
    expect(new Set(logged.map(({ id }) => id)).size).toBe(3);
    const text = JSON.stringify(logged);
    for (const secret of [token, token.split('|')[1]!, ada.password, ada.email]) expect(text).not.toContain(secret);
    behaviour.clearRequests();
    expect(behaviour.requests()).toEqual([]);
  });

  it('holds those that were cut too, and what was done to them', async () => {
    const { behaviour, perfil, token } = await startBuiltInServer({
      keepRequests: 10,
      faults: [fault('profile:latency=1:1'), fault('profile:reset:1'), fault('profile:truncated:1')],
    });
    await expect(perfil(token)).rejects.toThrow();
    await expect(perfil(token).then((response) => response.text())).rejects.toThrow();
    await expect.poll(() => behaviour.requests().length).toBe(2);
    expect(behaviour.requests().map(({ status, faults }) => ({ status, faults }))).toEqual([
      { status: 200, faults: ['truncated'] },
      { status: null, faults: ['latency', 'reset'] },
    ]);
  });

  it('keeps no more than it may', async () => {
    const { createRequestLog, MOST_LOGGED } = await import('../../main/service/fault-injection/request-log.ts');
    const log = createRequestLog();
    const entry = { id: 'x', atMs: 0, method: 'GET', route: null, status: 200, durationMs: 0, faults: [] };
    log.add(entry);
    expect(log.list()).toEqual([]);
    log.setCapacity(5);
    for (let atMs = 0; atMs < 100; atMs += 1) log.add({ ...entry, atMs });
    expect(log.list().map(({ atMs }) => atMs)).toEqual([99, 98, 97, 96, 95]);
    log.setCapacity(2);
    expect(log.list().map(({ atMs }) => atMs)).toEqual([99, 98]);
    log.setCapacity(1e9);
    for (let atMs = 0; atMs < MOST_LOGGED + 10; atMs += 1) log.add(entry);
    expect(log.list()).toHaveLength(MOST_LOGGED);
    log.setCapacity(0);
    expect([log.isOn(), log.list()]).toEqual([false, []]);
  });
});
