import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AccountCalls } from '../../account-calls.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { sendError, sendTooManyRequests, sendValidationErrors } from '../../responses.ts';
import type { RouteDependencies } from '../../route-dependencies.ts';
import { validateBody } from '../../schemas.ts';

export type AccountRouteDependencies = RouteDependencies & { accountCalls: AccountCalls };

/** The body of a request, which counts for its client; undefined if an error was sent. */
export async function readBody<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimitStore, limits }: Pick<RouteDependencies, 'rateLimitStore' | 'limits'>,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const attempt = await rateLimitStore.consume(`client|${clientNetwork(request.ip)}`, limits.client);
  if (!attempt.granted) {
    sendTooManyRequests(request, reply, attempt.retryAfterSeconds);
    return undefined;
  }
  const body = await validateBody(schema, request.body);
  if (body.ok) return body.value;
  if (body.kind === 'invalid') sendValidationErrors(request, reply, body.problems);
  else sendError(request, reply, body.kind);
  return undefined;
}
