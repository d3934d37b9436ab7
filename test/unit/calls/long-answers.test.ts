import { describe, expect, it, onTestFinished } from 'vitest';
import { createTransport } from '../../../main/client/transport.ts';
import type { TransportCall } from '../../../main/client/call.ts';
import { makeMain } from '../../support/make-main.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const ana = { email: 'ana@example.test', password: 'correct horse battery' };
const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;

async function logInAt(body: object) {
  const server = await startRecordingServer(() => answer(401, body, { 'X-Marker': 'marked-answer' }));
  onTestFinished(server.close);
  const main = await makeMain({ server: { baseUrl: server.origin } });
  const result = await main.session.logins.login(ana);
  await main.calls.settled();
  const page = main.calls.list(all, 0);
  const [summary] = page.ok ? page.value.calls : [];
  const call = main.calls.get(summary?.id ?? '');
  if (!summary || !call.ok) throw new Error('nothing was recorded');
  return { main, result, summary, call: call.value };
}

function callWith(id: string, body: string): TransportCall {
  const request = { method: 'GET', url: 'http://127.0.0.1:1/', headers: [] };
  return {
    id,
    startedAt: new Date().toISOString(),
    request: { ...request, head: { text: 'GET / HTTP/1.1', source: 'as-written' } },
    reusedConnection: false,
    timings: { totalMs: 1 },
    response: { status: 200, statusText: '', httpVersion: '1.1', rawHeaders: [], body, bodyBytes: Buffer.from(body) },
  };
}

describe('a long answer', () => {
  it('is read and recorded as a short one is', async () => {
    const message = 'These credentials are wrong.';
    const { result, call, main } = await logInAt({ message, echo: ana.password, more: 'word '.repeat(60_000) });
    expect(result).toMatchObject({ ok: false, error: { kind: 'unauthenticated', message } });
    expect(call.response?.body).toMatchObject({
      form: 'text',
      text: [expect.stringContaining(message), expect.any(Object), expect.any(String)],
    });
    expect(call.understood).toMatchObject({ operation: 'login', verdict: 'failed' });
    // It is the same secret as in the request, which was typed.
    const sent = JSON.stringify(call.request.body);
    const [, id = ''] = /"id":"([^"]+)"/.exec(sent) ?? [];
    expect(call.response?.body).toMatchObject({
      text: [expect.any(String), { secret: 'password', id }, expect.any(String)],
    });
    expect(await filesContaining(main.folder, ana.password)).toEqual([]);
  });

  it('keeps its place before the calls that came after it', async () => {
    const main = await makeMain({ server: { baseUrl: 'http://127.0.0.1:1' } });
    main.calls.record('server', callWith('long', 'word '.repeat(60_000)));
    main.calls.record('server', callWith('short', 'word'));
    await main.calls.settled();
    const page = main.calls.list(all, 0);
    expect(page.ok && page.value.calls.map(({ id }) => id)).toEqual(['short', 'long']);
  });
});

describe('an answer with more secrets than are worth keeping', () => {
  it('is kept as its size, and nothing is said about the server', async () => {
    const tokens = Array.from({ length: 12_000 }, (_, at) => `${100_000 + at}|markedXX${at}`);
    const body = { message: 'No.', tokens };
    const { main, summary, call } = await logInAt(body);
    const bytes = JSON.stringify(body).length;
    expect(summary).toMatchObject({ failure: undefined, status: 401, responseBytes: bytes });
    expect(call.response).toEqual({
      status: 401,
      httpVersion: '1.1',
      headers: [['Content-Type', ['application/json']], ...call.response!.headers.slice(1)],
      moreHeaders: 1,
      body: { form: 'described', type: 'application/json', bytes },
    });
    expect(await filesContaining(main.folder, 'marked')).toEqual([]);
  });
});

describe('an answer that fills the memory', () => {
  it('is a failure of which the status is left', async () => {
    const body = { message: 'marked' };
    const server = await startRecordingServer(() => answer(200, body));
    onTestFinished(server.close);
    const recorded: TransportCall[] = [];
    const transport = createTransport({ record: (call) => void recorded.push(call) });
    const request = { method: 'GET', url: `${server.origin}/`, headers: [] };
    const result = await transport.send(request, { interpret: async () => undefined });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'resource-limit', status: 200 } });
    expect(recorded[0]).not.toHaveProperty('response');
    expect(JSON.stringify(result)).not.toContain('marked');
  });
});
