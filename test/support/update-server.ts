import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answers. `ends` says that the body ends too early, never, or stops without an end. */
export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  ends?: 'early' | 'never' | 'waiting';
};

const piece = Buffer.alloc(64 * 1024, ' ');

function answer(response: ServerResponse, { status = 200, headers = {}, body = '', ends }: Answer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, ...(ends === 'early' && { 'Content-Length': bytes.length + 100 }) });
  if (ends === undefined) {
    response.end(bytes);
    return;
  }
  response.write(bytes, () => {
    if (ends === 'early') response.destroy();
  });
  if (ends !== 'never') return;
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

/** Starts a server on loopback that has a feed at `/llavero-updates.json`, and one file under any other name. */
export async function startUpdateServer() {
  const asked: string[] = [];
  const has: { feed: Answer; file: Answer } = { feed: { status: 404 }, file: { status: 404 } };
  const server = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    answer(response, url === '/llavero-updates.json' ? has.feed : has.file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a server that listens on a port is never a text.
  const { port } = server.address() as AddressInfo;
  return {
    folder: `http://127.0.0.1:${port}/`,
    /** The paths that were asked for, in their order. */
    asked,
    has,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
