import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { faultOf, proveFuzz, startFuzzedService } from '../prove/fuzz.ts';
import { anyRequest, SECRET, type HardInput, type HardRequest } from '../prove/hard-input.ts';
import { makeService } from './support/make-service.ts';
import { fixedSeed } from '../support/fixed-seeds.ts';

const Request = z.object({
  method: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().exactOptional(),
});
const Input = z.union([z.object({ request: Request }), z.object({ bytes: z.string() })]);
const corpus = z
  .array(z.object({ why: z.string(), status: z.int(), input: Input }))
  .parse(JSON.parse(readFileSync(new URL('../fixtures/hard-inputs.json', import.meta.url), 'utf8')));

// `npm run prove -- fuzz` does the same for a minute.
describe('hard input', () => {
  let service: Awaited<ReturnType<typeof startFuzzedService>>;
  beforeAll(async () => void (service = await startFuzzedService()));
  afterAll(() => service.close());

  it.each(corpus)('that was kept gets the answer that it should: $why', async ({ input, status }) => {
    expect(await service.send(input)).toEqual({ status: String(status), fault: undefined });
  });

  it('that was kept leaves the service as it was', async () => {
    expect(await service.faultAfterwards('corpus')).toBeUndefined();
  });

  it('at random over sockets gets documented answers without secrets, and the service lives on', async () => {
    const summary = await proveFuzz({ seed: fixedSeed, inputs: 640 });
    expect(summary).toMatchObject({ faults: 0, seed: fixedSeed });
    expect(summary.finding).toBeUndefined();
    expect(summary.inputs).toBeGreaterThanOrEqual(640);
  });

  it('at random through inject gets documented answers without secrets, and none in the log', async () => {
    const { app, log } = await makeService();
    const send = async ({ request }: { request: HardRequest }): Promise<string | undefined> => {
      const answer = await app.inject({
        // `inject` takes any method that Node knows; its type is meant for the usual ones.
        method: request.method as never,
        url: request.path,
        headers: { host: '127.0.0.1', ...Object.fromEntries(request.headers) },
        ...(request.body !== undefined && { payload: request.body }),
      });
      const type = answer.headers['content-type'] ?? '';
      return faultOf({ status: answer.statusCode, type, body: answer.body }, request.method);
    };
    const isRequest = (input: HardInput): input is { request: HardRequest } =>
      // What is no URL never gets as far as inject.
      'request' in input && URL.canParse(input.request.path, 'http://127.0.0.1') && input.request.path !== '';
    await fc.assert(
      fc.asyncProperty(anyRequest.filter(isRequest), async (input) => {
        expect(await send(input)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
    expect(log.filter((line) => line.includes(SECRET) || line.includes(' failed: '))).toEqual([]);
  });
});
