import { Agent, request } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { queryObjects } from 'node:v8';
import { expect, it, vi } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ada } from './support/make-service.ts';
import { startBuiltInServer } from './support/behaviour.ts';

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

it('what is remembered of a token that was logged out does not keep its connection', async () => {
  const { service } = await startBuiltInServer({}, { clients: 'watched' });
  const before = queryObjects(Socket, { format: 'count' });
  for (let time = 0; time < 8; time++) await comeAndGo(service.baseUrl);
  await vi.waitFor(() => expect(queryObjects(Socket, { format: 'count' }) - before).toBeLessThan(4));
});
