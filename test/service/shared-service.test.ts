import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { loosestBeyondLoopback } from '../../main/service/limits.ts';
import { startService, type ServiceOptions } from '../../main/service/server.ts';
import { makeCertificate } from '../support/certificates.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';

const certificate = makeCertificate({ commonName: 'team.test', names: ['team.test', '127.0.0.1'] });
const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) };
let log: string[] = [];
afterEach(() => (log = []));

async function start(options: Partial<ServiceOptions> = {}) {
  const started = await startService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    log: (line) => log.push(line),
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return started.service;
}

type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: unknown; secure?: boolean };

/** Sends one request to a port of this computer, whatever its Host header says. */
async function ask(port: number, { method = 'GET', path = '/api/v1/auth/perfil', headers = {}, body, secure }: Sent) {
  const send = secure ? secureRequest : plainRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
    const outgoing = send({ host: '127.0.0.1', port, method, path, headers: all, ca: certificate.cert }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('a service shared by a team', () => {
  it('answers for the names it was given and for loopback, and for no other', async () => {
    const { port, baseUrl } = await start({ listen: '0.0.0.0', allowHosts: ['team.test', '[2001:db8::1]'] });
    expect(baseUrl).toBe(`http://team.test:${port}`);
    for (const host of ['team.test', `TEAM.test:${port}`, '[2001:db8::1]:80', 'localhost'])
      expect([host, (await ask(port, { headers: { host } })).status]).toEqual([host, 401]);
    for (const host of ['teamXtest', 'evil.team.test', 'team.test.evil', '10.0.0.1', '[2001:db8::2]'])
      expect([host, (await ask(port, { headers: { host } })).status]).toEqual([host, 421]);
  });

  it('speaks TLS with the files it was given, and counts its own origin as such', async () => {
    const { port, baseUrl } = await start({ listen: '0.0.0.0', allowHosts: ['team.test'], tls });
    expect(baseUrl).toBe(`https://team.test:${port}`);
    const host = `team.test:${port}`;
    const asking = (origin: string) => ask(port, { secure: true, headers: { host, origin } });
    expect((await asking(`https://${host}`)).status).toBe(401);
    expect((await asking(`http://${host}`)).status).toBe(403);
    const slow = ask(port, { headers: { host } });
    await expect(slow).rejects.toThrow();
  });

  it('does not start with files that are no certificate and key, and leaves nothing open', async () => {
    const other = makeCertificate({ commonName: 'another key' });
    for (const bad of [
      { cert: Buffer.from('notes'), key: tls.key },
      { cert: tls.cert, key: Buffer.from(other.key) },
    ]) {
      expect(await startService({ database: { file: ':memory:' }, port: 0, tls: bad })).toEqual({
        ok: false,
        kind: 'tls-unusable',
        message: 'The TLS files do not contain a certificate and its key in PEM format.',
      });
    }
  });

  it('says so when the address to listen on is not this computer’s', async () => {
    expect(
      await startService({ database: { file: ':memory:' }, port: 0, listen: '192.0.2.1', allowHosts: ['a.test'] }),
    ).toMatchObject({
      ok: false,
      kind: 'address-not-here',
      message: 'This computer has no address 192.0.2.1 to listen on.',
    });
  });
});

describe('who a client is', () => {
  const wrong = { email: ada.email, password: 'not the one' };
  const login = (port: number, forwarded: string) =>
    ask(port, { method: 'POST', path: '/api/v1/auth/login', headers: { 'x-forwarded-for': forwarded }, body: wrong });
  const limits = { login: { most: 1, windowSeconds: 60 } };

  it('is not for a header to say, unless it comes from a trusted proxy', async () => {
    const { port } = await start({ limits });
    expect((await login(port, '203.0.113.1')).status).toBe(401);
    expect((await login(port, '203.0.113.2')).status).toBe(429);
    const behind = await start({ limits, trustedProxies: ['127.0.0.0/8'] });
    expect((await login(behind.port, '203.0.113.1')).status).toBe(401);
    expect((await login(behind.port, '203.0.113.2')).status).toBe(401);
    expect((await login(behind.port, '203.0.113.1')).status).toBe(429);
    // The client itself wrote the first address, before the proxy added its own.
    expect((await login(behind.port, '198.51.100.9, 203.0.113.2')).status).toBe(429);
  });
});

describe('limits beyond loopback', () => {
  const most = loosestBeyondLoopback;
  const limits = {
    login: { most: most.login, windowSeconds: 60 },
    registration: { most: most.registration, windowSeconds: 60 },
    client: { most: most.client, windowSeconds: 60 },
  };
  const beyond = { database: { file: ':memory:' }, port: 0, listen: '0.0.0.0', allowHosts: ['double.test'] };

  it.each([
    ['off', { rateLimit: 'off' }],
    ['one more login', { limits: { ...limits, login: { most: most.login + 1, windowSeconds: 60 } } }],
    ['as many logins a second', { limits: { ...limits, login: { most: most.login, windowSeconds: 1 } } }],
    ['no number of registrations', { limits: { registration: { most: Infinity, windowSeconds: 60 } } }],
    ['attempts without a window', { limits: { client: { most: 1, windowSeconds: 0 } } }],
    ['not even a number', { limits: { client: { most: Number.NaN, windowSeconds: 60 } } }],
    ['one more connection', { connectionsPerClient: most.connectionsPerClient + 1 }],
  ] as const)('are not %s', async (_what, looser) => {
    for (const listen of ['0.0.0.0', '::', '::ffff:127.0.0.1', '192.0.2.1']) {
      expect(await startService({ ...beyond, ...looser, listen })).toMatchObject({
        ok: false,
        kind: 'limits-beyond-loopback',
      });
    }
  });

  it('may be as loose as that', async () => {
    const loosest = { ...beyond, limits, connectionsPerClient: most.connectionsPerClient };
    expect((await start(loosest)).port).toBeGreaterThan(0);
  });
});

describe('the log of requests', () => {
  it('has a line for each answer with its id and route, and nothing a client chose', async () => {
    const { port } = await start({ logRequests: true });
    const secret = '1|abcdefghijklmnopqrstuvwxyz';
    await ask(port, { path: `/api/v1/auth/perfil?token=${secret}`, headers: { authorization: `Bearer ${secret}` } });
    await ask(port, { path: `/reset/${secret}` });
    await expect.poll(() => log.length).toBe(2);
    expect(log[0]).toMatch(/^[0-9a-f]{8}-1 GET \/api\/v1\/auth\/perfil 401 \d+ ms$/);
    expect(log[1]).toMatch(/^[0-9a-f]{8}-2 GET no route 404 \d+ ms$/);
  });
});
