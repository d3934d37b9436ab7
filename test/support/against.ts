import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { TransportCall } from '../../main/client/call.ts';
import type { TransportLimits } from '../../main/client/pending-call.ts';
import { createTransport } from '../../main/client/transport.ts';
import { startRecordingServer, type Respond } from './recording-server.ts';

const selfSigned = readFileSync(new URL('../unit/client/self-signed.pem', import.meta.url), 'utf8');

/** Makes a transport with a server that answers in this way, and keeps the calls that were recorded. */
export async function against(respond: Respond, limits: Partial<TransportLimits> = {}, tls = false) {
  const calls: TransportCall[] = [];
  const server = await startRecordingServer(respond, tls ? { key: selfSigned, cert: selfSigned } : undefined);
  const transport = createTransport({ record: (call) => calls.push(call), limits });
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });
  const get = (signal?: AbortSignal) =>
    transport.send({ method: 'GET', url: `${server.origin}/x`, headers: [] }, signal && { signal });
  return { server, transport, calls, get };
}

/** This server never answers. */
export const nothing: Respond = () => undefined;
