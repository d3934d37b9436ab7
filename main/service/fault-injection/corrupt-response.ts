import type { FastifyReply } from 'fastify';
import type { TriggeredFaults } from './faults.ts';

/** The page of the entry `html-502-proxy` in `dialects.jsonl`, with the status. */
const errorPage = (status: number): string =>
  `<html><head><title>${status}</title></head><body><h1>${status}</h1><p>This is not the API.</p></body></html>`;

/** Writes the head with the length of the whole body, past Fastify. */
function writeHead(reply: FastifyReply, body: Buffer): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('content-length', body.length);
  reply.raw.writeHead(reply.statusCode);
}

type Corruption = (reply: FastifyReply, text: string, value: number) => string | undefined;

/** Each returns the text to send instead; undefined if the response was sent already or never will be. */
const corruptions: Record<'reset' | 'truncated' | 'html' | 'drip', Corruption> = {
  reset: (reply) => {
    const { socket } = reply.raw;
    // A TLS connection has no TCP handle of its own to reset.
    if (socket && 'encrypted' in socket) socket.destroy();
    else socket?.resetAndDestroy();
    return undefined;
  },
  truncated: (reply, text) => {
    const body = Buffer.from(text);
    writeHead(reply, body);
    reply.raw.write(body.subarray(0, Math.floor(body.length / 2)));
    // Unlike destroy(), it sends what was written.
    reply.raw.socket?.destroySoon();
    return undefined;
  },
  html: (reply, _text, status) => {
    reply.code(status).header('content-type', 'text/html; charset=utf-8');
    return errorPage(status);
  },
  drip: (reply, text, everyMs) => {
    const body = Buffer.from(text);
    writeHead(reply, body);
    reply.raw.flushHeaders();
    let sent = 0;
    const timer = setInterval(() => {
      reply.raw.write(body.subarray(sent, ++sent));
      if (sent >= body.length) reply.raw.end();
    }, everyMs);
    reply.raw.once('close', () => clearInterval(timer));
    return undefined;
  },
};

export function corruptResponse(
  reply: FastifyReply,
  text: string,
  { kind, value }: NonNullable<TriggeredFaults['other']>,
): string | undefined {
  // The other kinds were answered before the operation.
  return kind === '500' || kind === '429' || kind === 'expired' ? text : corruptions[kind](reply, text, value);
}
