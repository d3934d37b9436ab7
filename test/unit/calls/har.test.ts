import { describe, expect, it } from 'vitest';
import { formatHar } from '../../../main/tools/calls/har.ts';
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

describe('an HTTP archive', () => {
  it('says what went over the wire, and names secrets, equal ones alike', () => {
    const { log } = JSON.parse(formatHar([login, profile], creator));
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

  it('marks the headers that were added for the server, whose values are named', () => {
    const gate = { secret: 'other', id: 'g1' } as const;
    const head = ['GET / HTTP/1.1\r\nAccept: application/json\r\nX-Gate: ', gate, '\r\n\r\n'];
    const added: RecordedCall = {
      ...profile,
      request: { ...profile.request, head: { text: head, source: 'as-written' }, added: ['x-gate'] },
    };
    const { log } = JSON.parse(formatHar([added], creator));
    expect(log.entries[0].request.headers).toEqual([
      { name: 'Accept', value: 'application/json' },
      { name: 'X-Gate', value: '[other 1]', comment: 'added by Llavero' },
    ]);
  });
});
