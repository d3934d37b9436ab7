import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Sent = {
  /** The method and the address, such as `POST /users`. */
  path: string;
  body: Record<string, string | undefined>;
  /** The value of a header, by its name in small letters. */
  header: (name: string) => string;
};
export type JsonAnswer = [status: number, body: object, headers?: Record<string, string>];

/** Starts a server that takes and answers JSON. It ends with the test. */
export async function startJson(respond: (sent: Sent) => JsonAnswer): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      let read: Sent['body'] = {};
      try {
        read = JSON.parse(body === '' ? '{}' : body) as Sent['body'];
      } catch {
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"detail":"JSON parse error"}');
        return;
      }
      const header = (name: string): string => request.headers[name]?.toString() ?? '';
      const [status, said, headers] = respond({ path: `${request.method} ${request.url}`, body: read, header });
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
