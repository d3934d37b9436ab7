import { describe, expect, it } from 'vitest';
import { parseHar, writeHar } from '../../../main/calls/har.ts';
import { importedEntry } from '../../support/imported-entry.ts';
import { createSecretReferences } from '../../../main/secrets/secret-references.ts';
import type { RecordedCall } from '../../../preload/contract/calls.ts';

const creator = { name: 'Llavero', version: '0.1.0' };
const token = { secret: 'token', id: 's1' } as const;

const login: RecordedCall = {
  id: 'e1',
  serverId: 'shop',
  startedAt: '2026-11-21T10:00:00.000Z',
  request: {
    method: 'POST',
    url: ['https://a.test/api/v1/auth/login?x=1'],
    head: { text: ['POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n\r\n'], source: 'as-written' },
    body: { form: 'text', text: ['{"password":"', { secret: 'password', id: 'p1' }, '"}'], bytes: 20 },
  },
  response: {
    status: 200,
    statusText: ['OK'],
    httpVersion: '1.1',
    headers: [
      ['Content-Type', ['application/json']],
      ['Set-Cookie', ['a=', { secret: 'cookie', id: 'c1' }]],
      ['Set-Cookie', ['b=', { secret: 'cookie', id: 'c2' }]],
    ],
    body: { form: 'text', text: ['{"token":"', token, '"}'], bytes: 40 },
  },
  timings: { dnsMs: 1, connectMs: 3, tlsMs: 8, firstByteMs: 20, totalMs: 22.5 },
  remote: '[2001:db8::1]:443',
  reusedConnection: false,
};
const profile: RecordedCall = {
  ...login,
  id: 'e2',
  request: {
    method: 'GET',
    url: ['https://a.test/api/v1/auth/perfil'],
    head: { text: ['GET / HTTP/1.1\r\nAuthorization: Bearer ', token, '\r\n\r\n'], source: 'as-written' },
  },
  timings: { totalMs: 5 },
  failure: { kind: 'offline' },
};

function readHar(content: string, references = createSecretReferences()) {
  const har = parseHar(content);
  if (!har.ok) throw new Error(har.problem);
  return har.entries.map((entry) => importedEntry(entry, references));
}

describe('an HTTP archive', () => {
  it('says what went over the wire, and names secrets, equal ones alike', () => {
    const { log } = JSON.parse(writeHar([login, profile], creator));
    expect(log).toMatchObject({
      version: '1.2',
      creator,
      comment: 'Secrets were replaced by names (cookie: 2, password: 1, token: 1).',
    });
    expect(log.entries[0]).toMatchObject({
      startedDateTime: login.startedAt,
      time: 22.5,
      serverIPAddress: '2001:db8::1',
      request: {
        method: 'POST',
        url: 'https://a.test/api/v1/auth/login?x=1',
        queryString: [{ name: 'x', value: '1' }],
        headers: [
          { name: 'Host', value: 'a.test' },
          { name: 'Content-Type', value: 'application/json' },
        ],
        postData: { mimeType: 'application/json', text: '{"password":"[password 1]"}' },
      },
      response: {
        status: 200,
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'Set-Cookie', value: 'a=[cookie 1]' },
          { name: 'Set-Cookie', value: 'b=[cookie 2]' },
        ],
        content: { size: 40, mimeType: 'application/json', text: '{"token":"[token 1]"}' },
      },
      timings: { blocked: -1, dns: 1, connect: 7, ssl: 5, send: 0, wait: 12, receive: 2.5 },
    });
    expect(log.entries[1].request.headers).toEqual([{ name: 'Authorization', value: 'Bearer [token 1]' }]);
    expect(log.entries[1].response.comment).toBe('offline');
  });

  it('marks the headers that were added for the server, whose values are named, also when it comes back', () => {
    const gate = { secret: 'other', id: 'g1' } as const;
    const head = ['GET / HTTP/1.1\r\nAccept: application/json\r\nX-Gate: ', gate, '\r\n\r\n'];
    const added: RecordedCall = {
      ...profile,
      request: { ...profile.request, head: { text: head, source: 'as-written' }, added: ['x-gate'] },
    };
    const written = writeHar([added], creator);
    const { log } = JSON.parse(written);
    expect(log.entries[0].request.headers).toEqual([
      { name: 'Accept', value: 'application/json' },
      { name: 'X-Gate', value: '[other 1]', comment: 'added by Llavero' },
    ]);
    expect(readHar(written)[0]?.request).toMatchObject({ added: ['X-Gate'] });
  });

  it('comes back as it was written', () => {
    const [read, ...others] = readHar(writeHar([login], creator));
    expect(others).toEqual([]);
    expect(read).toMatchObject({ startedAt: login.startedAt, response: { status: 200 } });
  });

  it('of somebody else is read without its secrets', () => {
    const secret = '7|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
    const foreign = writeHar([login, profile], creator)
      .replaceAll('[token 1]', secret)
      .replaceAll('[password 1]', 'correct horse battery')
      .replaceAll('[cookie 1]', 'abcdefgh');
    const read = readHar(foreign);
    expect(read).toHaveLength(2);
    expect(JSON.stringify(read)).not.toMatch(/q8ZrT3|horse|abcdefgh/);
  });

  it.each([
    ['nothing', '', 'not-json'],
    ['half a file', writeHar([login], creator).slice(0, 200), 'not-json'],
    ['other JSON', '{"log":{"entries":{}}}', 'not-a-har'],
    ['a list', '[1]', 'not-a-har'],
    ['nested without end', '['.repeat(48_000_000), 'not-a-har'],
    ['too many entries', `{"log":{"entries":[${'0,'.repeat(10_000)}0]}}`, 'too-many'],
  ])('is refused when it is %s', (_what, content, problem) => {
    expect(parseHar(content)).toEqual({ ok: false, problem });
  });

  it('with entries that are none gives the others', () => {
    const good = JSON.parse(writeHar([login], creator)).log.entries[0];
    const hostile = { ...good, request: { ...good.request, method: 7 }, __proto__: { x: 1 } };
    const odd = {
      ...good,
      response: { status: 'x', headers: [{ name: 1 }], content: null },
      time: -1,
      startedDateTime: 'never',
    };
    const read = readHar(JSON.stringify({ log: { entries: [good, null, hostile, odd] } }));
    expect(read.map((each) => each !== undefined)).toEqual([true, false, false, true]);
    expect(read[3]?.response).toBeUndefined();
  });

  it('with headers of several lines shows them in one', () => {
    const good = JSON.parse(writeHar([login], creator)).log.entries[0];
    good.request.headers = [{ name: 'X', value: 'a\r\nInjected: b' }];
    const [read] = readHar(JSON.stringify({ log: { entries: [good] } }));
    expect(read?.request.head.text).toEqual(['POST /api/v1/auth/login?x=1 HTTP/1.1\r\nX: a Injected: b\r\n\r\n']);
  });

  it.each([
    ['very long', 'x'.repeat(3_000_000), 1024 * 1024],
    ['nested without end', '['.repeat(400_000), 400_000],
    ['nothing but secrets', JSON.stringify(Array.from({ length: 30_000 }, (_, n) => ({ password: `secret${n}` }))), 0],
  ])('with a body that is %s is read, cut where an answer would be', (_what, text, bytes) => {
    const good = JSON.parse(writeHar([login], creator)).log.entries[0];
    good.response.content = { text };
    const [read] = readHar(JSON.stringify({ log: { entries: [good] } }));
    expect(read?.response?.body).toMatchObject({ form: 'text', bytes: bytes || text.length });
    expect(read?.failure?.kind).toBe(text.length > 1024 * 1024 ? 'not-an-api-answer' : undefined);
    expect(JSON.stringify(read)).not.toContain('secret1');
  });
});
