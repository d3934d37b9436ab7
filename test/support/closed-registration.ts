import { once } from 'node:events';
import { createServer, request as sendOn } from 'node:http';
import { onTestFinished } from 'vitest';
import { portOf } from './recording-server.ts';

/** Starts a front of a service that lets nobody register, as servers for staging do, and passes all else on. */
export async function closeRegistration(serviceUrl: string, status: 403 | 404) {
  /** The requests that came in, in their order. */
  const requests: { method: string; path: string; body: string }[] = [];
  /** Every token that the service gave. */
  const tokens = new Set<string>();

  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, body: '' };
    requests.push(seen);
    request.on('data', (chunk: Buffer) => (seen.body += chunk.toString()));
    if (/\/(?:registro|register)$/.test(path)) {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end('{"message":"Registration is closed."}');
      return;
    }
    const onward = sendOn(
      serviceUrl + path,
      { method, headers: { ...headers, host: new URL(serviceUrl).host } },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => {
          for (const [, token = ''] of body.matchAll(/"token":"([^"]+)"/g)) tokens.add(token);
        });
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    // The service hangs up on a body that is too large, after its answer.
    onward.on('error', () => response.headersSent || response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, requests, tokens };
}
