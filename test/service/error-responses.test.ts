import { describe, expect, it } from 'vitest';
import { ada, makeService } from './support/make-service.ts';

const PERFIL = '/api/v1/auth/perfil';

const sized = (bytes: number): string => JSON.stringify(ada).padEnd(bytes, ' ');

describe('every answer', () => {
  it('is JSON that nobody may keep, without a banner or a permission for web pages', async () => {
    const service = await makeService();
    const answers = [
      await service.registro(ada),
      await service.login(ada),
      await service.perfil('1|x'),
      await service.post('login', '{'),
      await service.app.inject('/nothing'),
      await service.app.inject('/%zz'),
      await service.app.inject({ url: PERFIL, headers: { host: 'evil.example' } }),
      await service.app.inject({ url: PERFIL, headers: { origin: 'null' } }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200, 401, 400, 404, 400, 421, 403]);
    for (const { headers, body } of answers) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(Object.keys(headers).filter((name) => /^(server|x-powered-by|access-control-.*)$/.test(name))).toEqual([]);
      expect(JSON.parse(body)).toEqual(expect.any(Object));
    }
  });
});

describe('the Host header', () => {
  it.each(['127.0.0.1', '127.0.0.1:4848', 'localhost', 'LocalHost:80', '[::1]', '[::1]:65535'])(
    'may be %s',
    async (host) => {
      const service = await makeService();
      expect((await service.app.inject({ url: PERFIL, headers: { host } })).statusCode).toBe(401);
    },
  );

  it.each([
    'evil.example',
    'evil.example:4848',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.2',
    '0.0.0.0',
    '[::]',
    '127.0.0.1:',
    '127.0.0.1:x',
    'localhost:4848, evil.example',
  ])('must not be %s', async (host) => {
    const service = await makeService();
    for (const url of [PERFIL, '/nothing', '/%zz']) {
      const answer = await service.app.inject({ url, headers: { host } });
      expect(answer.statusCode).toBe(421);
      expect(answer.json()).toEqual({ message: 'This server does not answer for the name in the Host header.' });
    }
  });
});

describe('the Origin header', () => {
  it.each([
    ['127.0.0.1:4848', 'http://127.0.0.1:4848'],
    ['localhost:80', 'http://localhost'],
    ['[::1]:4848', 'http://[::1]:4848'],
  ])('may be our own: at %s that is %s', async (host, origin) => {
    const service = await makeService();
    expect((await service.app.inject({ url: PERFIL, headers: { host, origin } })).statusCode).toBe(401);
  });

  it.each([
    'null',
    '',
    'http://evil.example',
    'http://127.0.0.1:4849',
    'http://localhost:4848',
    'https://127.0.0.1:4848',
    'file://',
    'app://llavero',
    'http://127.0.0.1:4848.evil.example',
  ])('must not be %j, and the body is not looked at', async (origin) => {
    const service = await makeService();
    const answer = await service.registro(ada, { host: '127.0.0.1:4848', origin });

    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ message: 'Requests from other web pages are not allowed.' });
    expect(await service.accounts.findLogin(ada.email)).toBeUndefined();
  });

  it('gets no answer to a preflight', async () => {
    const service = await makeService();
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    const answer = await service.app.inject({ method: 'OPTIONS', url: '/api/v1/auth/login', headers });
    expect(answer.statusCode).toBe(403);
  });
});

describe('paths and methods', () => {
  it.each([
    '/',
    '/api/v1/auth',
    '/api/v1/auth/logout',
    '/api/v1/auth/login/',
    '/api/v2/auth/login',
    '/API/v1/auth/login',
  ])('get 404 at %s, whatever comes with it', async (url) => {
    const service = await makeService();
    expect((await service.app.inject(url)).json()).toEqual({ message: 'There is nothing at this path.' });
    const headers = { 'content-type': 'text/plain' };
    expect((await service.app.inject({ method: 'POST', url, headers, payload: 'x' })).statusCode).toBe(404);
  });

  it.each([
    ['GET', 'login', 'POST'],
    ['PUT', 'login?a=1', 'POST'],
    ['DELETE', 'perfil', 'GET, HEAD'],
    ['POST', 'perfil', 'GET, HEAD'],
    ['OPTIONS', 'salir', 'POST'],
    ['PATCH', 'registro', 'POST'],
    ['HEAD', 'register', 'POST'],
  ] as const)('get 405 at %s %s, with %s as allowed', async (method, path, allow) => {
    const service = await makeService();
    const answer = await service.app.inject({ method, url: `/api/v1/auth/${path}` });

    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('bodies', () => {
  it.each(['{', '{"email":}', 'email=a', "{'email':1}", '{} {}', 'NaN', '\u00a0{}'])(
    'get 400 when they are %j',
    async (body) => {
      const service = await makeService();
      const answer = await service.post('login', body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ message: 'The request body is not valid JSON.' });
    },
  );

  it('get 400 when they are not UTF-8', async () => {
    const service = await makeService();
    const answer = await service.post('login', Buffer.from('{"email":"a@b","password":"\xff\xfe"}', 'latin1'));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ message: 'The request body is not UTF-8, in which JSON is sent.' });
  });

  it.each(['[]', '"text"', '1', 'true', 'null', ''])('get 422 when they are %j, which is no object', async (body) => {
    const service = await makeService();
    for (const path of ['login', 'registro', 'register']) {
      const answer = await service.post(path, body);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual({ message: 'The request body must be a JSON object.' });
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', 'nonsense'])(
    'get 415 when they are %s',
    async (type) => {
      const service = await makeService();
      const answer = await service.post(
        'login',
        { email: ada.email, password: ada.password },
        { 'content-type': type },
      );
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toEqual({ message: 'The request body must be sent as application/json.' });
    },
  );

  it('may name their character set', async () => {
    const service = await makeService();
    const answer = await service.registro(ada, { 'content-type': 'application/json; charset=utf-8' });
    expect(answer.statusCode).toBe(201);
  });

  it('may have 16 KiB and not a byte more', async () => {
    const service = await makeService();
    expect((await service.registro(sized(16_385))).statusCode).toBe(413);
    expect((await service.registro(sized(16_384))).statusCode).toBe(201);
  });

  it('may be nested as deep as they are long', async () => {
    const service = await makeService();
    expect((await service.post('login', '['.repeat(8000) + ']'.repeat(8000))).statusCode).toBe(422);
  });
});

describe('an unexpected failure', () => {
  it('answers 500 with the id that stands in the log, and never with its cause', async () => {
    const service = await makeService();
    await service.accounts.close();
    const answer = await service.login(ada, { 'accept-language': 'es' });
    const { request_id: requestId } = answer.json<{ request_id: string }>();

    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ message: 'Algo falló por nuestra parte.', request_id: requestId });
    expect(service.log).toHaveLength(1);
    expect(service.log[0]).toContain(requestId);
    expect(service.log[0]).toContain('findLogin');
    expect(service.log[0]).not.toContain(ada.password);
  });
});
