import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { caseOf, createCheck } from '../support/run-check.ts';

const account = { email: 'ana@example.test', password: 'correct-horse-9' };
const body = { email: '{{email}}', password: '{{password}}' };

/** A server with a cookie against forged requests, whose session cookie is another one after each call. */
async function startTurning(onTestFinished: (end: () => void) => void): Promise<string> {
  const sessions = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const [, cookie = ''] = /app_session=([^;]*)/.exec(request.headers.cookie ?? '') ?? [];
    const isForged = request.method === 'POST' && request.headers['x-csrf'] !== `of ${cookie}`;
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      let user = sessions.get(cookie);
      const typed = request.url === '/in' ? (JSON.parse(text || '{}') as Partial<typeof account>) : undefined;
      const isRight = typed?.email === account.email && typed.password === account.password;
      if (!isForged && typed && isRight) user = typed.email;
      const status = isForged ? 419 : (typed && !isRight) || (request.url === '/me' && !user) ? 401 : 200;
      sessions.delete(cookie);
      const next = randomUUID();
      sessions.set(next, request.url === '/out' && !isForged ? undefined : user);
      const cookies = [`app_session=${next}; Path=/`, `csrf=${encodeURIComponent(`of ${next}`)}; Path=/`];
      response.writeHead(status, { 'Content-Type': 'application/json', 'Set-Cookie': cookies });
      response.end(JSON.stringify(status === 200 ? { user: { email: user }, note: `of ${next}` } : { message: 'No.' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port');
  return `http://127.0.0.1:${address.port}`;
}

it('a session whose cookies every answer renews stays one session of a run, and is ended as one', async (test) => {
  const origin = await startTurning(test.onTestFinished);
  const description = InterfaceDescription.parse({
    name: 'turning',
    calls: { login: { path: '/in', body }, profile: { path: '/me' }, logout: { path: '/out' } },
    security: { type: 'apiKey', in: 'cookie', name: 'app_session' },
    csrf: { cookie: 'csrf', header: 'X-Csrf', from: '/csrf' },
  });
  const { start, secretRegistry } = createCheck(origin, {
    adapter: new ApiAdapter(description, origin),
    account,
    options: { only: ['login.two-tokens', 'token.altered', 'logout.same-token-afterwards'] },
  });
  const report = await start();
  const outcomes = ['profile.served', 'login.two-tokens', 'token.altered', 'logout.served'] as const;
  expect(outcomes.map((id) => caseOf(report, id).outcome)).toEqual(['passed', 'answered', 'answered', 'passed']);
  expect(caseOf(report, 'logout.same-token-afterwards')).toMatchObject({
    answers: [{ value: { handling: 'refused' } }],
  });
  expect(report.findings).toEqual([]);
  expect(secretRegistry.find(JSON.stringify(report))).toEqual([]);
  expect(JSON.stringify(report)).not.toMatch(/of [\da-f]{8}-/);
});
