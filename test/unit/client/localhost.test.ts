import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionSettings } from '../../../preload/contract/connection.ts';
import { createClient } from '../../../main/client/client.ts';
import { createTransport, type TransportOptions } from '../../../main/client/transport.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { answer, startRecordingServer, type RecordingServer } from '../../support/recording-server.ts';

const token = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const person = { email: 'ana@example.test', password: 'contraseña 123' };
const both = ['127.0.0.1', '::1'] as const;
const other = { '127.0.0.1': '::1', '::1': '127.0.0.1' } as const;

/**
 * Finds a port that is free on both addresses. One that the system gives is free on the address that was asked for
 * alone, and another test may have it on the other. Below 32768 Linux gives none, so nobody takes it meanwhile.
 */
async function portOfBoth(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const tried = await Promise.allSettled(
    both.map((host) => startRecordingServer(() => undefined, undefined, { host, port })),
  );
  const started = tried.filter((each) => each.status === 'fulfilled');
  await Promise.all(started.map(({ value }) => value.close()));
  return started.length === both.length ? port : portOfBoth();
}

async function startAt(host: string, given?: number): Promise<RecordingServer> {
  const port = given ?? (await portOfBoth());
  const server = await startRecordingServer(() => answer(200, { token, user: { id: 7 } }), undefined, { host, port });
  onTestFinished(() => server.close());
  return server;
}

function clientOf(port: number, options: TransportOptions = {}, host = 'localhost') {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return createClient({ transport, baseUrl: `http://${host}:${port}` });
}

describe('localhost', () => {
  it.each(both)('is found where a server listens on %s only, and the result says so', async (address) => {
    const server = await startAt(address);
    expect(await clientOf(server.port).login(person)).toMatchObject({ ok: true, loopbackAddress: address });
    expect(await clientOf(server.port, {}, 'app.localhost').login(person)).toMatchObject({ ok: true });
    expect(server.requests).toHaveLength(2);
  });

  it('is refused by both addresses by name', async () => {
    const server = await startAt('127.0.0.1');
    await server.close();
    expect(await clientOf(server.port).login(person)).toEqual({
      ok: false,
      error: {
        kind: 'refused',
        host: `localhost:${server.port}`,
        addresses: [`127.0.0.1:${server.port}`, `[::1]:${server.port}`],
      },
    });
  });

  it('asks no resolver', async () => {
    const server = await startAt('127.0.0.1');
    const lookup = (): never => expect.unreachable('a name was looked up');
    expect(await clientOf(server.port, { lookup }).login(person)).toMatchObject({ ok: true });
  });

  it.each(both)('gets a token of %s there alone, also when only the other still listens', async (address) => {
    const server = await startAt(address);
    const client = clientOf(server.port);
    const login = await client.login(person);
    await server.close();
    const intruder = await startAt(other[address], server.port);
    expect(login).toMatchObject({ ok: true, loopbackAddress: address });

    for (const operation of ['profile', 'logout'] as const) {
      expect(await client[operation]({ token }, undefined, address)).toMatchObject({
        ok: false,
        error: { kind: 'refused', addresses: [expect.stringContaining(address)] },
      });
    }
    expect(intruder.connections()).toBe(0);
  });

  it.each(both)('gets a token of %s there alone, also when both listen and a connection is idle', async (address) => {
    const server = await startAt(address);
    const intruder = await startAt(other[address], server.port);
    const client = clientOf(server.port);
    await client.login(person);
    await client.profile({ token: '1|no-secret' });
    const before = intruder.requests.length;

    const answered = await client.profile({ token }, undefined, address);
    expect(answered).toMatchObject({ ok: true, loopbackAddress: address });
    expect(server.requests.at(-1)?.headers).toContainEqual(['Authorization', `Bearer ${token}`]);
    expect(intruder.requests).toHaveLength(before);
  });

  it('gets the token of a direct login directly, though a proxy was set since', async () => {
    const server = await startAt('127.0.0.1');
    const { proxy, asked } = await startHttpProxy();
    const connection = ConnectionSettings.parse({ proxy: { mode: 'manual', proxy } });
    const client = clientOf(server.port, { connection });
    expect(await client.profile({ token }, undefined, '127.0.0.1')).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });

  it('is no name for an address elsewhere', async () => {
    const server = await startAt('127.0.0.1');
    const client = clientOf(server.port);
    for (const address of ['192.0.2.1', '127.0.0.1.example.test', '']) {
      expect(await client.profile({ token }, undefined, address)).toMatchObject({
        error: { kind: 'unexpected', code: 'NOT_A_LOOPBACK_ADDRESS' },
      });
    }
    expect(server.connections()).toBe(0);
  });

  it('gives other hosts no address to keep', async () => {
    const server = await startAt('127.0.0.1');
    const result = await clientOf(server.port, {}, '127.0.0.1').login(person);
    expect(result).toMatchObject({ ok: true });
    expect(result).not.toHaveProperty('loopbackAddress');
  });
});
