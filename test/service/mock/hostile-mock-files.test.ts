import { expect, it, vi } from 'vitest';
import type { MockResponse, Template } from '../../../main/service/mock/mock-definition.ts';
import { parseMockFile } from '../../../main/service/mock/load-mock-file.ts';
import { formatMockFile } from '../../../main/check/mock-generator/generate-mock.ts';
import { measureAndLearn } from '../../prove/mocks.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { briefly, changed, startMock, learnFrom } from '../support/mock-servers.ts';
import { smallServer } from '../support/small-server.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 60_000 });

const at = (path: string, body: MockResponse['body'], headers: MockResponse['headers'] = []): MockResponse => ({
  operation: 'other',
  situation: 'unknown-path',
  path,
  method: 'GET',
  status: 200,
  headers,
  body,
  calls: [],
});

it('an answer that would be too large is not made', async () => {
  const { model } = await learnFrom('service', briefly);
  const drawn = {
    place: 'random' as const,
    segments: Array.from({ length: 50 }, () => ({ of: 'hex' as const, count: 2048 })),
  };
  const text = Array.from({ length: 200 }, () => drawn);
  const list: Template = { list: Array.from({ length: 100 }, () => ({ value: drawn })) };
  const hostile = changed(model, ({ answers }) => {
    answers.push(at('/text', { kind: 'text', text }), at('/list', { kind: 'json', template: list }));
    answers.push(at('/header', { kind: 'empty' }, [['server', text]]));
    for (const each of answers) {
      if (each.operation === 'login' && each.situation === 'wrong-password')
        each.body = { kind: 'text', text: Array.from({ length: 200 }, () => ({ place: 'sent-body' })) };
    }
  });
  expect(parseMockFile(formatMockFile(hostile))).toMatchObject({ ok: true });
  const { baseUrl } = await startMock(hostile);
  const before = process.cpuUsage();
  const answers = [
    ...(await Promise.all(['/text', '/list', '/header'].map((path) => fetch(baseUrl + path)))),
    await fetch(`${baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.test', password: 'x'.repeat(1000), more: 'x'.repeat(10_000) }),
    }),
  ];
  const { user, system } = process.cpuUsage(before);
  const message = 'The response of the mock to this is too large.';
  for (const each of answers) expect([each.status, await each.json()]).toEqual([500, { message }]);
  expect((user + system) / 1000).toBeLessThan(1000);
});

it.each([
  ['image/svg+xml', 'text/plain; charset=utf-8'],
  ['text/html; charset=utf-7', 'text/html; charset=utf-8'],
  ['application/PROBLEM+json; charset=latin1', 'application/problem+json; charset=utf-8'],
  ['application/json', 'application/json'],
  ['application/x+json/../html', 'text/plain; charset=utf-8'],
  ['text/css', 'text/plain; charset=utf-8'],
  [undefined, null],
])('a type of %s is written as %s, beside a policy that allows nothing', async (given, written) => {
  const { model } = await learnFrom('service', briefly);
  const headers: MockResponse['headers'] = given === undefined ? [] : [['content-type', [given]]];
  const { baseUrl } = await startMock(
    changed(model, ({ answers }) => answers.push(at('/page', { kind: 'text', text: ['<script>'] }, headers))),
  );
  const answers = await Promise.all([
    fetch(`${baseUrl}/page`),
    fetch(`${baseUrl}/%zz`),
    fetch(`${baseUrl}/health`),
    fetch(`${baseUrl}/page`, { method: 'POST', headers: { origin: 'http://evil.example' } }),
  ]);
  expect(answers[0].headers.get('content-type')).toBe(written);
  for (const { headers: its } of answers) {
    expect(its.get('x-content-type-options')).toBe('nosniff');
    expect(its.get('content-security-policy')).toMatch(/default-src 'none';.* sandbox$/);
  }
});

const deep = (levels: number): unknown => (levels === 0 ? 'bottom' : { a: deep(levels - 1) });

/** What a server may say of a profile, so that its own model would not be read again. */
const hostileProfiles: [what: string, profile: (email: string) => unknown][] = [
  ['a long name of a field', (email) => ({ email, ['n'.repeat(2000)]: 1 })],
  ['nesting', (email) => ({ email, deep: deep(50) })],
  ['a name of JavaScript', (email) => ({ email, prototype: 'constructor', constructor: { ['__proto__']: 1 } })],
  ['the email over and over', (email) => ({ email, text: `to ${email}, `.repeat(400) })],
  ['many short values', (email) => ({ email, list: Array.from({ length: 20 }, () => Array(1000).fill(1)) })],
  ['long digits', (email) => JSON.stringify({ email, number: 1 }).replace(':1', `:${'1'.repeat(30_000)}`)],
  ['a long drawn id', (email) => ({ email, request_id: crypto.randomUUID().replaceAll('-', '').repeat(200) })],
];

it.each(hostileProfiles)(
  'a model is learned of a server that answers with %s, and plays it',
  async (_what, profile) => {
    const small = smallServer();
    const server = await startRecordingServer((request, socket) => {
      const said = small(request, socket);
      const [, email] = /"email":"([^"]+)"/.exec(String(said)) ?? [];
      if (!request.target.endsWith('/perfil') || email === undefined) return said;
      const body = profile(email);
      return answer(200, typeof body === 'string' ? body : JSON.stringify(body), {
        'content-type': 'application/json',
      });
    });
    try {
      const { model } = await measureAndLearn(server.origin, briefly);
      expect(parseMockFile(formatMockFile(model))).toMatchObject({ ok: true });
      const { baseUrl } = await startMock(model);
      expect((await fetch(`${baseUrl}/api/v1/auth/perfil`)).status).toBe(401);
    } finally {
      await server.close();
    }
  },
);
