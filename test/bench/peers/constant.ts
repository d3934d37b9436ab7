import Fastify from 'fastify';
import { z } from 'zod';
import { defaultTimeouts } from '../../../main/service/app.ts';
import { announce, argument } from './announce.ts';

/** This shows what the same Fastify reaches when it does nothing but give the same answer each time. */
const { path, answer } = z.object({ path: z.string(), answer: z.record(z.string(), z.unknown()) }).parse(argument());

const app = Fastify({
  bodyLimit: 16 * 1024,
  requestTimeout: defaultTimeouts.requestMs,
  keepAliveTimeout: defaultTimeouts.keepAliveMs,
  http: { headersTimeout: defaultTimeouts.headersMs, connectionsCheckingInterval: defaultTimeouts.checkEveryMs },
});
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- this is not Express: Fastify awaits its handlers
app.get(path, async () => answer);
announce({ baseUrl: await app.listen({ host: '127.0.0.1', port: 0 }) });
