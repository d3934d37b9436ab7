import type { FastifyReply } from 'fastify';
import type { TriggeredFaults } from './faults.ts';

/** The page of the entry `html-502-proxy` in `dialects.jsonl`, with the status. */
const page = (status: number): string =>
  `<html><head><title>${status}</title></head><body><h1>${status}</h1><p>This is not the API.</p></body></html>`;

/** Writes the head with the length that the body should have, and lets nothing else write. */
function writeHead(reply: FastifyReply, body: Buffer): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('content-length', body.length);
  reply.raw.writeHead(reply.statusCode);
}

type Spoiler = (reply: FastifyReply, text: string, value: number) => string | undefined;

/** Each returns the text to send instead; undefined when an answer was sent already or never will be. */
const spoilers: Record<'reset' | 'truncated' | 'html' | 'drip', Spoiler> = {
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
    // It ends the connection only after what was written is on its way.
    reply.raw.socket?.destroySoon();
    return undefined;
  },
  html: (reply, _text, status) => {
    reply.code(status).header('content-type', 'text/html; charset=utf-8');
    return page(status);
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

/** Does to an answer's bytes what a fault says. */
export function corruptResponse(
  reply: FastifyReply,
  text: string,
  { kind, value }: NonNullable<TriggeredFaults['other']>,
): string | undefined {
  // The other kinds were answered before the operation began.
  return kind === '500' || kind === '429' || kind === 'expired' ? text : spoilers[kind](reply, text, value);
}
