import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyReply } from 'fastify';
import { z } from 'zod';
import { errorCodeOrEmpty } from '../error-code-or-empty.ts';
import { createHostCheck } from '../host-and-origin.ts';
import { LOOPBACK } from '../listening.ts';
import { MOST_AHEAD_MS, type ClockControl, type ClockFailure, type ClockTarget } from './clock-control.ts';

const MOST_SECONDS = MOST_AHEAD_MS / 1000;

/** What may be sent: exactly one of the two. */
const Move = z.union([
  z.strictObject({ advanceSeconds: z.number().min(0.001).max(MOST_SECONDS) }),
  z.strictObject({ to: z.enum(['newest-token-end', 'now']) }),
]);

const moveOf = (sent: z.infer<typeof Move>): ClockTarget =>
  'to' in sent ? sent : { advanceMs: Math.round(sent.advanceSeconds * 1000) };

const failures: Record<ClockFailure, readonly [status: number, message: string]> = {
  'too-far': [422, `The clock goes at most ${MOST_SECONDS} seconds ahead.`],
  'no-token': [409, 'There is no token whose end is still to come.'],
  shared: [409, 'The clock cannot be moved while another instance uses the database.'],
};

const WRONG_MOVE =
  `The body is {"advanceSeconds": N} with a number from 0.001 to ${MOST_SECONDS}, ` +
  'or {"to": "newest-token-end"}, or {"to": "now"}.';

/** What Fastify refuses by itself, by its code. */
const refusals: Partial<Record<string, readonly [status: number, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is longer than 1000 bytes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The body must be JSON, and its Content-Type application/json.'],
};

const OUR_FAULT = [500, 'The clock could not be moved: the service itself failed.'] as const;

/** Says whether Fastify found the request at fault, as for a body that is no JSON. */
const isOfClient = (error: unknown): boolean => {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
};

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export type ClockListener = { url: string; key: string; close(): Promise<void> };

/**
 * Listens for programs that move the clock, on a port of its own of this computer. The key is asked for, and a request
 * with an `Origin` is refused, so that no web page gets through even with the key.
 */
export async function startClockListener(control: ClockControl): Promise<ClockListener> {
  const key = randomBytes(32).toString('base64url');
  const wanted = digestOf(`Bearer ${key}`);
  const refusalOf = createHostCheck({ allowed: [], secure: false });
  const app = Fastify({ bodyLimit: 1000, requestTimeout: 10_000, return503OnClosing: false });
  const answer = (reply: FastifyReply, [status, message]: readonly [number, string]): FastifyReply =>
    reply.code(status).send({ message });
  const state = (): { now: string; aheadSeconds: number } => {
    const { nowMs, aheadMs } = control.get();
    return { now: new Date(nowMs).toISOString(), aheadSeconds: aheadMs / 1000 };
  };

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const { origin, authorization = '' } = request.headers;
    if (refusalOf(request.raw) !== undefined || origin !== undefined) {
      answer(reply, [403, 'The clock is moved by programs of this computer only, and by no web page.']);
    } else if (!timingSafeEqual(digestOf(authorization), wanted)) {
      answer(reply.header('www-authenticate', 'Bearer'), [401, 'The key is missing or wrong.']);
    } else done();
  });
  app.setNotFoundHandler((_request, reply) => answer(reply, [404, 'There is only GET and POST of /clock.']));
  app.setErrorHandler((error, _request, reply) => {
    const isOfStore = errorCodeOrEmpty(error) === 'LLAVERO_STORE_UNAVAILABLE';
    if (isOfStore) return answer(reply, [503, 'The database cannot be used now.']);
    return answer(reply, refusals[errorCodeOrEmpty(error)] ?? (isOfClient(error) ? [400, WRONG_MOVE] : OUR_FAULT));
  });
  app.get('/clock', async () => state());
  app.post('/clock', async (request, reply) => {
    const read = Move.safeParse(request.body);
    if (!read.success) return answer(reply, [422, WRONG_MOVE]);
    const moved = await control.move(moveOf(read.data));
    return moved.ok ? state() : answer(reply, failures[moved.kind]);
  });

  const url = await app.listen({ host: LOOPBACK, port: 0 });
  return {
    url: `${url}/clock`,
    key,
    async close() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
