import type { CallSummary, RecordedCall, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { production } from './states.ts';

/** A call that the stub main keeps. One without `recorded` is in the list, and its details are gone. */
export interface StubCall {
  summary: CallSummary;
  recorded?: RecordedCall;
}

const token: SecretReference = { secret: 'token', id: 's1' };
const password: SecretReference = { secret: 'password', id: 'p1' };
const apiKey: SecretReference = { secret: 'other', id: 'o1' };

const head = (line: string, more: RedactedText = []): RecordedCall['request']['head'] => ({
  text: [
    `${line} HTTP/1.1\r\nAccept: application/json\r\nContent-Type: application/json\r\n`,
    ...more,
    'Host: shop.example.test\r\nConnection: keep-alive\r\n\r\n',
  ],
  source: 'as-written',
});

const bytesOf = (text: RedactedText): number =>
  text.reduce((bytes, part) => bytes + (typeof part === 'string' ? Buffer.byteLength(part) : 10), 0);
const body = (...text: RedactedText) => ({ form: 'text', text, bytes: bytesOf(text) }) as const;

const plain = {
  serverId: 'built-in',
  startedAt: '2026-11-20T08:01:02.345Z',
  timings: { dnsMs: 0.4, connectMs: 1.2, firstByteMs: 38.2, totalMs: 41.7 },
  remote: '127.0.0.1:4848',
  reusedConnection: false,
} satisfies Partial<RecordedCall>;

const origin = 'https://shop.example.test';
const json: [string, RedactedText] = ['Content-Type', ['application/json; charset=utf-8']];

/** The newest is the first. */
const recorded: RecordedCall[] = [
  {
    ...plain,
    id: 'login',
    serverId: production.id,
    request: {
      method: 'POST',
      url: [`${origin}/api/v1/auth/login`],
      head: head('POST /api/v1/auth/login'),
      body: body('{"email":"ana@example.test","password":"', password, '"}'),
    },
    response: {
      status: 200,
      httpVersion: '1.1',
      headers: [
        json,
        ['Set-Cookie', ['a=', { secret: 'cookie', id: 'c1' }, '; Path=/; HttpOnly']],
        ['set-cookie', ['b=', { secret: 'cookie', id: 'c2' }]],
        ['Date', ['Fri, 20 Nov 2026 08:01:02 GMT']],
      ],
      body: body(
        '{"error":false,"mensaje":"¡Bienvenida, Ana! Tu sesión está abierta","datos":{"access_token":"',
        token,
        '","numero":12345678901234567890.10,"roles":["compradora","administración"],"vacio":{}}}',
      ),
    },
    timings: { dnsMs: 3.1, connectMs: 12.4, tlsMs: 48.9, firstByteMs: 142.2, totalMs: 151.8 },
    remote: '192.0.2.17:3128',
    proxy: 'http://proxy.example.test:3128',
    security: {
      protocol: 'TLSv1.3',
      pinned: true,
      certificate: {
        subject: 'CN=shop.example.test',
        issuer: 'CN=Example Private Authority',
        names: ['shop.example.test', 'www.shop.example.test'],
        validFrom: '2026-01-01T00:00:00.000Z',
        validTo: '2026-12-31T23:59:59.000Z',
        sha256: `AB${':CD'.repeat(31)}`,
      },
    },
    understood: {
      operation: 'login',
      verdict: 'ok',
      rule: 'a 2xx login with a token',
      found: [{ what: 'token', path: 'datos.access_token', rule: 'a field named access_token' }],
    },
  },
  {
    ...plain,
    id: 'page',
    request: {
      method: 'GET',
      url: ['http://127.0.0.1:4848/api/v1/auth/perfil'],
      head: head('GET /api/v1/auth/perfil', ['Authorization: Bearer ', token, '\r\nX-Api-Key: ', apiKey, '\r\n']),
      added: ['X-Api-Key'],
    },
    response: {
      status: 502,
      httpVersion: '1.1',
      headers: [['content-type', ['text/html']]],
      moreHeaders: 3,
      body: {
        ...body(
          '<!DOCTYPE html>\n<html><head><title>502</title></head>\n<body onload="alert(1)"><script>alert(2)</script><img src=x onerror=alert(3)></body></html>\n',
        ),
        isInMemory: true,
      },
    },
    reusedConnection: true,
    timings: { firstByteMs: 9.2, totalMs: 9.9 },
  },
  {
    ...plain,
    id: 'picture',
    request: {
      method: 'GET',
      url: ['http://127.0.0.1:4848/api/v1/auth/perfil?token=', token],
      head: head('GET /api/v1/auth/perfil'),
    },
    response: {
      status: 200,
      httpVersion: '1.0',
      headers: [['Content-Type', ['image/png']]],
      body: {
        form: 'described',
        type: 'image/png',
        sha256: 'c0ffee'.repeat(10),
        bytes: 48_213,
      },
    },
  },
  {
    ...plain,
    id: 'failure',
    serverId: 'staging',
    request: {
      method: 'POST',
      url: ['http://staging.example.test:8000/app/api/v1/auth/registro'],
      head: { ...head('POST /app/api/v1/auth/registro'), source: 'as-prepared' },
      body: body('{"name":"Ana","email":"ana@example.test","password":"', password, '"}'),
    },
    failure: { kind: 'refused', host: 'staging.example.test:8000', addresses: ['192.0.2.1:8000'] },
    timings: { dnsMs: 12, totalMs: 10_034 },
  },
  {
    ...plain,
    id: 'redirect',
    request: {
      method: 'GET',
      url: ['http://127.0.0.1:4848/api/v1/auth/perfil'],
      head: head('GET /api/v1/auth/perfil'),
    },
    response: {
      status: 302,
      httpVersion: '1.1',
      headers: [['Location', ['/login?next=%2Fapi%2Fv1%2Fauth%2Fperfil']]],
      body: body(''),
    },
  },
  {
    ...plain,
    id: 'long',
    request: {
      method: 'POST',
      url: [`http://127.0.0.1:4848/api/v1/auth/${'muy-largo-'.repeat(20)}?q=${'x'.repeat(400)}`],
      head: head('POST /', ['X-Trace: ', 'abcdef0123456789'.repeat(40), '\r\n', 'X-عربي: ‮txt.exe\r\n']),
    },
    response: {
      status: 422,
      httpVersion: '1.1',
      headers: [json, ['X-Long', ['a'.repeat(3000)]]],
      body: body(`{"mensaje":"Datos no válidos","ayuda":"${'sin-espacios-'.repeat(100)}"}`),
    },
    timings: { firstByteMs: 1200, totalMs: 1834.2 },
  },
];

const summaryOf = (call: RecordedCall): CallSummary => {
  const url = new URL(call.request.url.map((part) => (typeof part === 'string' ? part : '…')).join(''));
  return {
    id: call.id,
    serverId: call.serverId,
    startedAt: call.startedAt,
    method: call.request.method,
    path: url.pathname + decodeURIComponent(url.search),
    host: url.host,
    ...(call.response && { status: call.response.status }),
    ...(call.failure && { failure: call.failure.kind }),
    totalMs: call.timings.totalMs,
    responseBytes: call.response?.body.bytes ?? 0,
    pinned: call.id === 'page',
  };
};

/** One call of each kind, the newest first, and one that is not kept any more. */
export const someCalls: StubCall[] = [
  ...recorded.map((call) => ({ summary: summaryOf(call), recorded: call })),
  { summary: { ...summaryOf(recorded[4]!), id: 'gone', path: '/gone', status: 204 } },
];

/** Makes ordinary calls with numbers in their paths, from `first` on, the newest first. */
export const manyCalls = (count: number, first = 1): StubCall[] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + count - 1 - index;
    return { summary: { ...summaryOf(recorded[4]!), id: `many-${number}`, path: `/call/${number}`, status: 200 } };
  });

const [{ recorded: login } = {}] = someCalls;
const logout: RecordedCall = {
  ...login!,
  id: 'logout',
  request: {
    method: 'POST',
    url: [`${origin}/api/v1/auth/salir`],
    head: head('POST /api/v1/auth/salir', ['Authorization: Bearer ', token, '\r\n']),
  },
};
/** A logout that ended a session. */
export const someLogout: StubCall = { summary: summaryOf(logout), recorded: logout };
