import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import { account, description, refusedWith, startKind, trying, type TrialAnswer } from '../../support/trial-servers.ts';

describe('a token that was just issued and is refused', () => {
  it('has three usual carriers at the most, and says what the server said where it said so', async () => {
    const wanted = await refusedWith({ headers: { 'WWW-Authenticate': 'JWT realm="api"' } });
    expect(wanted.calls[1]!.error).toMatchObject({ reason: 'fresh-token-refused', wants: 'JWT' });
    const silent = await refusedWith({ body: { message: 'Unauthorized' } });
    expect(silent.values).toEqual(['x-access-token', 'Token']);
    expect(silent.proposals.map(({ evidence }) => evidence)).toEqual([undefined, undefined]);
    const said = await refusedWith({ status: 403, body: { message: 'No token provided!' } });
    expect(said.proposals[0]).toMatchObject({ value: 'x-access-token', evidence: '403 No token provided!' });
    const byHeader = description({ security: { type: 'apiKey', in: 'header', name: 'X-Token' } });
    expect((await refusedWith({}, byHeader)).values).toEqual(['Bearer', 'x-access-token', 'Token']);
  });

  it('has no other carrier where the server names the one that was used', async () => {
    expect((await refusedWith({ headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })).values).toEqual([]);
  });

  it('has none where the profile is missing or the server is at fault', async () => {
    expect((await refusedWith({ status: 404, body: { error: 'Not found' } })).values).toEqual([]);
    expect((await refusedWith({ status: 503, body: { error: 'Not now' } })).values).toEqual([]);
  });
});

describe('a hostile server', () => {
  it.each<[string, Partial<TrialAnswer>]>([
    ['leads to another host', { status: 301, headers: { Location: 'https://evil.test/other/me' } }],
    ['leads to another host without a scheme', { status: 308, headers: { Location: '//evil.test/other/me' } }],
    [
      'leads to another host behind a user name',
      { status: 301, headers: { Location: 'http://127.0.0.1@evil.test/other/me' } },
    ],
    ['leads somewhere for now', { status: 302, headers: { Location: '/promotions' } }],
    ['allows what deletes', { status: 405, headers: { Allow: 'DELETE' } }],
    ['asks for a scheme of odd signs', { headers: { 'WWW-Authenticate': '{{password}} x="y", {{token}}, Ä' } }],
    ['asks for the password', { headers: { 'WWW-Authenticate': 'Basic realm="x", Negotiate' } }],
    [
      'names a header of HTTP',
      { body: { message: 'The "Transfer-Encoding" header is missing, or "__proto__" header' } },
    ],
  ])('steers nothing: %s', async (_name, refusal) => {
    const { proposals } = await refusedWith(refusal);
    // What is left are the usual carriers, which no server names.
    expect(proposals.every(({ value, evidence }) => ['x-access-token', 'Token'].includes(value) && !evidence)).toBe(
      true,
    );
  });

  it('that says back the token, the password or a cookie gets it into no proposal and no evidence', async () => {
    const { baseUrl, issued } = await startKind({
      gives: (token) => ({ body: { token }, headers: { 'Set-Cookie': 'sid=s3cret-of-the-cookie; HttpOnly' } }),
      carries: () => false,
      refuses: (token) => ({
        status: 401,
        body: {
          message: `x-${token} header is missing, not ${account.password}, s3cret-of-the-cookie`,
          hint: `Use Authorization: ${token} <token>, the "X-Key-${account.password}" header`,
        },
        headers: { 'WWW-Authenticate': `${token} realm="${account.password}", Custom realm="${token}"` },
      }),
    });
    const trial = await trying(baseUrl, JSON.stringify(description()));
    expect(trial.proposals.map(({ value }) => value)).toEqual(['Custom', 'sid']);
    const whole = JSON.stringify(trial);
    for (const secret of [issued, account.password, 's3cret-of-the-cookie']) expect(whole).not.toContain(secret);
  });

  it('gets a token that nobody found into nothing, either', async () => {
    const other = randomUUID();
    const { baseUrl } = await startKind({
      gives: (token) => ({ body: { token, session: { carrier: other } } }),
      carries: () => false,
      refuses: () => ({ body: { message: `Expected the x-${other} header, and ${other}` } }),
    });
    expect(JSON.stringify(await trying(baseUrl, JSON.stringify(description())))).not.toContain(other);
  });

  it('with answers without end is proposed little of', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `x-token-${at} header`).join(', ');
    const { proposals } = await refusedWith({
      body: { message: words, more: Array.from({ length: 5000 }, () => words) },
      headers: { 'WWW-Authenticate': Array.from({ length: 900 }, (_, at) => `Scheme${at}`).join(', ') },
    });
    expect(proposals.length).toBeLessThanOrEqual(5);
    expect(Math.max(...proposals.map(({ evidence = '' }) => evidence.length))).toBeLessThanOrEqual(300);
  });
});

describe('a trial beside the log-in', () => {
  it('proposes nothing for a wrong password, and asks once', async () => {
    const { baseUrl, requests } = await startJsonServer(() => ({ status: 401, body: { message: 'Bad credentials' } }));
    const { proposals, calls } = await trying(baseUrl, JSON.stringify(description()));
    expect([proposals, calls.length, requests.length]).toEqual([[], 1, 1]);
  });

  it.each<[string, InterfaceGuess[], string]>([
    ['the text shows the field', [], 'Unauthorized'],
    ['another field is the guess', [{ at: 'calls.login.body.password', why: 'by-name' }], 'Unauthorized'],
    ['what fills the field is the guess', [{ at: 'calls.login.body.email', why: 'by-name' }], 'Unauthorized'],
    ['a person wrote the fields', [{ at: 'calls.login.body' }], 'Unauthorized'],
    ['the server has read an email', [{ at: 'calls.login.body', why: 'usual' }], 'Invalid email or password'],
    ['the server has found the account', [{ at: 'calls.login.body', why: 'usual' }], 'Wrong password'],
  ])('proposes no user name where %s', async (_name, guesses, message) => {
    const { baseUrl, requests } = await startJsonServer(() => ({ status: 401, body: { message } }));
    const { proposals } = await trying(baseUrl, JSON.stringify(description()), { guesses });
    expect([proposals, requests.length]).toEqual([[], 1]);
  });

  it('names the cookie against forged requests once a call is refused for it', async () => {
    let forgery = '';
    const { baseUrl } = await startJsonServer(({ target, headers }) => {
      const sent = headers['x-xsrf-token'];
      if (target === '/login' && (forgery === '' || sent !== forgery)) {
        forgery = `f-${randomUUID()}`;
        const set = { 'Set-Cookie': `XSRF-TOKEN=${forgery}; Path=/` };
        return { status: 419, body: { message: 'CSRF token mismatch.' }, headers: set };
      }
      if (target === '/login') return { status: 200, body: { token: 'a-token-that-is-long-1' } };
      return { status: 200, body: { id: 1, email: account.email } };
    });
    const { proposals } = await trying(baseUrl, JSON.stringify(description()));
    expect(proposals).toMatchObject([
      { at: 'csrf', value: 'X-XSRF-TOKEN: XSRF-TOKEN', evidence: '419 Set-Cookie: XSRF-TOKEN=…' },
    ]);
    expect(await trying(baseUrl, proposals[0]!.text)).toMatchObject({ works: true });
  });

  it.each([
    ['the member that renews', { path: '/refresh', body: { refresh_token: '{{refreshToken}}' } }, 'calls.refresh.body'],
    ['the place of what renews', { path: '/refresh', body: { refresh: '{{refreshToken}}' } }, 'outputs.refreshToken'],
  ])('mends %s', async (_name, refresh, at) => {
    const [access, renewing] = [`a-${randomUUID()}`, `r-${randomUUID()}`];
    const { baseUrl } = await startJsonServer(({ target, body: sent }) => {
      if (target === '/login') return { status: 200, body: { token: access, renewal: { key: renewing } } };
      if (target === '/me') return { status: 200, body: { id: 1, email: account.email } };
      const { refresh: given } = JSON.parse(sent);
      if (given === undefined) return { status: 400, body: { refresh: ['This field is required.'] } };
      return given === renewing
        ? { status: 200, body: { token: access, renewal: { key: renewing } } }
        : { status: 401, body: { detail: 'Token is invalid or expired' } };
    });
    const place = at === 'calls.refresh.body' ? '/renewal/key' : '/token';
    const wrong = description(
      { outputs: { token: '$response.body#/token', refreshToken: `$response.body#${place}` } },
      { refresh },
    );
    const { works, proposals } = await trying(baseUrl, JSON.stringify(wrong));
    // The session is there: only its renewal is not.
    expect(works).toBe(true);
    expect(proposals[0]).toMatchObject({ at });
    const mended = await trying(baseUrl, proposals[0]!.text);
    expect(mended.calls.map(({ call, error }) => [call, error])).toEqual(
      ['login', 'profile', 'refresh', 'profile'].map((call) => [call, undefined]),
    );
  });

  it.each([
    ['/', undefined],
    ['/login', undefined],
    ['/login?next=%2Flogout', 'unauthenticated'],
    ['/logout/', 'redirect-slash'],
    ['https://elsewhere.example.test/', 'redirect'],
  ])('tells a log-out that leads to %s', async (leads, why) => {
    const { baseUrl, requests } = await startKind({
      elsewhere: (target) => (target === '/logout' ? { status: 302, headers: { Location: leads } } : undefined),
    });
    const text = JSON.stringify(description({}, { logout: { path: '/logout' } }));
    const { works, calls } = await trying(baseUrl, text);
    expect([works, requests.map(({ target }) => target)]).toEqual([true, ['/login', '/me', '/logout']]);
    const { error } = calls[2]!;
    expect(error && ('reason' in error ? error.reason : error.kind)).toBe(why);
  });

  it('is of a profile that says whose it is', async () => {
    const { baseUrl } = await startJsonServer(({ target }) => ({
      status: 200,
      body: target === '/login' ? { token: 'a-token-that-is-long-1' } : { status: 'ok' },
    }));
    expect(await trying(baseUrl, JSON.stringify(description()))).toMatchObject({ works: false });
  });

  it('works by a profile that tells of nobody, where that is refused without the session', async () => {
    const { baseUrl } = await startJsonServer(({ target, headers }) => {
      if (target === '/login') return { status: 200, body: { token: 'a-token-that-is-long-1' } };
      return headers.authorization
        ? { status: 200, body: [{ firstname: 'Dave' }, { firstname: 'John' }] }
        : { status: 401 };
    });
    const { works, whose, proposals } = await trying(baseUrl, JSON.stringify(description()));
    expect({ works, whose, proposals }).toEqual({ works: true, whose: account.email, proposals: [] });
  });
});

describe('a form with a token of its page', () => {
  const asForm = (member: string) =>
    description(
      { variables: { pageToken: { secret: true } } },
      {
        login: {
          path: '/login',
          encoding: 'form',
          body: { email: '{{email}}', password: '{{password}}', [member]: '{{pageToken}}' },
        },
      },
    );
  const variables = { pageToken: 'of-a-visit-that-is-over' };
  const page = { 'Content-Type': 'text/html' };

  it.each<[string, Partial<TrialAnswer>]>([
    ['authenticity_token', { status: 422, body: { status: 422, error: 'Unprocessable Entity' } }],
    ['authenticity_token', { status: 422, body: '<h1>The change you wanted was rejected.</h1>', headers: page }],
    ['authenticity_token', { status: 422, body: { exception: 'ActionController::InvalidAuthenticityToken' } }],
    ['__RequestVerificationToken', { status: 400, body: '' }],
    ['_csrf_token', { status: 403, body: '<h1>403 Forbidden</h1>', headers: page }],
    ['_csrf', { status: 403, body: { error: 'invalid csrf token' } }],
    ['_xsrf', { status: 403, body: '<h1>403: Forbidden</h1>', headers: page }],
    ['_wpnonce', { status: 403, body: '<p>The link you followed has expired.</p>', headers: page }],
  ])('is told to be one where it is refused: %s %j', async (member, refusal) => {
    const { baseUrl, requests } = await startJsonServer(() => ({ status: 400, ...refusal }));
    const { calls, proposals } = await trying(baseUrl, JSON.stringify(asForm(member)), { variables });
    expect(calls[0]).toMatchObject({ pageToken: member, status: refusal.status });
    expect([proposals, requests.length]).toEqual([[], 1]);
  });

  it.each<[string, Partial<TrialAnswer>]>([
    ['authenticity_token', { status: 401, body: { error: 'Invalid Email or password.' } }],
    ['authenticity_token', { status: 422, body: { errors: { email: ['is not an address'] } } }],
    // Devise shows its form again so (Turbo).
    ['authenticity_token', { status: 422, body: '<form><input type="password"></form>', headers: page }],
    ['_token', { status: 404, body: '<h1>Not found</h1>', headers: page }],
    ['_token', { status: 429, body: '' }],
    ['_token', { status: 503, body: '' }],
    ['device_token', { status: 422, body: { status: 422, error: 'Unprocessable Entity' } }],
  ])('is not told where that is not why: %s %j', async (member, refusal) => {
    const { baseUrl } = await startJsonServer(() => ({ status: 400, ...refusal }));
    const { calls } = await trying(baseUrl, JSON.stringify(asForm(member)), { variables });
    expect(calls[0]).toMatchObject({ status: refusal.status, error: {} });
    expect(calls[0]).not.toHaveProperty('pageToken');
  });

  it.each([
    ['csrfmiddlewaretoken', 'csrftoken', 'X-CSRFToken', 403, undefined],
    ['_token', 'XSRF-TOKEN', 'X-XSRF-TOKEN', 419, 'laravel_session'],
  ])(
    'has a cookie and a header instead, where those are known: %s',
    async (member, cookie, header, status, session) => {
      const [forgery, began, issued] = [`f-${randomUUID()}`, `s-${randomUUID()}`, `t-${randomUUID()}`];
      const begins = session === undefined ? [] : [`${session}=${began}; HttpOnly; Path=/`];
      const { baseUrl } = await startJsonServer(({ target, method, headers, body }) => {
        const cookies = headers.cookie ?? '';
        const ofSession = session === undefined || cookies.includes(`${session}=${began}`);
        if (target === '/login' && method === 'GET') {
          const set = [`${cookie}=${forgery}; Path=/`, ...begins];
          return { status: 200, body: '<form></form>', headers: { ...page, 'Set-Cookie': set } };
        }
        if (target === '/login') {
          const isArmed = headers[header.toLowerCase()] === forgery && cookies.includes(forgery) && ofSession;
          if (!isArmed || body.includes(member))
            return { status, body: '<h1>Refused</h1>', headers: { ...page, 'Set-Cookie': begins } };
          return { status: 200, body: { token: issued } };
        }
        const isIn = session === undefined ? headers.authorization === `Bearer ${issued}` : ofSession;
        return isIn ? { status: 200, body: { id: 1, email: account.email } } : { status: 401 };
      });
      const { calls, proposals } = await trying(baseUrl, JSON.stringify(asForm(member)), { variables });
      expect(calls[0]).toMatchObject({ pageToken: member, status });
      const value = [`${header}: ${cookie}`, session].filter(Boolean).join(', ');
      expect(proposals[0]).toMatchObject({ at: 'csrf', value, evidence: `${status} ${member}` });
      expect(proposals[0]!.text).not.toMatch(new RegExp(`"${member}"|pageToken`));
      const mended = await trying(baseUrl, proposals[0]!.text);
      expect(mended).toMatchObject({ works: true, whose: account.email });
      expect(mended.calls.map(({ call }) => call)).toEqual(['csrf', 'login', 'profile']);
    },
  );
});
