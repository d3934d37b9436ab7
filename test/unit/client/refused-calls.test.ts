import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../main/client/client.ts';
import { refusedForForgery } from '../../../main/client/refused-calls.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { startJsonServer } from '../../support/described-servers.ts';

const responseOf = (status: number, body: unknown, rawHeaders: [string, string][] = []) => ({
  status,
  statusText: '',
  httpVersion: '1.1',
  rawHeaders,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  bodyBytes: new Uint8Array(),
});

describe('a call that was refused for its token against forged requests', () => {
  it.each<[string, number, unknown, [string, string][]?]>([
    ['Laravel', 419, { message: 'CSRF token mismatch.' }],
    ['Laravel, a page', 419, '<title>Page Expired</title>'],
    [
      'Django',
      403,
      '<html><head><title>403 Forbidden</title><style>html * { padding:0; }</style></head><body><h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p></body></html>',
    ],
    ['Django REST framework', 403, { detail: 'CSRF Failed: CSRF token missing or incorrect.' }],
    [
      'Flask-WTF',
      400,
      '<!doctype html><title>400 Bad Request</title><h1>Bad Request</h1><p>The CSRF token has expired.</p>',
    ],
    ['Flask-JWT-Extended', 401, { msg: 'CSRF double submit tokens do not match' }],
    ['Rails', 422, { status: 422, error: 'ActionController::InvalidAuthenticityToken' }],
    ['Rails, a page', 422, '<title>The change you wanted was rejected (422)</title>'],
    ['Spring', 403, { status: 403, error: 'Forbidden', message: "Invalid CSRF Token 'null' was found" }],
    ['csurf', 403, { code: 'EBADCSRFTOKEN', message: 'invalid token' }],
    ['Express, a page', 403, '<html><body><pre>ForbiddenError: invalid csrf token<br>at x</pre></body></html>'],
    ['ASP.NET', 400, { title: 'The required antiforgery header value "X" is not present.' }],
    ['SAP', 403, 'CSRF token validation failed', [['x-csrf-token', 'Required']]],
    ['a name', 400, { errors: { _csrf: 'is not valid any more' } }],
    ['Spanish', 403, { mensaje: 'La página ha caducado' }],
    ['German', 403, { message: 'Verdacht auf Websiteübergreifende Anfragefälschung' }],
    ['French', 403, { message: 'Falsification de requête détectée' }],
  ])('is known by what %s says', (_name, status, body, rawHeaders) => {
    expect(refusedForForgery(responseOf(status, body, rawHeaders))).toBe('surely');
  });

  it.each<[string, number, unknown]>([
    ['nothing', 403, ''],
    ['nothing, as ASP.NET', 400, ''],
    [
      "Spring's usual",
      403,
      { timestamp: '2026-11-28T10:00:00.000+00:00', status: 403, error: 'Forbidden', path: '/logout' },
    ],
  ])('may be one where the answer says %s', (_name, status, body) => {
    expect(refusedForForgery(responseOf(status, body))).toBe('perhaps');
  });

  it.each<[string, number, unknown]>([
    ['a session that is over', 401, { message: 'Unauthorized' }],
    ['a wrong password beside a token that it gives', 403, { message: 'Wrong password', csrfToken: 'k3Jd9sLq0' }],
    ['a link beside it', 401, { message: 'Unauthorized', next: '/csrf' }],
    ['a limit', 429, { message: 'csrf' }],
    ['a fault', 500, { message: 'CSRF token mismatch.' }],
    ['a form', 422, { errors: { email: ['is taken'] } }],
    ['a success', 200, { message: 'csrf' }],
  ])('is not %s', (_name, status, body) => {
    expect(refusedForForgery(responseOf(status, body))).toBeUndefined();
  });
});

/** A server that refuses a call so many times as `refusals` says, and what it was asked. */
async function calling(refusals: number, refusal: { status: number; body?: unknown }, more: object = {}) {
  let fetched = 0;
  let left = refusals;
  const set = () => ({ 'Set-Cookie': `XSRF-TOKEN=token-${fetched}; Path=/` });
  const server = await startJsonServer(({ target }) => {
    if (target === '/csrf') {
      fetched += 1;
      return { status: 204, headers: set() };
    }
    left -= 1;
    return left >= 0 ? refusal : { status: 204 };
  });
  const read = readDescription(
    JSON.stringify({
      name: 'x',
      calls: {
        login: { path: '/in' },
        profile: { path: '/me' },
        logout: { path: '/out' },
        refresh: { path: '/renew' },
      },
      csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN', from: '/csrf' },
      ...more,
    }),
  );
  if (!read.ok) throw new Error('not read');
  const transport = createTransport({});
  onTestFinished(() => transport.close());
  const client = createClient({
    transport,
    baseUrl: server.baseUrl,
    adapter: new ApiAdapter(read.description, server.baseUrl),
  });
  const held = { token: 'abc', cookies: { 'XSRF-TOKEN': 'stale' } };
  return {
    client,
    held,
    targets: () => server.requests.map(({ target, headers }) => [target, headers['x-xsrf-token']]),
  };
}

describe('after that refusal', () => {
  const refusal = { status: 403, body: { detail: 'CSRF Failed' } };

  it('a new token is fetched once, and the call is sent once more with it', async () => {
    const { client, held, targets } = await calling(1, refusal);
    expect(await client.logout(held)).toMatchObject({ ok: true, credential: { cookies: { 'XSRF-TOKEN': 'token-1' } } });
    expect(targets()).toEqual([
      ['/out', 'stale'],
      ['/csrf', undefined],
      ['/out', 'token-1'],
    ]);
  });

  it('the call is sent no third time, and a server that said nothing else was not told', async () => {
    const { client, held, targets } = await calling(9, { status: 419, body: { message: 'CSRF token mismatch.' } });
    expect(await client.logout(held)).toMatchObject({ ok: false, error: { kind: 'unexpected', status: 419 } });
    expect(targets()).toHaveLength(3);
  });

  it('a renewal is not refused', async () => {
    const { client, held, targets } = await calling(9, { status: 401, body: { msg: 'CSRF token expired' } });
    const refreshed = await client.refresh(held);
    expect(refreshed).toMatchObject({ ok: false });
    expect(refreshed).not.toMatchObject({ error: { kind: 'unauthenticated' } });
    expect(targets().map(([target]) => target)).toEqual(['/renew', '/csrf', '/renew']);
  });

  it('a token that was fetched for this very call is not fetched again', async () => {
    const { client, targets } = await calling(9, refusal);
    expect(await client.logout({ token: 'abc' })).toMatchObject({ ok: false });
    expect(targets().map(([target]) => target)).toEqual(['/csrf', '/out']);
  });

  it('nothing is sent again where the session was refused, and not the token', async () => {
    const { client, held, targets } = await calling(9, { status: 401, body: { message: 'Unauthorized' } });
    expect(await client.logout(held)).toMatchObject({ error: { kind: 'unauthenticated' } });
    expect(targets()).toHaveLength(1);
  });
});

it('a log-in whose cookie is not kept names it and says why', async () => {
  const server = await startJsonServer(() => ({
    status: 204,
    headers: { 'Set-Cookie': ['seen=1; Domain=other.test', 'sid=abc; Domain=other.test; Path=/'] },
  }));
  const read = readDescription(
    JSON.stringify({
      name: 'x',
      calls: { login: { path: '/in' }, profile: { path: '/me' } },
      security: { type: 'apiKey', in: 'cookie', name: 'sid' },
    }),
  );
  if (!read.ok) throw new Error('not read');
  const transport = createTransport({});
  onTestFinished(() => transport.close());
  const client = createClient({
    transport,
    baseUrl: server.baseUrl,
    adapter: new ApiAdapter(read.description, server.baseUrl),
  });
  expect(await client.login({ email: 'ana@example.test', password: 'correct horse' })).toMatchObject({
    error: { kind: 'cookie-not-kept', name: 'sid', why: 'domain' },
  });
});
