import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  startExtendedService,
  type ExtendedServiceOptions,
} from '../../main/service/fault-injection/extended-service.ts';
import { cheapArgon2 } from './support/make-service.ts';
import { openSocket } from './support/raw-socket.ts';

async function start(options: Partial<ExtendedServiceOptions>) {
  const started = await startExtendedService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return started.service.port;
}

/** Opens connections one after the other, each of which says whether it was kept: then it is answered. */
async function open(port: number, count: number, host = '127.0.0.1') {
  const sockets = [];
  for (let index = 0; index < count; index += 1) sockets.push(await openSocket(port, host));
  return Promise.all(
    sockets.map(async (socket) => {
      socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return (await socket.until(/\{"status":"ok"\}/)) !== '';
    }),
  );
}

const kept = (states: boolean[]): number => states.filter(Boolean).length;

describe('the connections of one client', () => {
  it('are as many as it may have, and the next one is closed at once', async () => {
    const port = await start({ connectionsPerClient: 3 });
    expect(await open(port, 3)).toEqual([true, true, true]);
    const refused = await openSocket(port);
    expect(await refused.untilClosed()).toBe('');
  });

  it('are a hundred unless told otherwise, however many come at once', async () => {
    const port = await start({});
    const states = await Promise.all(Array.from({ length: 130 }, () => open(port, 1).catch(() => [false])));
    expect(kept(states.flat())).toBe(100);
  });

  it('leave room as they end, however they do', async () => {
    const port = await start({ connectionsPerClient: 1 });
    const isAnswered = async (): Promise<boolean> => {
      const socket = await openSocket(port);
      socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      return (await socket.untilClosed()).includes('"status":"ok"');
    };
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket[end]();
      await expect.poll(isAnswered).toBe(true);
      await expect.poll(isAnswered).toBe(true);
    }
  });

  it('carry any number of requests each', async () => {
    const port = await start({ connectionsPerClient: 1 });
    const socket = await openSocket(port);
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(300));
    socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect((await socket.untilClosed()).match(/"status":"ok"/g)).toHaveLength(300);
  });

  it('are counted for IPv4 and its IPv6 form together, and leave other clients alone', async () => {
    const port = await start({ listen: '::', allowHosts: ['double.test'], connectionsPerClient: 2 });
    const other = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    expect(await open(port, 2, '127.0.0.1')).toEqual([true, true]);
    expect(kept(await open(port, 2, '::ffff:127.0.0.1').catch(() => []))).toBe(0);
    expect(kept(await open(port, 2, '::1'))).toBe(2);
    // Where this computer has no other address, one of loopback stands for it.
    expect(kept(await open(port, 2, other?.address ?? '127.0.0.2'))).toBe(2);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', 3],
    ['127.0.0.0/8', '127.0.0.1', 3],
    ['127.0.0.0/8', '::ffff:127.0.0.1', 3],
    ['::1', '::1', 3],
    ['10.0.0.0/8', '127.0.0.1', 1],
    ['::1', '127.0.0.1', 1],
  ])('are not limited for a trusted proxy %s that comes from %s', async (proxy, host, count) => {
    const port = await start({
      listen: '::',
      allowHosts: ['double.test'],
      connectionsPerClient: 1,
      trustedProxies: [proxy],
    });
    expect(kept(await open(port, 3, host))).toBe(count);
  });
});
