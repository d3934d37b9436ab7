import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseResponse, type ReceivedResponse } from '../../../main/client/parse-response.ts';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { interpret } from '../../../main/client/interpret.ts';
import { casesById } from '../../../main/check/plan.ts';
import type { TestClient } from '../../../main/check/test-client.ts';
import { createObservation } from '../../../main/check/observation.ts';
import { formatCommand } from '../../../main/client/recording/format-command.ts';
import type { AnswerShape } from '../../prove/slow-answers.ts';
import { holdsOf } from '../../prove/slow-holds.ts';
import { worstAttack, writtenIn, textOf } from '../../prove/slow-patterns.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { readingSources, searchSlow } from '../../prove/slow.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** Milliseconds of work. Each of these took minutes, or grew with the square of its length. */
const generousMs = 1000;

function workedMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const read = (answer: Partial<ReceivedResponse>) => () => {
  const whole = { status: 429, headers: {}, body: '', url: 'http://127.0.0.1/api/v1/auth/login', ...answer };
  return appErrorOfAnswer('login', whole, parseResponse('login', whole));
};

/** Looks back at an answer with this body, as a check does at its end. */
async function lookBack(body: string): Promise<void> {
  const request = { method: 'POST', url: 'http://127.0.0.1/api/v1/auth/login', headers: [] };
  const response = {
    status: 500,
    statusText: '',
    httpVersion: '1.1',
    rawHeaders: [],
    body,
    bodyBytes: Buffer.from(body),
  };
  const seen = createObservation(
    interpret('login', response, request.url, {}),
    {
      id: '',
      startedAt: '',
      request: { ...request, head: { text: '', source: 'as-written' } },
      reusedConnection: false,
      timings: { totalMs: 1 },
      response,
    },
    new SecretRegistry(),
  );
  const client = { observations: () => [seen] } as unknown as TestClient;
  await casesById.get('errors.internals')?.run(client);
}

const manyHeaders: AnswerShape = {
  start: '',
  pump: 'a',
  end: '',
  operation: 'login',
  status: 401,
  container: 'many headers',
  names: ['message', 'error'],
  width: 2000,
  header: 'server',
};

describe('an answer that is made to be slow', () => {
  it.each<[string, () => unknown]>([
    ['a minute and then spaces', read({ body: JSON.stringify({ message: `1 min${' '.repeat(120_000)}` }) })],
    ['a minute and then spaces, as plain text', read({ body: `1 min${' '.repeat(1_000_000)}x` })],
    ['a redirect to slashes', read({ status: 302, headers: { location: `/a${'/'.repeat(100_000)}a` } })],
    [
      'many errors of one field',
      read({ status: 422, body: { errors: Array.from({ length: 19_000 }, (_, at) => `email: wrong ${at}`) } }),
    ],
    [
      'a command of quotes',
      () =>
        formatCommand(
          {
            method: 'POST',
            url: ['http://127.0.0.1/'],
            head: { text: [''], source: 'as-written' },
            body: { form: 'text', text: ['’'.repeat(200_000), 'a'], bytes: 1 },
          },
          'curl-powershell',
        ),
    ],
  ])('is read at once: %s', (_what, work) => {
    expect(workedMs(work)).toBeLessThan(generousMs);
  });

  it.each([
    ['newlines', '\n'.repeat(64_000)],
    ['slashes in a page', `<${'/'.repeat(2_000_000)}`],
  ])('is looked back at at once by a check: %s', async (_what, body) => {
    const before = process.threadCpuUsage();
    await lookBack(body);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(generousMs);
  });

  it('is received at once with headers of two thousand names', async () => {
    const file = path.join(await makeTemporaryFolder(), 'calls.sqlite');
    const { longestHoldMs } = await holdsOf([manyHeaders], 64 * 1024, file);
    // Where each name was compared with all others, that was 67 ms, and it is 3.
    expect(longestHoldMs).toBeLessThan(35);
  });
});

describe('the patterns that read what a server says', () => {
  const patterns = ['client/reading', 'check'].flatMap((folder) =>
    writtenIn(path.resolve(import.meta.dirname, '../../../main', folder)).flatMap((each) =>
      'pattern' in each ? [{ folder, ...each }] : [],
    ),
  );

  it('take a time that grows with the text, and not with its square', () => {
    const slow = patterns.flatMap(({ folder, at, pattern }) => {
      const { attack, ms } = worstAttack(pattern, 16_000, 1);
      return ms < 60 ? [] : [`${folder}/${at} ${pattern}: ${ms} ms for ${JSON.stringify(textOf(attack, 60))}`];
    });
    expect(patterns.length).toBeGreaterThan(100);
    expect(slow).toEqual([]);
  });
});

describe('a search for slow answers', () => {
  it(
    'finds none that holds the thread, and neither does receiving the slowest ones',
    { timeout: 120_000 },
    async () => {
      const { tried, slow } = searchSlow({ written: readingSources(), seed: 7, seconds: 1 });
      expect(tried).toBeGreaterThan(0);
      expect(slow[0]!.ms).toBeLessThan(generousMs);
      const shapes = slow.slice(0, 3).map(({ shape }) => shape);
      const file = path.join(await makeTemporaryFolder(), 'calls.sqlite');
      const { longestHoldMs } = await holdsOf(shapes, 256 * 1024, file);
      expect(longestHoldMs).toBeLessThan(generousMs);
    },
  );
});
