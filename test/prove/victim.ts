import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestIdentity } from '../support/certificates.ts';

export type Victim = Awaited<ReturnType<typeof startVictim>>;

/** A server of the interface at which somebody is logged in. It takes any password, and knows every token it gave. */
export async function startVictim(host: string, identity?: TestIdentity) {
  const given: string[] = [];
  let passed = 0;
  const listener: RequestListener = (request, response) => {
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    request.resume().once('end', () => {
      const { url = '', headers } = request;
      if (headers['x-gate'] !== undefined) passed += 1;
      const isKnown = given.includes(headers.authorization?.replace('Bearer ', '') ?? '');
      if (url.endsWith('/login')) {
        const token = `${given.length + 1}|${randomBytes(20).toString('hex')}`;
        given.push(token);
        say(200, { token });
      } else if (url.endsWith('/perfil')) {
        say(
          isKnown ? 200 : 401,
          isKnown
            ? { name: 'Ana', email: 'ana@example.test', gate: headers['x-gate'] }
            : { message: 'Unauthenticated.' },
        );
      } else if (url.endsWith('/salir')) say(503, { message: 'Later' });
      else say(404, { message: 'Not found' });
    });
  };
  const server = identity
    ? createSecureServer({ cert: identity.cert, key: identity.key }, listener)
    : createServer(listener);
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${identity ? 'https' : 'http'}://${host}:${port}`,
    /** Every token that it gave. */
    given,
    /** How many calls brought an extra header. */
    passed: () => passed,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
