import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ada } from './support/make-service.ts';
import { startBuiltInServer } from './support/fault-injection.ts';

/** Logs in and out on a connection of its own, which is closed afterwards. */
async function comeAndGo(baseUrl: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (path: string, headers: Record<string, string>, body?: object) => {
    const outgoing = request(`${baseUrl}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      agent,
    }).end(body && JSON.stringify(body));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return text(answer);
  };
  const { token } = z
    .object({ token: z.string() })
    .parse(JSON.parse(await send('login', {}, { email: ada.email, password: ada.password })));
  await send('salir', { authorization: `Bearer ${token}` });
  agent.destroy();
}

/** Collects what nothing holds any more. */
function makeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Returns weak references to the connections that servers of this process take from now on. */
function watchConnections(): WeakRef<object>[] {
  const connections: WeakRef<object>[] = [];
  // The channel gives `{ socket }` (https://nodejs.org/api/diagnostics_channel.html#net).
  const take = (message: unknown): void => void connections.push(new WeakRef((message as { socket: object }).socket));
  subscribe('net.server.socket', take);
  onTestFinished(() => void unsubscribe('net.server.socket', take));
  return connections;
}

it('what is remembered of a token that was logged out does not keep its connection', async () => {
  const collect = makeCollector();
  const { service } = await startBuiltInServer({}, { clients: 'watched' });
  const connections = watchConnections();
  for (let time = 0; time < 8; time++) await comeAndGo(service.baseUrl);
  expect(connections.length).toBeGreaterThanOrEqual(8);
  await expect
    .poll(() => {
      collect();
      return connections.filter((connection) => connection.deref() !== undefined).length;
    })
    .toBeLessThan(4);
});
