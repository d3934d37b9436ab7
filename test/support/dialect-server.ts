import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Operation } from '../../main/client/base-url.ts';

/** One answer of a real server, with what it means. */
export type Shape = {
  id: string;
  operation: Operation;
  framework: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  meaning: { ok: boolean; message?: string; user?: { name?: string; email?: string }; retryAfterSeconds?: number };
};

/** All of `dialects.json`. */
export const shapes = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../fixtures/dialects.json'), 'utf8'),
) as Shape[];

/** Starts a server whose next answer to each operation is whatever shape the test put there. */
export async function startDialectServer() {
  const next = new Map<Operation, Shape>();
  const asked: Operation[] = [];
  const server = createServer((request, response) => {
    // The last part of the path is the operation. Anything else finds no shape.
    const operation = path.basename(request.url ?? '') as Operation;
    request.resume().once('end', () => {
      asked.push(operation);
      const shape = next.get(operation);
      const body = typeof shape?.body === 'string' ? shape.body : JSON.stringify(shape?.body ?? '');
      // Lengths and encodings in the file are of the original bodies.
      const { 'Content-Length': _length, 'Transfer-Encoding': _encoding, ...headers } = shape?.headers ?? {};
      if (headers['Location']) headers['Location'] = headers['Location'].replace('https://api.example.test', origin());
      response.writeHead(shape?.status ?? 404, headers).end(shape?.status === 204 ? undefined : body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // It listens, so it has an address, and one of TCP.
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl: origin(), next: (shape: Shape) => void next.set(shape.operation, shape), asked };
}
