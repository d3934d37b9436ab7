import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { z } from 'zod';
import { announce, argument } from './announce.ts';

/** This answers logins and profiles as our service does, so many milliseconds late as the first part of the path says. */
const { user } = z.object({ user: z.record(z.string(), z.unknown()) }).parse(argument());
let tokens = 0;

const server = createServer((request, response) => {
  const answer = (): void => {
    const token = `${++tokens}|${randomBytes(20).toString('hex')}`;
    const body = request.url?.endsWith('/login') ? { token, token_type: 'Bearer', user } : user;
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const delay = Number(request.url?.split('/')[1]);
  request.resume().once('end', () => void (delay > 0 ? setTimeout(answer, delay) : answer()));
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('There is no port');
announce({ baseUrl: `http://127.0.0.1:${address.port}` });
