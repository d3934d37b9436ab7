import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answers. `isCut` ends the connection before the body is over. */
export type UpdateAnswer = { status?: number; headers?: Record<string, string>; body?: string; isCut?: boolean };

function answer(response: ServerResponse, { status = 200, headers = {}, body = '', isCut }: UpdateAnswer): void {
  const length = Buffer.byteLength(body) + (isCut === true ? 100 : 0);
  response.writeHead(status, { ...headers, 'Content-Length': length });
  response.write(body, () => (isCut === true ? response.destroy() : response.end()));
}

const sha512 = (content: string): string => createHash('sha512').update(content).digest('base64');

/** Makes the announcement of a version as electron-builder writes it. */
export const announcementOf = (content: string, some: { version?: string; notes?: string; file?: string } = {}) => {
  const { version = '0.2.0', notes = 'Quieter.', file = 'Llavero-0.2.0-x86_64.AppImage' } = some;
  const sum = sha512(content);
  return JSON.stringify({
    version,
    files: [{ url: file, sha512: sum, size: Buffer.byteLength(content) }],
    path: file,
    sha512: sum,
    releaseNotes: notes,
    releaseDate: '2026-11-20T10:00:00.000Z',
  });
};

/** Starts a server on loopback that has an announcement for Linux, and one file under any other name. */
export async function startUpdateServer() {
  const asked: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const has: { feed: UpdateAnswer; file: UpdateAnswer } = { feed: { status: 404 }, file: { status: 404 } };
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(path);
    headers.push(request.headers);
    answer(response, path === '/latest-linux.yml' ? has.feed : has.file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a server that listens on a port is never a text.
  const { port } = server.address() as AddressInfo;
  return {
    folder: `http://127.0.0.1:${port}/`,
    /** The paths that were asked for, in their order, and the headers of each request. */
    asked,
    headers,
    has,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
